import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sha256Of } from '../../../src/images/hash.js';
import { scratch as folder, useScratch } from '../scratch.js';

suite('images › hash', () => {
	useScratch();
	test('is the SHA-256 of all bytes, however many there are', async () => {
		const file = path.join(folder, 'file');
		for (const length of [0, 1, 256 * 1024 - 1, 256 * 1024, 256 * 1024 + 1, 700_000]) {
			const bytes = randomBytes(length);
			await writeFile(file, bytes);
			assert.equal(await sha256Of(file), createHash('sha256').update(bytes).digest('hex'));
		}
	});

	test('is none of a file that is not there', () =>
		assert.rejects(sha256Of(path.join(folder, 'gone')), { code: 'ENOENT' }));

	test('is none of a file that is larger than it may be', async () => {
		const file = path.join(folder, 'file');
		await writeFile(file, 'xx');
		await assert.rejects(sha256Of(file, 1), { code: 'TooLarge' });
		assert.equal(await sha256Of(file, 2), await sha256Of(file));
	});
});
