import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { showSystemNotification } from '../../../src/editor/systemNotification.js';
import { scratch as folder, useScratch } from '../scratch.js';

/** Arguments, input and environment of a program. */
interface Run {
	readonly args: readonly string[];
	readonly cwd: string;
	readonly text: string | undefined;
	readonly keys: readonly string[];
}

const hostile = '-e "$(touch x)" \'; `touch x` & <b>bold</b> \\ %PATH% $env:PATH — 図';

// Windows runs no script for a program.
if (process.platform !== 'win32') {
	suite('editor › systemNotification', () => {
		useScratch();
		let record: string;

		setup(() => {
			record = path.join(folder, 'run.json');
		});

		/** Puts a program there that notes what it is run with, and then ends like this. */
		async function install(name: string, ending = ''): Promise<NodeJS.ProcessEnv> {
			const program = path.join(folder, name);
			const body = [
				`#!${process.execPath}`,
				`const run = { args: process.argv.slice(2), cwd: process.cwd(), text: process.env.EASEL_NOTIFICATION_TEXT, keys: Object.keys(process.env) };`,
				`require('node:fs').writeFileSync(${JSON.stringify(record)}, JSON.stringify(run));`,
				ending,
			];
			await mkdir(path.dirname(program), { recursive: true });
			await writeFile(program, body.join('\n'));
			await chmod(program, 0o700);
			return { PATH: folder, SystemRoot: folder };
		}

		async function run(): Promise<Run> {
			return JSON.parse(await readFile(record, 'utf8')) as Run;
		}

		test('passes the text as it is, as an argument, on macOS', async () => {
			await showSystemNotification(hostile, 'darwin', await install('osascript'));
			const { args, cwd } = await run();
			assert.deepEqual(args, [
				'-e',
				'on run argv',
				'-e',
				'display notification (item 2 of argv) with title (item 1 of argv)',
				'-e',
				'end run',
				'Easel',
				hostile,
			]);
			assert.equal(cwd, homedir());
		});

		test('passes the text behind the options, without its markup, on Linux and other systems', async () => {
			for (const system of ['linux', 'freebsd'] as const) {
				await showSystemNotification(hostile, system, await install('notify-send'));
				assert.deepEqual((await run()).args, [
					'--app-name',
					'Easel',
					'--',
					'Easel',
					hostile.replace('&', '&amp;').replace('<b>', '&lt;b&gt;').replace('</b>', '&lt;/b&gt;'),
				]);
			}
		});

		test('passes nothing of the text to the script, but by the environment, on Windows', async () => {
			const name = String.raw`\System32\WindowsPowerShell\v1.0\powershell.exe`;
			// Here that is the name of one file; on Windows a script cannot stand for a program.
			// On other systems that is the end of one file's name.
			const env = await install(`../${path.basename(folder)}${name}`);
			try {
				await showSystemNotification(hostile, 'win32', env);
				const { args, text } = await run();
				assert.equal(text, hostile);
				assert.deepEqual(args.slice(0, 3), ['-NoProfile', '-NonInteractive', '-Command']);
				assert.equal(args.length, 4);
				assert.ok(!args.join().includes('touch'));
				// What is quoted so goes through Windows' own rules for arguments as it is.
				assert.ok(!args.join().includes('"'));
			} finally {
				await rm(`${folder}${name}`, { force: true });
			}
		});

		test('keeps the API key from the program, and gives it what it needs to reach the desktop', async () => {
			const bus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus', DISPLAY: ':0' };
			for (const [system, name] of [
				['linux', 'notify-send'],
				['darwin', 'osascript'],
			] as const) {
				const env = { ...(await install(name)), ...bus, EASEL_API_KEY: 'k1', easel_api_key: 'k2' };
				await showSystemNotification('1 image saved', system, env);
				const { keys } = await run();
				assert.deepEqual(
					keys.filter((key) => /api_key/i.test(key)),
					[],
				);
				assert.ok(keys.includes('DBUS_SESSION_BUS_ADDRESS') && keys.includes('DISPLAY'));
			}
		});

		test('fails where the system has no such program', async () => {
			await assert.rejects(
				showSystemNotification('1 image saved', 'linux', { PATH: folder }),
				/ENOENT/,
			);
		});
	});
}
