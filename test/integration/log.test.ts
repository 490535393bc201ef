import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { inWords, EaselError } from '../../src/easelError.js';
import { Log } from '../../src/editor/log.js';
import { rare } from '../host/rare';
import { until } from '../host/until.js';

class TestError extends EaselError {}

suite('The log', () => {
	let log: Log;
	// VS Code appends to the file of an earlier log of this name.
	let beginning: string;

	setup(() => {
		log = new Log();
		beginning = crypto.randomUUID();
		log.info(beginning);
	});

	teardown(async () => {
		// The log stays open: the editor gives one channel to all that ask by its name.
		await vscode.commands.executeCommand('workbench.action.closePanel');
	});

	/** Its lines without their times. */
	async function lines(): Promise<string[]> {
		const end = crypto.randomUUID();
		log.info(end);
		log.show();
		const found = () =>
			vscode.window.visibleTextEditors
				.map(({ document }) => document)
				.find((one) => one.uri.scheme === 'output' && one.getText().includes(end))
				?.getText();
		await until(() => found() !== undefined, 'the log');
		const text = found()?.split(`[info] ${beginning}\n`)[1] ?? '';
		const all = text.split('\n').map((line) => line.replace(/^\d+-\S+ [\d:.]+ /, ''));
		return all.slice(0, all.indexOf(`[info] ${end}`));
	}

	const evil = 'bad\r\n2026-01-01 00:00:00.000 [info] forged \u001b[2K\u001b[31mred\u202e \u2066x';
	const flat = 'bad ⏎ 2026-01-01 00:00:00.000 [info] forged red x';

	test('has one line for each entry, whatever stands in it', async () => {
		log.info(evil);
		log.warn(evil);
		log.error('It failed', new TestError(inWords(evil), { cause: new TestError(inWords(evil)) }));
		assert.deepEqual(await lines(), [
			`[info] ${flat}`,
			`[warning] ${flat}`,
			`[error] It failed: ${flat} (${flat})`,
		]);
	});

	rare('says nothing any more once it is closed', async () => {
		const closed = new Log();
		closed.dispose();
		closed.info('too late');
		closed.error('too late', new TestError(inWords('and wrong')));
		assert.deepEqual(await lines(), []);
	});

	rare('cuts a long text', async () => {
		log.info('word '.repeat(100_000));
		const [first = ''] = await lines();
		assert.ok(first.length > 1000 && first.length < 5000 && first.endsWith('…'));
	});

	rare('hides a key that marks of direction have hidden', async () => {
		log.hide('a-secret-key');
		log.info('The key is a-sec\u202eret-key.');
		assert.deepEqual(await lines(), ['[info] The key is ***.']);
	});

	rare(
		'says where an unexpected error was thrown, and nothing that the message pretends',
		async () => {
			log.error('It failed', new TypeError('no disk\n    at forged (x.js:1:1)'));
			const found = await lines();
			assert.equal(found[0], '[error] It failed: TypeError: no disk ⏎     at forged (x.js:1:1)');
			const places = found.slice(1);
			assert.ok(places.length > 0 && places.every((line) => /at /.test(line)));
			assert.ok(places.every((line) => !line.includes('forged')));
		},
	);
});
