// Runs inside the extension host: mocha over the compiled integration tests, reporting to the
// runner over a socket, because the extension host has no visible output.
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import Mocha from 'mocha';
import { version } from 'vscode';
import { rareTag } from '../rare';
import type { HostMessage } from '../results';

/**
 * VS Code calls this. Environment: `EASEL_TEST_PORT`, where the runner listens, and
 * `EASEL_TEST_FILES`, a JSON list of `[source, compiled]` with absolute compiled paths;
 * `EASEL_TEST_RARE` for the rare tests instead of all others.
 */
export async function run(): Promise<void> {
	const runner = await connectToRunner();
	const report = (message: HostMessage) => runner.write(`${JSON.stringify(message)}\n`);
	report({ type: 'started', version });
	try {
		report({ type: 'end', failures: await runMocha(report) });
	} catch (error) {
		report({ type: 'error', text: textOf(error) });
	}
	await new Promise<void>((resolve) => runner.end(resolve));
}

function connectToRunner(): Promise<Socket> {
	const socket = connect(Number(process.env['EASEL_TEST_PORT']), '127.0.0.1');
	return new Promise((resolve, reject) => {
		socket.once('connect', () => resolve(socket));
		socket.once('error', reject);
	});
}

function runMocha(send: (message: HostMessage) => void): Promise<number> {
	process.setSourceMapsEnabled(true);
	const files = JSON.parse(process.env['EASEL_TEST_FILES']!) as [string, string][];
	const sources = new Map(files.map(([source, compiled]) => [join(compiled), source]));
	const mocha = new Mocha({
		ui: 'tdd',
		timeout: 60_000,
		forbidOnly: true,
		forbidPending: true,
		reporter: class {
			constructor(runner: Mocha.Runner) {
				runner.on('suite', (suite) => {
					if (suite.title) send({ type: 'line', text: `${indent(suite)}${suite.title}` });
				});
				runner.on('pass', (test) => report(test));
				// Hooks fail here, too; they have no “test end” of their own.
				runner.on('fail', (test, error: unknown) => report(test, error));
			}
		} as unknown as Mocha.ReporterConstructor,
	});
	const report = (test: Mocha.Test, error?: unknown) => {
		const passed = error === undefined;
		const file = sources.get(join(test.file ?? '')) ?? test.file ?? '';
		const durationMs = test.duration ?? 0;
		send({
			type: 'line',
			text: `${indent(test.parent)}  ${passed ? '✓' : '✗'} ${test.title} (${durationMs} ms)`,
		});
		send({
			type: 'test',
			result: {
				file,
				title: test.fullTitle(),
				state: passed ? 'passed' : 'failed',
				durationMs,
				...(passed ? {} : { error: textOf(error) }),
			},
		});
	};
	mocha.grep(rareTag);
	if (!process.env['EASEL_TEST_RARE']) mocha.invert();
	for (const [, compiled] of files) mocha.addFile(compiled);
	return new Promise((resolve) => mocha.run(resolve));
}

function indent(suite: Mocha.Suite | undefined): string {
	return suite?.parent ? `  ${indent(suite.parent)}` : '';
}

function textOf(error: unknown): string {
	return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
