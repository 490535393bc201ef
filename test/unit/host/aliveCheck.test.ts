import * as assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findDeadTests, findSwitchedOff } from '../../host/aliveCheck';

suite('check for dead tests', () => {
	let root: string;

	setup(() => {
		root = mkdtempSync(join(tmpdir(), 'easel-alive-'));
		mkdirSync(join(root, 'unit/deep'), { recursive: true });
		writeFileSync(join(root, 'unit/one.test.ts'), "test('a', () => {});\n");
		writeFileSync(join(root, 'unit/deep/two.test.ts'), "test('b', () => {});\n");
		writeFileSync(join(root, 'unit/helper.ts'), 'export {};\n');
	});

	teardown(() => rmSync(root, { recursive: true }));

	const files = ['unit/one.test.ts', 'unit/deep/two.test.ts'];

	test('finds nothing when every file ran', () => {
		assert.deepEqual(findDeadTests(root, files, files), []);
	});

	test('names the file that did not run', () => {
		assert.deepEqual(findDeadTests(root, files, ['unit/one.test.ts']), [
			'unit/deep/two.test.ts did not execute any test.',
		]);
	});

	test('names the place of an only, although its file ran', () => {
		writeFileSync(join(root, 'unit/one.test.ts'), "// first\ntest.only('a', () => {});\n");
		assert.deepEqual(findDeadTests(root, files, files), ['unit/one.test.ts:2 has “test.only”.']);
	});

	test('finds every way to switch a test off', () => {
		const calls = (source: string) => findSwitchedOff(source).map(({ call }) => call);
		assert.deepEqual(calls("suite.skip('a', () => {});"), ['suite.skip']);
		assert.deepEqual(calls("describe\n\t.only('a', () => {});"), ['describe.only']);
		assert.deepEqual(calls("test('a', function () { this.skip(); });"), ['this.skip']);
	});

	test('leaves strings, comments and other objects alone', () => {
		assert.deepEqual(findSwitchedOff("// test.only\nconst text = 'test.skip'; list.skip(3);"), []);
	});
});
