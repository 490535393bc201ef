import assert from 'node:assert/strict';
import { LateHandlers } from '../../../src/editor/lateHandlers.js';

suite('editor › late handlers', () => {
	test('load the code once, with the first call, and are called with what was given', async () => {
		let loaded = 0;
		const late: LateHandlers = new LateHandlers(async () => {
			loaded += 1;
			await new Promise(setImmediate);
			late.set('hover', (...given: unknown[]) => given);
			late.set('command easel.setUp', () => Promise.reject(new Error('no')));
		});
		const [hover, setUp] = [late.of('hover'), late.of('command easel.setUp')];
		assert.equal(loaded, 0);
		assert.deepEqual(await Promise.all([hover(1, 2), hover()]), [[1, 2], []]);
		await assert.rejects(setUp(), /^Error: no$/);
		await late.ready();
		assert.equal(loaded, 1);
	});

	test('say that the code cannot be loaded, each time', async () => {
		const late = new LateHandlers(() => Promise.reject(new Error('not there')));
		for (let time = 0; time < 2; time += 1) {
			await assert.rejects(late.of('hover')(), /not there/);
		}
	});

	test('are there once, until they are disposed of', async () => {
		const late = new LateHandlers(() => Promise.resolve());
		const first = late.set('renames', () => 1);
		assert.throws(() => late.set('renames', () => 2), /“renames” has a handler already/);
		assert.equal(await late.of('renames')(), 1);
		first.dispose();
		await assert.rejects(late.of('renames')(), /no handler of the name “renames”/);
		late.set('renames', () => 3);
		assert.equal(await late.of('renames')(), 3);
	});
});
