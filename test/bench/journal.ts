// What the journal and the gallery cost as they grow: opening the gallery, searching it, and what a
// new window does until it takes up the one job that is left. Each in a process of its own, which has
// read nothing yet, beside the same with ten entries.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import esbuild from 'esbuild';
import { Journal } from '../../src/jobs/journal.js';
import type { GalleryImage } from '../../src/jobs/gallery.js';
import { writeState, type JobEntry } from '../../src/jobs/jobFolder.js';
import { requestOf } from '../unit/jobs/support.js';
import { runApart } from './apart.js';
import type { Run } from './bench.js';

/** In milliseconds. */
interface Figures {
	readonly opening: number;
	readonly search: number;
	readonly recovery: number;
}

export async function measure({ rounds, scratch, record }: Run): Promise<void> {
	const script = await bundleChild(scratch);
	for (let round = 0; round < rounds; round++) {
		let few: (Figures & { readonly firstRecovery: number }) | undefined;
		for (const count of [10, 1_000, 10_000]) {
			// Anew each time: a window removes what is old.
			const storage = path.join(scratch, 'storage');
			await writeStorage(storage, count);
			const { recovery: firstRecovery, ...first } = runApart<Figures>(script, [storage]);
			await removeFinished(storage);
			const { recovery } = runApart<Figures>(script, [storage]);
			const figures = { ...first, recovery, firstRecovery };
			few ??= figures;
			for (const part of ['opening', 'search', 'recovery', 'firstRecovery'] as const) {
				record(`${part}${String(count)}`, figures[part], count > 10 ? few[part] : undefined);
			}
			await rm(storage, { recursive: true });
		}
	}
}

async function bundleChild(scratch: string): Promise<string> {
	const outfile = path.join(scratch, 'journal.js');
	await esbuild.build({
		entryPoints: [path.join(__dirname, 'journalReader.ts')],
		bundle: true,
		minify: true,
		platform: 'node',
		outfile,
		logLevel: 'error',
	});
	return outfile;
}

/** Images that were saved, and one job that waits for its turn. */
async function writeStorage(storage: string, count: number): Promise<void> {
	const journal = new Journal(path.join(storage, 'jobs'));
	const saved = await journal.create(requestOf({ workspaceFolder: 'file:///work' }));
	await writeState(saved.folder, {
		state: 'saved',
		attempts: [],
		changedAt: new Date().toISOString(),
		target: 'file:///work/images/a-harbor.png',
		result: {
			file: path.join(saved.folder, 'image'),
			format: 'png',
			contentType: 'image/png',
			extension: '.png',
			width: 1024,
			height: 1024,
			bytes: 2_000_000,
			sha256: 'ab'.repeat(32),
			elapsedMs: 140_000,
		},
		notified: true,
	});
	const lines = [lineOf(saved.request.id, 0)];
	for (let index = 1; index < count; index++) {
		const id = crypto.randomUUID();
		await copyJob(saved, journal.folder(id), id);
		lines.push(lineOf(id, index));
	}
	await journal.create(requestOf({ prompt: 'left', workspaceFolder: 'file:///work' }));
	await writeFile(path.join(storage, 'gallery.jsonl'), lines.join(''));
}

/** Removes finished jobs, as a window does after startup: only an earlier version leaves so many. */
async function removeFinished(storage: string): Promise<void> {
	const jobs = path.join(storage, 'jobs');
	for (const name of await readdir(jobs)) {
		const state = await readFile(path.join(jobs, name, 'state.json'), 'utf8');
		if (state.includes('"saved"')) {
			await rm(path.join(jobs, name), { recursive: true });
		}
	}
}

async function copyJob({ folder, request }: JobEntry, to: string, id: string): Promise<void> {
	await mkdir(to);
	for (const name of ['request.json', 'state.json']) {
		const text = await readFile(path.join(folder, name), 'utf8');
		await writeFile(path.join(to, name), text.replaceAll(request.id, id));
	}
}

function lineOf(id: string, index: number): string {
	const image: GalleryImage = {
		id,
		savedAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
		target: `file:///work/images/image-${String(index)}.png`,
		operation: 'generate',
		prompt: `image number ${String(index)}, flat illustration of a harbor with a lighthouse`,
		size: '1024x1024',
		references: [],
		referenceHashes: [],
		workspaceFolder: 'file:///work',
		width: 1024,
		height: 1024,
		bytes: 2_000_000,
		sha256: index.toString(16).padStart(64, '0'),
	};
	return `\n${JSON.stringify(image)}`;
}
