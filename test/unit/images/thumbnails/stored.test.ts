import assert from 'node:assert/strict';
import { rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mock } from 'node:test';
import { storedThumbnail, thumbnailSize } from '../../../../src/images/thumbnails/stored.js';
import { webpChunk } from './pictures';
import { scratch as folder, useScratch } from '../../scratch.js';

/** A WebP of 5 × 3 pixels whose header is all that is read of it. */
const content = Buffer.alloc(22);
content.writeUIntLE(5 - 1, 4, 3);
content.writeUIntLE(3 - 1, 7, 3);
const whole = webpChunk(
	'RIFF',
	Buffer.concat([
		Buffer.from('WEBP', 'latin1'),
		webpChunk('VP8X', content.subarray(0, 10)),
		content,
	]),
);

suite('images › thumbnails › stored', () => {
	useScratch();
	let file: string;

	setup(() => {
		file = path.join(folder, 'a.webp');
	});

	teardown(() => {
		mock.restoreAll();
	});

	test('a thumbnail says its size', async () => {
		await writeFile(file, whole);
		assert.deepEqual(await storedThumbnail(file), { file, width: 5, height: 3 });
		assert.deepEqual(thumbnailSize(whole, whole.length), { width: 5, height: 3 });
		assert.deepEqual(thumbnailSize(whole.subarray(0, 30), whole.length), { width: 5, height: 3 });
	});

	test('one that is short, empty, longer than it says or no WebP is none', async () => {
		const other = Buffer.from(whole);
		other.write('WAVE', 8, 'latin1');
		for (const damaged of [
			whole.subarray(0, -1),
			whole.subarray(0, 4),
			Buffer.concat([whole, Buffer.of(0)]),
			Buffer.alloc(0),
			Buffer.alloc(whole.length),
			other,
		]) {
			await writeFile(file, damaged);
			assert.equal(await storedThumbnail(file), undefined);
		}
		await rm(file);
		assert.equal(await storedThumbnail(file), undefined);
	});

	test('its use is marked, once an hour, and a damaged one’s never', async () => {
		const used = async (agoMs: number, bytes: Buffer) => {
			await writeFile(file, bytes);
			const before = new Date(Date.now() - agoMs);
			await utimes(file, before, before);
			await storedThumbnail(file);
			return Date.now() - (await stat(file)).mtimeMs < agoMs - 60_000;
		};
		const hourMs = 3_600_000;
		assert.equal(await used(hourMs + 120_000, whole), true);
		assert.equal(await used(hourMs - 120_000, whole), false);
		assert.equal(await used(hourMs * 2, whole.subarray(0, -1)), false);
	});
});
