import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { chromium, type Browser } from 'playwright-core';
import { cacheFolder, inCache, say } from './cache';
import { run } from './run';
import type { Sandbox } from './sandbox';

/** A program and what its environment needs. */
interface Program {
	path: string;
	env: NodeJS.ProcessEnv;
}

/**
 * Starts a headless Chromium that ends with the sandbox: the one that `CHROME_PATH` names, an
 * installed one, else the one from the npm package `@sparticuz/chromium`.
 *
 * @throws an Error that says what to install if none can be started.
 */
export async function launchBrowser(sandbox: Sandbox): Promise<Browser> {
	const program = await findBrowser();
	try {
		return await chromium.launch({
			executablePath: program.path,
			env: sandbox.environment(program.env),
			// The sandbox decides what happens on a signal, in one order.
			handleSIGINT: false,
			handleSIGTERM: false,
			handleSIGHUP: false,
			args: [
				// Chromium's own sandbox refuses root, which is what a container gives us.
				...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
				'--disable-gpu',
				'--disable-quic',
				'--no-first-run',
				'--disable-background-networking',
				'--disable-component-update',
				'--disable-sync',
			],
		});
	} catch (error) {
		throw new Error(
			`${program.path} could not be started as the tests' browser. Install Chrome or Chromium, ` +
				'or set CHROME_PATH to one that works.',
			{ cause: error },
		);
	}
}

/** Paths of browsers, in the order in which they are tried. */
export async function findBrowser(): Promise<Program> {
	const named = process.env['CHROME_PATH'];
	if (named && !existsSync(named)) throw new Error(`CHROME_PATH names no file: ${named}`);
	const installed = named || installedBrowser();
	if (installed) return { path: installed, env: {} };
	return packagedBrowser();
}

function installedBrowser(): string | undefined {
	const names = [
		'google-chrome',
		'google-chrome-stable',
		'chromium',
		'chromium-browser',
		'chrome',
		'microsoft-edge',
	];
	const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
	const windows = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap((variable) =>
		['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].map((path) =>
			join(process.env[variable] ?? '', path),
		),
	);
	const places: Partial<Record<NodeJS.Platform, string[]>> = {
		darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
			(name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
		),
		win32: windows,
		linux: folders.flatMap((folder) => names.map((name) => join(folder, name))),
	};
	return places[process.platform]?.find((path) => existsSync(path));
}

async function packagedBrowser(): Promise<Program> {
	if (process.platform !== 'linux' || process.arch !== 'x64') {
		throw new Error('The tests need Chrome or Chromium. Install one, or set CHROME_PATH to it.');
	}
	const entry = require.resolve('@sparticuz/chromium');
	const bin = join(entry, '../../../bin');
	const manifest = await readFile(join(bin, '../package.json'), 'utf8');
	const { version } = JSON.parse(manifest) as { version: string };
	const folder = await inCache(`chromium-${version}`, (target) => unpack(bin, target));
	const path = join(folder, 'chromium');
	const env: NodeJS.ProcessEnv = { FONTCONFIG_FILE: await fontConfig(folder) };
	if (await starts({ path, env })) return { path, env };

	// The machine has no NSS, the one library beyond the basic ones: take the package's.
	const libraries = [join(folder, 'lib'), process.env['LD_LIBRARY_PATH']];
	const withLibraries = {
		path,
		env: { ...env, LD_LIBRARY_PATH: libraries.filter(Boolean).join(':') },
	};
	if (await starts(withLibraries)) return withLibraries;
	const reason = await run(path, ['--version'], { env: { ...process.env, ...withLibraries.env } })
		.then(() => '')
		.catch((error: Error) => error.message);
	throw new Error(
		'The packaged Chromium cannot be started on this system. Install Chrome or Chromium, set ' +
			`CHROME_PATH to one, or install what is missing here (on Debian: apt-get install libnss3 libexpat1).\n${reason}`,
	);
}

async function starts({ path, env }: Program): Promise<boolean> {
	return run(path, ['--version'], { env: { ...process.env, ...env } }).then(
		() => true,
		() => false,
	);
}

async function unpack(bin: string, folder: string): Promise<void> {
	say('Unpacking the browser (once, about 10 seconds)');
	const path = join(folder, 'chromium');
	const inflated = (name: string) =>
		createReadStream(join(bin, name)).pipe(createBrotliDecompress());
	await pipeline(inflated('chromium.br'), createWriteStream(path));
	await chmod(path, 0o755);
	// Its graphics libraries are looked for beside the binary.
	for (const name of ['al2023', 'fonts', 'swiftshader']) {
		await run('tar', ['-x', '--no-same-owner', '-C', folder], {
			input: inflated(`${name}.tar.br`),
		});
	}
}

// The system's fonts where there are some, and the package's, so that text is never blank.
async function fontConfig(folder: string): Promise<string> {
	const file = join(folder, 'easel-fonts.conf');
	const cache = join(cacheFolder, 'font-cache');
	await mkdir(cache, { recursive: true });
	if (existsSync(file)) return file;
	await writeFile(
		file,
		`<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
	<include ignore_missing="yes">/etc/fonts/fonts.conf</include>
	<dir>${join(folder, 'fonts')}</dir>
	<cachedir>${cache}</cachedir>
</fontconfig>
`,
	);
	return file;
}
