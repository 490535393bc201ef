import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';
import { maxFileBytes, maxPictureSide, maxPixels } from '../../src/images/thumbnails/order.js';
import { seeded } from '../unit/images/random.js';
import { bundleWorker } from '../unit/images/thumbnails/bundle.js';
import { lineLength, pngOf, type PngKind } from '../unit/images/thumbnails/pictures.js';
import { rare } from '../host/rare.js';

const mebibyte = 1024 * 1024;

/** Above what the process has taken before, in bytes. Several windows may do this at once. */
const maxMemory = 100 * mebibyte;

/** Runs in a process of its own, with the worker as the extension host has it. */
const measuring = `
	const { readFileSync, writeFileSync } = require('node:fs');
	const { once } = require('node:events');
	const { Worker } = require('node:worker_threads');
	const [script, path, file] = process.argv.slice(1);
	const read = (key) => 1024 * Number(new RegExp(key + ':\\\\s+(\\\\d+)').exec(readFileSync('/proc/self/status', 'utf8'))[1]);
	void (async () => {
		const worker = new Worker(script);
		const ask = async (make) => {
			worker.postMessage({ make });
			return (await once(worker, 'message'))[0];
		};
		const order = { file, maxSide: 256, quality: 80, memoryLimit: 640 * 1024 * 1024 };
		// It has loaded all that it needs.
		await ask({ ...order, path: path + '.small', file: file + '.small' });
		writeFileSync('/proc/self/clear_refs', '5');
		const before = read('VmRSS');
		const answer = await ask({ ...order, path });
		console.log(JSON.stringify({ answer, bytes: read('VmHWM') - before }));
		await worker.terminate();
	})();
`;

// Only Linux knows the peak of a process's memory.
if (process.platform === 'linux') {
	suite('the memory that a thumbnail takes', () => {
		let folder: string;
		let script: string;

		suiteSetup(async () => {
			folder = await mkdtemp(path.join(tmpdir(), 'easel-memory-'));
			script = path.join(folder, 'thumbnails.js');
			await bundleWorker(script);
		});

		suiteTeardown(() => rm(folder, { recursive: true, maxRetries: 10 }));

		interface Measured {
			readonly answer: { readonly made?: object; readonly problem?: string };
			readonly bytes: number;
		}

		async function measure(name: string, image: Buffer): Promise<Measured> {
			const file = path.join(folder, name);
			await writeFile(file, image);
			await writeFile(`${file}.small`, pngOf(rgba16(8, 8), lines(rgba16(8, 8))));
			const { stdout } = await promisify(execFile)(process.execPath, [
				...['-e', measuring],
				...[script, file, path.join(folder, 'cache', crypto.randomUUID())],
			]);
			const measured = JSON.parse(stdout) as Measured;
			console.log(`      ${name}: ${(measured.bytes / mebibyte).toFixed(0)} MiB`);
			assert.ok(measured.bytes < maxMemory, `${name}: ${String(measured.bytes)} bytes`);
			return measured;
		}

		const rgba16 = (width: number, height: number): PngKind => ({
			...{ width, height },
			...({ colorType: 6, bitDepth: 16 } as const),
		});

		function lines(kind: PngKind): Buffer {
			return Buffer.alloc((1 + lineLength(kind, kind.width)) * kind.height);
		}

		test('does not grow with a line too long to draw', async () => {
			// Of the pixels themselves a few bytes are enough: what is held is made before them.
			const wide = pngOf(rgba16(maxPixels, 1), Buffer.alloc(0), deflateSync(Buffer.alloc(1000)));
			const { answer } = await measure(`${String(maxPixels)} × 1`, wide);
			assert.equal(answer.problem, 'tooLarge');
		});

		test('is small for the widest picture', async () => {
			const kind = rgba16(maxPictureSide, 20);
			const { answer } = await measure(`${String(maxPictureSide)} × 20`, pngOf(kind, lines(kind)));
			assert.ok(answer.made, JSON.stringify(answer));
		});

		rare('is bounded for the largest file', async () => {
			const kind = rgba16(2300, 2250);
			const random = seeded(1);
			const noise = lines(kind).map((_, at) =>
				at % (1 + lineLength(kind, kind.width)) === 0 ? 0 : random() * 256,
			);
			const image = pngOf(kind, Buffer.from(noise), deflateSync(noise, { level: 0 }));
			assert.ok(image.length > maxFileBytes * 0.9 && image.length <= maxFileBytes);
			const { answer } = await measure('2300 × 2250, not compressed', image);
			assert.ok(answer.made, JSON.stringify(answer));
		});
	});
}
