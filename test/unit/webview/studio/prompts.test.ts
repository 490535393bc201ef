import assert from 'node:assert/strict';
import { beginningOf } from '../../../../src/webview/studio/prompts';

suite('beginningOf', () => {
	test('is the first line that has words', () => {
		assert.equal(beginningOf('a harbor at night'), 'a harbor at night');
		assert.equal(beginningOf('\n  \r\n a harbor \nat night'), 'a harbor');
		assert.equal(beginningOf(''), '');
		assert.equal(beginningOf(' \n '), '');
	});

	test('is short, and cut between characters', () => {
		assert.equal(beginningOf('a'.repeat(160)), 'a'.repeat(160));
		assert.equal(beginningOf('a'.repeat(161)), `${'a'.repeat(160)}…`);
		assert.equal(beginningOf('🚢'.repeat(1000)), `${'🚢'.repeat(160)}…`);
	});
});
