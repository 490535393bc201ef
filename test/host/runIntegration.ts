// `npm run test:integration`: a tier of tests in real extension hosts, side by side. With names of
// test files as arguments, only these.
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import esbuild from 'esbuild';
import { findDeadTests } from './aliveCheck';
import { repository, say } from './cache';
import { chooseHost, type InHostRun } from './host';
import type { HostMessage, TestResult } from './results';
import { run } from './run';
import { copySample } from './sample';
import { recordTier } from './tierResults';
import { divide, filesOf, tierNamed, type Tier } from './tiers';

const output = join(repository, 'test-results/integration');
/** The time that an extension host may be silent. */
const patienceMs = Number(process.env['EASEL_TEST_PATIENCE_SECONDS'] || 180) * 1000;

async function main(): Promise<void> {
	const started = Date.now();
	await rm(output, { recursive: true, force: true });
	await mkdir(output, { recursive: true });
	const [name, ...named] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
	const { tier } = tierNamed(name);
	const files = named.length > 0 ? named : await filesOf(tier, process.env['EASEL_TEST_SHARD']);
	// Who has packed the extension has built it.
	if (!process.env['EASEL_TEST_VSIX']) await run(process.execPath, ['esbuild.mjs']);
	const compiled = await bundle(files);
	const host = chooseHost();
	await host.prepare();
	say(`${host.name}, ${files.length} test files`);
	const pairs = files.map((file, index) => [file, compiled[index]!] as const);
	// An extension host waits for its window half of the time: two keep two cores busy.
	const shares = await sharesOf(pairs, Number(process.env['EASEL_TEST_JOBS'] ?? tier.jobs));
	const runs = shares.map((share, index) => runInside(host, tier, share, String(index + 1)));
	const results = (await Promise.all(runs)).flat();

	const failed = results.filter(({ state }) => state === 'failed');
	if (failed.length > 0) say(`\nFailed:\n${failed.map(({ title }) => `  ${title}`).join('\n')}`);
	const executed = new Set(results.map((one) => one.file));
	const dead = findDeadTests(repository, named.length > 0 ? [] : files, executed);
	for (const complaint of dead) say(`dead test: ${complaint}`);
	await writeFile(join(output, 'results.json'), JSON.stringify(results, undefined, '\t'));
	const passed = results.length - failed.length;
	const seconds = ((Date.now() - started) / 1000).toFixed(1);
	say(`\n${passed} passed, ${failed.length} failed (${seconds} s)`);
	const failures = [...failed.map(({ title }) => title), ...dead];
	await recordTier(name!, { passed, failed: failures.length, failures, skipped: [] });
	if (failures.length > 0) process.exitCode = 1;
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

async function sharesOf(pairs: readonly Pair[], count: number): Promise<Pair[][]> {
	const sized = await Promise.all(
		pairs.map(async ([file]) => ({ file, size: (await stat(join(repository, file))).size })),
	);
	return divide(sized, count)
		.map((share) => pairs.filter(([file]) => share.some((one) => one.file === file)))
		.filter((share) => share.length > 0)
		.map((share) => share.toSorted(([one], [other]) => one.localeCompare(other)));
}

/** @param name of the run, for what is left of it where it does not come to its end */
async function runInside(
	host: ReturnType<typeof chooseHost>,
	tier: Tier,
	pairs: readonly Pair[],
	name: string,
): Promise<TestResult[]> {
	const reports = await listen();
	// The tests get a folder of their own to write into.
	const workspace = await copySample();
	let inHost: InHostRun | undefined;
	try {
		inHost = await host.runInExtensionHost({
			folder: workspace.folder,
			extensionPath: repository,
			otherExtensions: [join(repository, 'test/host/languages')],
			testsPath: join(repository, 'out/test/host/inHost/run.js'),
			env: {
				EASEL_TEST_PORT: `${reports.port}`,
				EASEL_TEST_FILES: JSON.stringify(pairs),
				...(tier.definedBy === 'rare' && { EASEL_TEST_RARE: '1' }),
			},
		});
		return await Promise.race([
			reports.results,
			inHost.ended.then(() => {
				throw new Error('The editor ended before its tests did.');
			}),
		]);
	} catch (error) {
		if (inHost) await diagnose(inHost, name);
		throw error;
	} finally {
		reports.close();
		await inHost?.close();
		workspace.remove();
	}
}

/** Listens for the extension host's reports, printing its lines as they come. */
async function listen() {
	const { promise, resolve, reject } = Promise.withResolvers<TestResult[]>();
	promise.catch(() => {}); // The start may fail before it is awaited.
	const results: TestResult[] = [];
	const print = byFile();
	let timer: NodeJS.Timeout;
	const expectMore = () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			const last = results.at(-1)?.title ?? 'none';
			reject(
				new Error(
					`The extension host reported nothing for ${patienceMs / 1000} s; last finished test: ${last}.`,
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

/** Prints the screenshot and logs of a run that did not end. */
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
