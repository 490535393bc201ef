import assert from 'node:assert/strict';
import { everything, type SavedState } from '../../../../src/protocol/studio';
import { savedStateOf, StateKeeper } from '../../../../src/webview/studio/stateKeeper';

function stateOf(prompt: string): SavedState {
	return { draft: { prompt, count: 1 }, query: everything };
}

const long = 'x'.repeat(30_000);

suite('StateKeeper', () => {
	test('keeps what people write at once', () => {
		const kept: string[] = [];
		const keeper = new StateKeeper(({ draft }) => kept.push(draft.prompt));
		keeper.keep(stateOf('a'));
		keeper.keep(stateOf('ab'));
		assert.deepEqual(kept, ['a', 'ab']);
	});

	test('what is long waits, and goes before the page does', () => {
		const kept: string[] = [];
		const keeper = new StateKeeper(({ draft }) => kept.push(draft.prompt));
		keeper.keep(stateOf(long));
		keeper.keep(stateOf(`${long}y`));
		assert.deepEqual(kept, []);
		keeper.flush();
		keeper.flush();
		assert.deepEqual(kept, [`${long}y`]);
	});

	test('what is long is kept when the typing pauses', async () => {
		const kept = await new Promise<SavedState>((resolve) => {
			new StateKeeper(resolve).keep(stateOf(long));
		});
		assert.equal(kept.draft.prompt, long);
	});

	test('a short state is not overwritten by a long one before it', () => {
		const kept: string[] = [];
		const keeper = new StateKeeper(({ draft }) => kept.push(draft.prompt));
		keeper.keep(stateOf(long));
		keeper.keep(stateOf('new'));
		keeper.flush();
		assert.deepEqual(kept, ['new']);
	});
});

const draft = { prompt: 'a harbor', count: 2, size: '1024x1024' };

suite('savedStateOf', () => {
	test('is what was kept', () => {
		const kept = { draft, query: { text: 'boat', among: 'kept' } };
		assert.deepEqual(savedStateOf(kept), kept);
	});

	test('of an earlier version, which knew no rounds, what somebody has written stays', () => {
		const kept = { draft, search: 'boat', shown: 'x' };
		assert.deepEqual(savedStateOf(kept), { draft, query: everything });
	});

	test('is nothing where that makes no sense', () => {
		for (const kept of [undefined, null, 'a', {}, { draft: { prompt: 7 } }]) {
			assert.equal(savedStateOf(kept), undefined);
		}
	});
});
