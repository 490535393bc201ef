// What it costs to send many reference images: our worker (files are streamed from disk) beside the
// plain way (read, then send), each in a process of its own. Linux only: it reads the peak of a
// process's memory in /proc.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { followJob } from '../../src/jobs/follow.js';
import { Journal } from '../../src/jobs/journal.js';
import type { Reference } from '../../src/jobs/request.js';
import { startWorker } from '../../src/jobs/workerProcess.js';
import { bundledWorker } from '../process/support.js';
import { inputFor, requestOf } from '../unit/jobs/support.js';
import { drawPicture } from '../service/picture.js';
import { startImageService, type ImageService } from '../service/server.js';
import type { Run } from './bench.js';

const key = 'bench-key';
const count = 50;
const bytesEach = 10 * 1024 * 1024;

export async function measure({ rounds, scratch, record }: Run): Promise<void> {
	const service = await startImageService({ key });
	try {
		const worker = await bundledWorker();
		const few = await writeReferences(path.join(scratch, 'few'), 1, 10 * 1024);
		const many = await writeReferences(path.join(scratch, 'many'), count, bytesEach);
		for (let round = 0; round < rounds; round++) {
			const ours = {
				few: await oursHeld(service, worker, scratch, few),
				many: await oursHeld(service, worker, scratch, many),
			};
			const plain = {
				few: await plainHeld(service, scratch, few),
				many: await plainHeld(service, scratch, many),
			};
			record(
				'memory',
				ours.many.peakMiB - ours.few.peakMiB,
				plain.many.peakMiB - plain.few.peakMiB,
			);
			record('time', ours.many.ms, plain.many.ms);
		}
	} finally {
		await service.close();
	}
}

/** Real PNG images, made as long as wanted by noise behind their end. */
async function writeReferences(folder: string, many: number, bytes: number): Promise<Reference[]> {
	await mkdir(folder);
	const picture = await drawPicture({ prompt: 'parts', size: '1024x1024', references: [] });
	const references: Reference[] = [];
	for (let index = 0; index < many; index += 1) {
		const file = path.join(folder, `${String(index)}.png`);
		const content = Buffer.concat([picture, randomBytes(Math.max(0, bytes - picture.length))]);
		await writeFile(file, content);
		references.push({
			path: file,
			source: `file://${file}`,
			fileName: path.basename(file),
			contentType: 'image/png',
			width: 1024,
			height: 1024,
			bytes: content.length,
			sha256: '',
		});
	}
	return references;
}

async function oursHeld(
	service: ImageService,
	worker: string,
	scratch: string,
	references: Reference[],
): Promise<Held> {
	const request = requestOf({ operation: 'edit', prompt: 'all of them', references });
	const entry = await new Journal(path.join(scratch, 'jobs')).create(request);
	return untilHeld(service, async () => {
		const { address } = service;
		const change = { timeoutMs: 600_000, retry: 'never' } as const;
		const input = inputFor(entry, { address, key }, change);
		const pid = await startWorker({ script: worker, input });
		const done = followJob(
			entry,
			new AbortController().signal,
			() => undefined,
			() => Promise.resolve(false),
		);
		return { pid, done };
	});
}

async function plainHeld(
	service: ImageService,
	scratch: string,
	references: Reference[],
): Promise<Held> {
	const script = path.join(scratch, 'plain.mjs');
	await writeFile(
		script,
		`import { readFile } from 'node:fs/promises';
		const [address, key, ...files] = process.argv.slice(2);
		const form = new FormData();
		for (const [name, value] of Object.entries({ model: 'std-image-2', prompt: 'all of them', n: '1', response_format: 'b64_json', output_format: 'png' })) form.append(name, value);
		for (const file of files) form.append(files.length > 1 ? 'image[]' : 'image', new Blob([await readFile(file)], { type: 'image/png' }), 'a.png');
		const response = await fetch(address + '/v1/images/edits', { method: 'POST', body: form, headers: { authorization: 'Bearer ' + key } });
		await response.text();`,
	);
	return untilHeld(service, () => {
		const files = references.map(({ path: file }) => file);
		const child = spawn(process.execPath, [script, service.address, key, ...files], {
			stdio: 'inherit',
		});
		return Promise.resolve({ pid: child.pid ?? 0, done: once(child, 'exit') });
	});
}

/** State when the service had the whole request. */
interface Held {
	/** Resident memory of the process, in MiB. */
	readonly peakMiB: number;
	/** Since the process was started. */
	readonly ms: number;
}

async function untilHeld(
	service: ImageService,
	start: () => Promise<{ pid: number; done: Promise<unknown> }>,
): Promise<Held> {
	service.faults.clear();
	service.faults.add({ hold: true, times: 1 });
	const startedAt = performance.now();
	const { pid, done } = await start();
	await service.waitUntil(() => service.requests.some(({ held }) => held));
	const ms = performance.now() - startedAt;
	const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
	service.releaseHeld();
	await done;
	return { peakMiB: Number(peak) / 1024, ms };
}
