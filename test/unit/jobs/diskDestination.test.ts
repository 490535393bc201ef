import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Destination } from '../../../src/jobs/deliver.js';
import { diskDestination } from '../../../src/jobs/diskDestination.js';
import { scratch as root, useScratch } from '../scratch.js';

suite('jobs › diskDestination', () => {
	useScratch();
	let source: string;
	let folder: string;
	let destination: Destination;

	setup(async () => {
		source = path.join(root, 'image');
		folder = path.join(root, 'new', 'images');
		await writeFile(source, 'an image');
		destination = diskDestination(folder, {
			names: () => ['a.png', 'a-2.png'],
			id: 'job',
			toUri: (file) => pathToFileURL(file).href,
			toPath: (uri) => fileURLToPath(uri),
		});
	});

	const onReserve = () => Promise.resolve();

	test('puts a file beside an image, once, and never over another one', async () => {
		const image = await destination.put(source, onReserve);
		const beside = path.join(folder, 'a.png.json');
		for (let round = 0; round < 2; round += 1) {
			await writeFile(path.join(root, 'recipe'), 'a recipe');
			// Left by a process that was killed.
			await writeFile(path.join(folder, '.easel-job-beside.part'), 'a rec');
			await destination.putBeside(path.join(root, 'recipe'), image, '.json');
			assert.equal(await readFile(beside, 'utf8'), 'a recipe');
			assert.deepEqual((await readdir(folder)).sort(), ['a.png', 'a.png.json']);
		}
		await writeFile(path.join(root, 'other'), 'other');
		const other = destination.putBeside(path.join(root, 'other'), image, '.json');
		await assert.rejects(other, /no file name is free/);
		assert.equal(await readFile(beside, 'utf8'), 'a recipe');
		assert.deepEqual((await readdir(folder)).sort(), ['a.png', 'a.png.json']);
	});

	test('removes what it needed besides, and nothing else', async () => {
		await destination.put(source, onReserve);
		await writeFile(path.join(folder, '.easel-job.part'), 'x');
		await writeFile(path.join(folder, '.easel-other.part'), 'x');
		await destination.tidy();
		assert.deepEqual((await readdir(folder)).sort(), ['.easel-other.part', 'a.png']);
	});
});
