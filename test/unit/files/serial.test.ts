import assert from 'node:assert/strict';
import { Serial } from '../../../src/files/serial.js';

suite('files › serial', () => {
	test('runs the tasks of a key in their order, whatever fails, and others beside them', async () => {
		const serial = new Serial();
		const events: string[] = [];
		const gate = Promise.withResolvers<void>();
		const task = (name: string, until = Promise.resolve()) =>
			serial.run(async () => {
				events.push(`begin ${name}`);
				await until;
				events.push(`end ${name}`);
				return name;
			}, name.charAt(0));
		const failing = task(
			'a1',
			gate.promise.then(() => Promise.reject(new Error('no'))),
		);
		const second = task('a2');
		assert.equal(await task('b1'), 'b1');
		assert.deepEqual(events, ['begin a1', 'begin b1', 'end b1']);
		gate.resolve();
		await assert.rejects(failing, /no/);
		assert.equal(await second, 'a2');
		assert.deepEqual(events.slice(3), ['begin a2', 'end a2']);
	});

	test('is settled when all of its tasks have ended', async () => {
		const serial = new Serial();
		let ended = 0;
		for (const key of ['a', 'a', 'b']) {
			void serial.run(async () => {
				await new Promise(setImmediate);
				ended += 1;
			}, key);
		}
		await serial.settled();
		assert.equal(ended, 3);
	});
});
