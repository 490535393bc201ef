// What it costs to receive large images: our way (decoded to disk while they arrive) beside the plain
// one (collect, parse, decode, write), on the same answer, each in a process of its own.
import { createReadStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { drawPicture } from '../service/picture.js';
import { padPng } from '../service/png.js';
import { runApart, Watch } from './apart.js';
import type { Run } from './bench.js';

const imageBytes = 24 * 1024 * 1024;

type Way = 'ours' | 'plain';
type Figures = Awaited<ReturnType<Watch['end']>>;

export async function measure({ rounds, scratch, record }: Run): Promise<void> {
	const order = { prompt: 'a harbor', size: '3840x2160', references: [] };
	const image = padPng(await drawPicture(order), imageBytes).toString('base64');
	const write = (name: string, base64: string) =>
		writeFile(path.join(scratch, name), JSON.stringify({ data: [{ b64_json: base64 }] }));
	await write('answer', image);
	await write('small', 'aGk=');
	for (let round = 0; round < rounds; round++) {
		const run = (way: Way) => runApart<Figures>(__filename, [scratch, way]);
		const [ours, plain] = [run('ours'), run('plain')];
		record('one', ours.ms, plain.ms);
		record('oneMemory', ours.memoryMiB, plain.memoryMiB);
		record('oneBlock', ours.maxBlockMs, plain.maxBlockMs);
	}
}

async function receive(folder: string, way: Way): Promise<Figures> {
	const { receiveImage } = await import('../unit/service/receive.js');
	const receiveIn = { ours: receiveImage, plain: receivePlainly }[way];
	// The first bytes load what is loaded once.
	await receiveIn(createReadStream(path.join(folder, 'small')), path.join(folder, 'image'));
	const target = path.join(folder, 'image');
	const watch = new Watch();
	await receiveIn(createReadStream(path.join(folder, 'answer')), target);
	const figures = await watch.end();
	if ((await readFile(target)).length !== imageBytes) {
		throw new Error(`${way} did not receive the whole image.`);
	}
	return figures;
}

async function receivePlainly(body: AsyncIterable<Uint8Array>, target: string): Promise<void> {
	const pieces: Uint8Array[] = [];
	for await (const piece of body) {
		pieces.push(piece);
	}
	const parsed = JSON.parse(Buffer.concat(pieces).toString('utf8')) as {
		data: { b64_json: string }[];
	};
	await writeFile(target, Buffer.from(parsed.data[0]!.b64_json, 'base64'));
}

if (require.main === module) {
	const [, , folder = '', way = ''] = process.argv;
	void receive(folder, way as Way).then((figures) => process.stdout.write(JSON.stringify(figures)));
}
