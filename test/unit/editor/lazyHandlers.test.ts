import assert from 'node:assert/strict';
import { LazyHandlers } from '../../../src/editor/lazyHandlers.js';

suite('editor › lazy handlers', () => {
	test('load the code once, with the first call, and are called with what was given', async () => {
		let loaded = 0;
		const lazy: LazyHandlers = new LazyHandlers(async () => {
			loaded += 1;
			await new Promise(setImmediate);
			lazy.register('hover', (...given: unknown[]) => given);
			lazy.register('command easel.setUp', () => Promise.reject(new Error('no')));
		});
		const [hover, setUp] = [lazy.proxy('hover'), lazy.proxy('command easel.setUp')];
		assert.equal(loaded, 0);
		assert.deepEqual(await Promise.all([hover(1, 2), hover()]), [[1, 2], []]);
		await assert.rejects(setUp(), /^Error: no$/);
		await lazy.load();
		assert.equal(loaded, 1);
	});

	test('say that the code cannot be loaded, each time', async () => {
		const lazy = new LazyHandlers(() => Promise.reject(new Error('not there')));
		for (let time = 0; time < 2; time += 1) {
			await assert.rejects(lazy.proxy('hover')(), /not there/);
		}
	});

	test('are there once, until they are disposed of', async () => {
		const lazy = new LazyHandlers(() => Promise.resolve());
		const first = lazy.register('renames', () => 1);
		assert.throws(() => lazy.register('renames', () => 2), /“renames” has a handler already/);
		assert.equal(await lazy.proxy('renames')(), 1);
		first.dispose();
		await assert.rejects(lazy.proxy('renames')(), /no handler of the name “renames”/);
		lazy.register('renames', () => 3);
		assert.equal(await lazy.proxy('renames')(), 3);
	});
});
