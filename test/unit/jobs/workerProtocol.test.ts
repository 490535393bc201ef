import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { toMessageLine } from '../../../src/jobs/messageLines.js';
import { commandSchema, receive } from '../../../src/jobs/workerProtocol.js';

suite('jobs › worker protocol', () => {
	test('a message is one line, whatever its reader takes for the end of one', () => {
		const message = { folder: 'a\u2028b\u2029c\nd' };
		const line = toMessageLine(message);
		assert.doesNotMatch(line, /[\u2028\u2029]|\n./);
		assert.deepEqual(JSON.parse(line), message);
	});

	test('messages are heard one by one, wherever they are cut, and what is none is not', async () => {
		const stream = new PassThrough();
		const heard: unknown[] = [];
		receive(stream, commandSchema, (message) => heard.push(message));
		const text = `{"type":"cancel"}\nsoup\n{"type":"soup"}\n\n${toMessageLine({ type: 'answer', again: false })}`;
		for (const character of text) {
			stream.write(character);
		}
		stream.end();
		await once(stream, 'close');
		await new Promise(setImmediate);
		assert.deepEqual(heard, [{ type: 'cancel' }, { type: 'answer', again: false }]);
	});

	test('a line without an end is given up, and not gathered', async () => {
		const stream = new PassThrough();
		const heard: unknown[] = [];
		receive(stream, commandSchema, (message) => heard.push(message));
		stream.write('{"type":"cancel"}\n');
		const closed = once(stream, 'close');
		const piece = 'x'.repeat(1024 * 1024);
		let written = 0;
		for (; !stream.destroyed; written += 1) {
			stream.write(piece);
			await new Promise(setImmediate);
		}
		await closed;
		assert.ok(written < 32, `${String(written)} MiB`);
		assert.deepEqual(heard, [{ type: 'cancel' }]);
	});

	test('a stream that breaks is not the end of the process', async () => {
		const stream = new PassThrough();
		receive(stream, commandSchema, () => undefined);
		const broken = new Promise((resolve) => stream.once('error', resolve));
		stream.destroy(new Error('ECONNRESET'));
		await broken;
		await new Promise(setImmediate);
	});
});
