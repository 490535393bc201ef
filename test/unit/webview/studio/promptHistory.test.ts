import assert from 'node:assert/strict';
import { PromptHistory } from '../../../../src/webview/studio/promptHistory';

const history = ['newest', 'older', 'oldest'];

suite('PromptHistory', () => {
	test('walks to the oldest and stays there, and back', () => {
		const walk = new PromptHistory();
		let value = '';
		const older = () => (value = walk.older(value, history) ?? value);
		assert.deepEqual([older(), older(), older(), older()], [...history, 'oldest']);
		assert.deepEqual([walk.newer(), walk.newer(), walk.newer()], ['older', 'newest', '']);
		assert.equal(walk.newer(), undefined, 'the arrow moves the cursor again');
	});

	test('does not begin where something is written, or with nothing to show', () => {
		const walk = new PromptHistory();
		assert.equal(walk.older('a fox', history), undefined);
		assert.equal(walk.older('', []), undefined);
		assert.equal(walk.newer(), undefined);
		assert.equal(walk.leave(), undefined);
	});

	test('Escape gives back what stood there', () => {
		const walk = new PromptHistory();
		walk.older('', history);
		walk.older('newest', history);
		assert.equal(walk.leave(), '');
		assert.equal(walk.isWalking, false);
		assert.equal(walk.older('', history), 'newest', 'and the next walk begins anew');
	});

	test('who changes what was found keeps it', () => {
		const walk = new PromptHistory();
		walk.older('', history);
		walk.stay();
		assert.equal(walk.older('newest, in red', history), undefined);
		assert.equal(walk.leave(), undefined);
	});

	test('a prompt that is sent meanwhile does not shift the walk', () => {
		const walk = new PromptHistory();
		assert.equal(walk.older('', history), 'newest');
		assert.equal(walk.older('newest', ['even newer', ...history]), 'older');
	});
});
