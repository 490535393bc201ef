import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { copyFlushed } from '../../src/files/copyFlushed.js';
import { maxImageBytes } from '../../src/images/inspect.js';
import { ownFolder, sha256OfBytes } from './support.js';

suite('files › copyFlushed', () => {
	const folder = ownFolder();

	const at = (name: string) => path.join(folder.path, name);

	test('of a link, what it leads to is copied, with the mode that is asked for', async () => {
		const bytes = randomBytes(1_000_001);
		await writeFile(at('a.png'), bytes, { mode: 0o777 });
		await symlink(at('a.png'), at('one'));
		await symlink(at('one'), at('link.png'));
		const sha256 = await copyFlushed(at('link.png'), at('copy'), { mode: 0o600 });
		assert.equal(sha256, sha256OfBytes(bytes));
		const found = await lstat(at('copy'));
		assert.ok(found.isFile());
		if (process.platform !== 'win32') {
			assert.equal(found.mode & 0o777, 0o600);
		}
		assert.ok(bytes.equals(await readFile(at('copy'))));
	});

	test('what can be no image is not copied', async () => {
		const options = { mode: 0o600, maxBytes: maxImageBytes };
		await writeFile(at('huge'), '');
		await truncate(at('huge'), maxImageBytes + 1);
		await assert.rejects(copyFlushed(at('huge'), at('copy-1'), options), { code: 'TooLarge' });
		await mkdir(at('folder'));
		await assert.rejects(copyFlushed(at('folder'), at('copy-2'), options), { code: 'NotRegular' });
	});
});
