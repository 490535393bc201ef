// `npm run test:integration`: the integration tests in real extension hosts, side by side.
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import esbuild from 'esbuild';
import { findDeadTests, findTestFiles } from './aliveCheck';
import { repository, say } from './cache';
import { chooseHost, type InHostRun } from './host';
import type { HostMessage, TestResult } from './results';
import { copySample } from './sample';

const folder = 'test/integration';
const output = join(repository, 'test-results/integration');
/** An extension host waits for its window half of the time: two keep two cores busy. */
const sideBySide = Number(process.env['EASEL_TEST_JOBS'] ?? 2);
/** How long an extension host may be silent. */
const patienceMs = Number(process.env['EASEL_TEST_PATIENCE_SECONDS'] || 180) * 1000;

async function main(): Promise<void> {
	const started = Date.now();
	await rm(output, { recursive: true, force: true });
	await mkdir(output, { recursive: true });
	const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
	const files = named.length > 0 ? named : await findTestFiles(repository, [folder]);
	const compiled = await bundle(files);
	const host = chooseHost();
	await host.prepare();
	say(`${host.name}, ${files.length} test files`);
	const pairs = files.map((file, index) => [file, compiled[index]!] as const);
	const shares = await sharesOf(pairs, sideBySide);
	const runs = shares.map((share, index) => runInside(host, share, String(index + 1)));
	const results = (await Promise.all(runs)).flat();

	const failed = results.filter(({ state }) => state === 'failed');
	if (failed.length > 0) say(`\nFailed:\n${failed.map(({ title }) => `  ${title}`).join('\n')}`);
	const executed = new Set(results.map((one) => one.file));
	const dead = named.length > 0 ? [] : await findDeadTests(repository, [folder], executed);
	for (const complaint of dead) say(`dead test: ${complaint}`);
	await writeFile(join(output, 'results.json'), JSON.stringify(results, undefined, '\t'));
	const seconds = ((Date.now() - started) / 1000).toFixed(1);
	say(`\n${results.length - failed.length} passed, ${failed.length} failed (${seconds} s)`);
	if (failed.length + dead.length > 0) process.exitCode = 1;
}

/** Bundles each test file for the extension host and returns the compiled paths. */
async function bundle(files: readonly string[]): Promise<string[]> {
	const outdir = join(repository, 'out/test');
	await rm(join(outdir, 'integration'), { recursive: true, force: true });
	await esbuild.build({
		absWorkingDir: repository,
		entryPoints: [...files, 'test/host/inHost/run.ts'],
		outbase: 'test',
		outdir,
		bundle: true,
		platform: 'node',
		format: 'cjs',
		target: 'node22.19',
		sourcemap: 'inline',
		packages: 'external',
		logLevel: 'warning',
	});
	return files.map((file) => join(outdir, file.slice('test/'.length).replace(/\.ts$/, '.js')));
}

/** A test file, and what was made of it for the extension host. */
type Pair = readonly [source: string, compiled: string];

/** What is long to read takes long to run, nearly: the next longest goes to who has least. */
async function sharesOf(pairs: readonly Pair[], count: number): Promise<Pair[][]> {
	const sized = await Promise.all(
		pairs.map(async (pair) => ({ pair, size: (await stat(join(repository, pair[0]))).size })),
	);
	const shares = Array.from({ length: count }, () => ({ pairs: [] as Pair[], size: 0 }));
	for (const { pair, size } of sized.sort((a, b) => b.size - a.size)) {
		const least = shares.reduce((one, other) => (other.size < one.size ? other : one));
		least.pairs.push(pair);
		least.size += size;
	}
	// By name, as one host would run them: that of the activation needs a host that is fresh.
	return shares
		.filter((share) => share.pairs.length > 0)
		.map((share) => share.pairs.sort(([one], [other]) => one.localeCompare(other)));
}

/** @param name of the run, for what is left of it where it does not come to its end */
async function runInside(
	host: ReturnType<typeof chooseHost>,
	pairs: readonly Pair[],
	name: string,
): Promise<TestResult[]> {
	const reports = await listen();
	// The tests get a folder of their own to write into.
	const workspace = await copySample();
	let run: InHostRun | undefined;
	try {
		run = await host.runInExtensionHost({
			folder: workspace.folder,
			extensionPath: repository,
			otherExtensions: [join(repository, 'test/host/languages')],
			testsPath: join(repository, 'out/test/host/inHost/run.js'),
			env: {
				EASEL_TEST_PORT: `${reports.port}`,
				EASEL_TEST_FILES: JSON.stringify(pairs),
			},
		});
		return await Promise.race([
			reports.results,
			run.ended.then(() => {
				throw new Error('The editor ended before its tests did.');
			}),
		]);
	} catch (error) {
		if (run) await diagnose(run, name);
		throw error;
	} finally {
		reports.close();
		await run?.close();
		workspace.remove();
	}
}

/** Listens for the extension host's reports, printing its lines as they come. */
async function listen() {
	const { promise, resolve, reject } = Promise.withResolvers<TestResult[]>();
	promise.catch(() => {}); // The start may fail before anybody waits for it.
	const results: TestResult[] = [];
	const print = byFile();
	let timer: NodeJS.Timeout;
	const expectMore = () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			const last = results.at(-1)?.title ?? 'none';
			reject(
				new Error(
					`The extension host told nothing for ${patienceMs / 1000} s; last finished test: ${last}.`,
				),
			);
		}, patienceMs);
	};
	const server = createServer((socket) => {
		let ended = false;
		socket.on('error', reject);
		const lines = createInterface({ input: socket });
		lines.on('line', (line) => {
			expectMore();
			const message = JSON.parse(line) as HostMessage;
			if (message.type === 'started') say(`Inside VS Code ${message.version}`);
			if (message.type === 'line') print.line(message.text);
			if (message.type === 'test') {
				results.push(message.result);
				// At once: a later test may keep the run from ending.
				if (message.result.error) print.now(message.result.error);
			}
			if (message.type === 'error') reject(new Error(`In the extension host: ${message.text}`));
			if (message.type === 'end') {
				ended = true;
				print.now();
				resolve(results);
			}
		});
		lines.on('close', () => {
			if (!ended) reject(new Error('The extension host died while its tests ran.'));
		});
	});
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	expectMore();
	return {
		port: (server.address() as AddressInfo).port,
		results: promise,
		close() {
			clearTimeout(timer);
			server.close();
		},
	};
}

/** Prints the lines of a suite together, though those of another host come in between. */
function byFile() {
	let lines: string[] = [];
	const now = (...more: readonly string[]) => {
		const all = [...lines, ...more];
		lines = [];
		if (all.length > 0) say(all.join('\n'));
	};
	return {
		now,
		line(text: string) {
			const isNewSuite = /^ {0,2}\S/.test(text);
			if (isNewSuite) now();
			lines.push(text);
		},
	};
}

/** Shows what can be known of a run that did not come to its end. */
async function diagnose(run: InHostRun, name: string): Promise<void> {
	const picture = join(output, `no-end-${name}.png`);
	const logs = join(output, `logs-${name}`);
	const taken = await run.screenshot(picture).catch((error: unknown) => {
		say(`No screenshot: ${String(error)}`);
		return false;
	});
	if (taken) say(`Screenshot: ${picture}`);
	await cp(run.logsDir, logs, { recursive: true }).catch((error: unknown) =>
		say(`No logs: ${String(error)}`),
	);
	for (const file of await newestLogs(logs)) {
		const tail = (await readFile(file, 'utf8')).split('\n').slice(-40).join('\n');
		say(`\n--- the end of ${file}\n${tail}`);
	}
}

async function newestLogs(logs: string): Promise<string[]> {
	const entries = await readdir(logs, { recursive: true }).catch(() => []);
	const wanted = entries.filter((name) => /(exthost|remoteagent)[^/\\]*\.log$/.test(name));
	const dated = await Promise.all(
		wanted.map(async (name) => ({
			file: join(logs, name),
			changed: (await stat(join(logs, name))).mtimeMs,
		})),
	);
	return dated.sort((a, b) => a.changed - b.changed).map(({ file }) => file);
}

main().catch((error: unknown) => {
	say(error instanceof Error ? (error.stack ?? error.message) : String(error));
	process.exitCode = 1;
});
