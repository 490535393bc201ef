import assert from 'node:assert/strict';
import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { imagesIn, TooManyImagesError } from '../../../../src/features/recipes/imagesIn.js';
import { scratch as folder, useScratch } from '../../scratch.js';

suite('The images of a folder', () => {
	useScratch();
	async function fill(count: number): Promise<void> {
		await writeFile(path.join(folder, 'first.png'), 'x');
		for (let index = 1; index < count; index += 1) {
			const deep = path.join(folder, String(index % 100), 'deep');
			if (index <= 100) {
				await mkdir(deep, { recursive: true });
			}
			await link(path.join(folder, 'first.png'), path.join(deep, `${String(index)}.png`));
		}
	}

	test('are all found, ten thousand of them too', async () => {
		await fill(10_000);
		const { files, unreadable } = await imagesIn(folder);
		assert.deepEqual([files.length, new Set(files).size, unreadable], [10_000, 10_000, 0]);
	}).timeout(30_000);

	test('are not a part of those that there are: more are refused, by the name of the folder', async () => {
		await fill(12);
		assert.equal((await imagesIn(folder, 12)).files.length, 12);
		await assert.rejects(
			imagesIn(folder, 11),
			(error) =>
				error instanceof TooManyImagesError &&
				error.message.startsWith(`${path.basename(folder)} has more than 11 images,`),
		);
	});

	test('are those of their names alone, not what packages, git or links lead to', async () => {
		for (const name of ['node_modules', '.git', 'A', 'link.png']) {
			await mkdir(path.join(folder, name));
			await writeFile(path.join(folder, name, 'a.PNG'), '');
		}
		for (const name of ['b.jpg', 'c.JPEG', 'd.WebP', 'e.gif', 'f.jpgs', 'jpg', 'a.png.json']) {
			await writeFile(path.join(folder, name), '');
		}
		if (process.platform !== 'win32') {
			await symlink(path.join(folder, 'A'), path.join(folder, 'other'));
			await symlink(path.join(folder, 'A', 'a.PNG'), path.join(folder, 'b.png'));
		}
		const { files } = await imagesIn(folder);
		assert.deepEqual(
			files.map((file) => path.relative(folder, file)),
			[path.join('A', 'a.PNG'), 'b.jpg', 'c.JPEG', 'd.WebP', path.join('link.png', 'a.PNG')],
		);
	});

	test('are said to be unknown where a folder cannot be read', async () => {
		assert.deepEqual(await imagesIn(path.join(folder, 'gone')), { files: [], unreadable: 1 });
	});
});
