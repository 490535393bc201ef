import assert from 'node:assert/strict';
import { ignoresCase, ignoresCaseOn } from '../../../src/documents/gitignore.js';

// What the rules mean is tested in `scan.test.ts`, beside git itself.
suite('documents › gitignore', () => {
	test('takes names for the same that differ in their letter case, where the system does', () => {
		for (const [system, expected] of [
			['win32', true],
			['darwin', true],
			['linux', false],
			['freebsd', false],
		] as const) {
			assert.equal(ignoresCaseOn(system), expected, system);
		}
		assert.equal(ignoresCase, ignoresCaseOn(process.platform));
	});
});
