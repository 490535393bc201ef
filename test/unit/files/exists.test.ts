import assert from 'node:assert/strict';
import fs, { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import { exists, isFolderGone } from '../../../src/files/exists.js';
import { useFolder } from '../scratch.js';

const refusal = (code: string) => Object.assign(new Error('refused'), { code });

suite('files › exists', () => {
	const at = useFolder();
	let file: string;

	setup(async () => {
		file = at('file');
		await writeFile(file, '');
	});

	test('a file is there, and a folder, and nothing else', async () => {
		assert.equal(await exists(file), true);
		assert.equal(await exists(at()), true);
		assert.equal(await exists(at('other')), false);
		assert.equal(await exists(path.join(file, 'below')), false);
	});

	test('what could not be looked at is neither there nor gone', async () => {
		await assert.rejects(exists('no\0name'), { code: 'ERR_INVALID_ARG_VALUE' });
	});

	test('a refusal that may pass is waited out', async () => {
		mock.method(fs, 'stat', () => {
			mock.restoreAll();
			return Promise.reject(refusal('EMFILE'));
		});
		assert.equal(await exists(file), true);
	});

	test('an error says that a folder is gone where it is not there, and so it is', async () => {
		const gone = at('gone');
		for (const [code, looked, said] of [
			['ENOENT', gone, true],
			// Something in it is not there.
			['ENOENT', at(), false],
			['EIO', gone, false],
			['ENOENT', 'no\0name', false],
		] as const) {
			assert.equal(await isFolderGone(refusal(code), looked), said, `${code} ${looked}`);
		}
	});
});
