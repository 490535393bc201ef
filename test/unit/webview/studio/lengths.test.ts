import assert from 'node:assert/strict';
import { tooLong } from '../../../../src/webview/studio/lengths';

suite('tooLong', () => {
	test('says by how much, and nothing of what fits', () => {
		assert.equal(tooLong('x'.repeat(100), 100), undefined);
		assert.equal(tooLong('', 100), undefined);
		assert.equal(tooLong('x'.repeat(101), 100), 'Too long by 1 character; not saved.');
		assert.equal(tooLong('x'.repeat(1300), 100), 'Too long by 1,200 characters; not saved.');
	});
});
