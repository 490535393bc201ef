import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Thread } from '../../../../src/images/thumbnails/thread.js';
import { bundleWorker } from './bundle';
import { pngOf } from './pictures';

const aMinuteMs = 60_000;

suite('images › thumbnails › worker', () => {
	let scratch: string;
	let cache: string;
	let thread: Thread;

	suiteSetup(async () => {
		scratch = await mkdtemp(path.join(tmpdir(), 'easel-worker-'));
		await bundleWorker(path.join(scratch, 'worker.js'));
	});

	suiteTeardown(() => rm(scratch, { recursive: true }));

	setup(() => {
		cache = path.join(scratch, crypto.randomUUID());
		thread = new Thread(path.join(scratch, 'worker.js'));
	});

	teardown(() => thread.end());

	const make = (file: string) =>
		thread.do(
			{
				make: {
					path: file,
					file: path.join(cache, `${path.basename(file)}.webp`),
					maxSide: 256,
					quality: 80,
					memoryLimit: 64 * 1024 * 1024,
				},
			},
			aMinuteMs,
		);

	const sweep = (files: number) =>
		thread.do({ sweep: { folder: cache, bounds: { bytes: 1000, files } } }, aMinuteMs);

	test('makes thumbnails, and says where there is none', async () => {
		const file = path.join(scratch, 'a.png');
		await writeFile(
			file,
			pngOf({ width: 2, height: 1, colorType: 0, bitDepth: 8 }, Buffer.of(0, 0, 255)),
		);
		const answer = await make(file);
		assert.ok('made' in answer);
		assert.deepEqual([answer.made.width, answer.made.height], [2, 1]);
		assert.deepEqual(await readdir(cache), [path.basename(answer.made.file)]);
		const other = await make(path.join(scratch, 'gone.png'));
		assert.equal('problem' in other && other.problem, 'unreadable');
	});

	test('sweeps their folder, and goes on where it cannot', async () => {
		assert.deepEqual(await sweep(1), { swept: true }, 'there is no folder yet');
		await mkdir(cache);
		await writeFile(path.join(cache, `${'0'.repeat(64)}-256.webp`), '');
		assert.deepEqual(await sweep(1), { swept: true });
		assert.equal((await readdir(cache)).length, 1);
		assert.deepEqual(await sweep(0), { swept: true });
		assert.equal((await readdir(cache)).length, 0);
	});
});
