// What it costs to send many reference images: `npm run bench:references`.
// Compares our worker (files are streamed from disk) with the plain way (read, then send), in one
// run, each in a process of its own. Linux only: it reads the peak of a process's memory in /proc.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import esbuild from 'esbuild';
import { followJob } from '../../src/jobs/follow.js';
import { Journal } from '../../src/jobs/journal.js';
import type { Reference } from '../../src/jobs/request.js';
import { startWorker } from '../../src/jobs/workerProcess.js';
import { inputFor, requestOf } from '../unit/jobs/support.js';
import { drawPicture } from '../service/picture.js';
import { startImageService, type ImageService } from '../service/server.js';

const key = 'bench-key';
const count = 50;
const bytesEach = 10 * 1024 * 1024;

async function main(): Promise<void> {
	const scratch = await mkdtemp(path.join(tmpdir(), 'easel-bench-'));
	const service = await startImageService({ key });
	try {
		const worker = path.join(scratch, 'worker.js');
		await esbuild.build({
			entryPoints: ['src/jobs/worker.ts'],
			bundle: true,
			platform: 'node',
			outfile: worker,
			logLevel: 'warning',
		});
		const few = await writeReferences(path.join(scratch, 'few'), 1, 10 * 1024);
		const many = await writeReferences(path.join(scratch, 'many'), count, bytesEach);
		const ours = {
			few: await oursPeak(service, worker, scratch, few),
			many: await oursPeak(service, worker, scratch, many),
		};
		const plain = {
			few: await plainPeak(service, scratch, few),
			many: await plainPeak(service, scratch, many),
		};
		const grown = { ours: ours.many - ours.few, plain: plain.many - plain.few };
		process.stdout.write(
			`${String(count)} reference images of 10 MiB; memory of the process above that for one small image\n` +
				`ours   +${grown.ours.toFixed(0)} MiB (${ours.few.toFixed(0)} to ${ours.many.toFixed(0)})\n` +
				`plain  +${grown.plain.toFixed(0)} MiB (${plain.few.toFixed(0)} to ${plain.many.toFixed(0)})\n` +
				`ratio  ${(grown.ours / grown.plain).toFixed(3)}\n`,
		);
	} finally {
		await service.close();
		await rm(scratch, { recursive: true });
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

async function oursPeak(
	service: ImageService,
	worker: string,
	scratch: string,
	references: Reference[],
): Promise<number> {
	const request = requestOf({ operation: 'edit', prompt: 'all of them', references });
	const entry = await new Journal(path.join(scratch, 'jobs')).create(request);
	return peakWhileHeld(service, async () => {
		const { address } = service;
		const change = { timeoutMs: 600_000, retry: 'never' } as const;
		const input = inputFor(entry, { address, key }, change);
		const pid = await startWorker({ script: worker, input });
		const done = followJob(entry, {
			signal: new AbortController().signal,
			onEvent: () => undefined,
			ask: () => Promise.resolve(false),
		});
		return { pid, done };
	});
}

async function plainPeak(
	service: ImageService,
	scratch: string,
	references: Reference[],
): Promise<number> {
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
	return peakWhileHeld(service, () => {
		const files = references.map(({ path: file }) => file);
		const child = spawn(process.execPath, [script, service.address, key, ...files], {
			stdio: 'inherit',
		});
		return Promise.resolve({ pid: child.pid ?? 0, done: once(child, 'exit') });
	});
}

/** The peak of the process's resident memory when the service has the whole request, in MiB. */
async function peakWhileHeld(
	service: ImageService,
	start: () => Promise<{ pid: number; done: Promise<unknown> }>,
): Promise<number> {
	service.faults.clear();
	service.faults.add({ hold: true, times: 1 });
	const { pid, done } = await start();
	await service.waitUntil(() => service.requests.some(({ held }) => held));
	const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1];
	service.releaseHeld();
	await done;
	return Number(peak) / 1024;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
