// What it costs to receive a large image: `npm run bench:receiving`.
// Compares our way (decoded to disk while it arrives) with the plain one (collect, parse, decode),
// in one run, on the same answer, in processes of their own.
import { createReadStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { drawPicture } from '../service/picture.js';
import { padPng } from '../service/png.js';
import { medianApart, type Figures } from './apart.js';

const imageBytes = 24 * 1024 * 1024;
const mebibyte = 1024 * 1024;
const rounds = 5;

async function main(): Promise<void> {
	const [way, folder] = process.argv.slice(2);
	if (way !== undefined && folder !== undefined) {
		process.stdout.write(JSON.stringify(await measure(way, folder)));
		return;
	}
	const scratch = await mkdtemp(path.join(tmpdir(), 'easel-bench-'));
	try {
		const order = { prompt: 'a harbor', size: '3840x2160', references: [] };
		const image = padPng(await drawPicture(order), imageBytes).toString('base64');
		await writeFile(path.join(scratch, 'answer'), JSON.stringify({ data: [{ b64_json: image }] }));
		const [plain, ours] = ['plain', 'ours'].map((each) =>
			medianApart(__filename, [each, scratch], rounds),
		);
		if (plain === undefined || ours === undefined) {
			return;
		}
		process.stdout.write(`An image of 24 MiB, median of ${String(rounds)} runs each\n`);
		for (const [name, figures] of Object.entries({ plain, ours })) {
			process.stdout.write(
				`${name.padEnd(6)} ${figures.ms.toFixed(0).padStart(6)} ms  longest block ${figures.longestBlockMs.toFixed(0).padStart(4)} ms  memory +${figures.memoryMiB.toFixed(0)} MiB\n`,
			);
		}
		process.stdout.write(
			`ratio  ${(ours.ms / plain.ms).toFixed(2).padStart(6)}     ${(ours.longestBlockMs / plain.longestBlockMs).toFixed(2)} of the block, ${(ours.memoryMiB / plain.memoryMiB).toFixed(2)} of the memory\n`,
		);
	} finally {
		await rm(scratch, { recursive: true });
	}
}

async function measure(way: string, folder: string): Promise<Figures> {
	const { receiveImage } = await import('../../src/service/answer.js');
	const target = path.join(folder, `image-${way}`);
	// The first bytes load what is loaded once.
	await receiveImage(small(), target);
	const answer = createReadStream(path.join(folder, 'answer'));
	const before = process.memoryUsage().rss;
	let peak = before;
	const delays = monitorEventLoopDelay({ resolution: 1 });
	delays.enable();
	const startedAt = performance.now();
	async function* watched(): AsyncGenerator<Uint8Array> {
		for await (const piece of answer) {
			peak = Math.max(peak, process.memoryUsage.rss());
			yield piece as Uint8Array;
		}
	}
	if (way === 'ours') {
		await receiveImage(watched(), target);
	} else {
		const pieces: Uint8Array[] = [];
		for await (const piece of watched()) {
			pieces.push(piece);
		}
		const parsed = JSON.parse(Buffer.concat(pieces).toString('utf8')) as {
			data: { b64_json: string }[];
		};
		const bytes = Buffer.from(parsed.data[0]?.b64_json ?? '', 'base64');
		peak = Math.max(peak, process.memoryUsage.rss());
		await writeFile(target, bytes);
	}
	const ms = performance.now() - startedAt;
	await new Promise(setImmediate);
	delays.disable();
	peak = Math.max(peak, process.memoryUsage.rss());
	if ((await readFile(target)).length !== imageBytes) {
		throw new Error(`${way} did not receive the whole image.`);
	}
	return { ms, longestBlockMs: delays.max / 1e6, memoryMiB: (peak - before) / mebibyte };
}

// eslint-disable-next-line @typescript-eslint/require-await -- a body is read asynchronously
async function* small(): AsyncGenerator<Uint8Array> {
	yield Buffer.from('{"data":[{"b64_json":"aGk="}]}');
}

void main();
