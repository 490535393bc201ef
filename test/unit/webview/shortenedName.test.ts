import assert from 'node:assert/strict';
import { divideName } from '../../../src/webview/shortenedName';

suite('divideName', () => {
	test('leaves short names whole', () => {
		assert.deepEqual(divideName('harbor-night.png'), ['harbor-night.png', '']);
		assert.deepEqual(divideName(''), ['', '']);
	});

	test('keeps the end of long names, where versions differ', () => {
		const name = 'a-lighthouse-at-dusk-flat-illustration-12.png';
		assert.deepEqual(divideName(name), ['a-lighthouse-at-dusk-flat-illustr', 'ation-12.png']);
	});

	test('never cuts what a reader takes for one character', () => {
		const [start, tail] = divideName('👩‍🚀'.repeat(30));
		assert.equal(start, '👩‍🚀'.repeat(18));
		assert.equal(tail, '👩‍🚀'.repeat(12));
	});
});
