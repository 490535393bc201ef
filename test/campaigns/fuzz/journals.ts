import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { Gallery, type GalleryImage } from '../../../src/jobs/gallery.js';
import { leaseOwnerSchema } from '../../../src/jobs/leaseOwner.js';
import type { LeaseOwner } from '../../../src/jobs/processIdentity.js';
import {
	DamagedFileError,
	readEntry,
	workerLease,
	type JobEntry,
} from '../../../src/jobs/jobFolder.js';
import { Journal } from '../../../src/jobs/journal.js';
import { leaseFile, readLease } from '../../../src/jobs/leaseFiles.js';
import { generationRequestSchema } from '../../../src/jobs/request.js';
import { jobStateSchema, type JobState } from '../../../src/jobs/state.js';
import { resultOf } from '../../unit/jobs/results.js';
import { requestOf } from '../../unit/jobs/support.js';
import { seeded } from '../../unit/images/random.js';
import { inCase, type Fuzz } from '../campaign';
import { below, mutated } from './mutate.js';

/**
 * Damages the journal's files, leases and the gallery, and has them read beside others that are
 * whole, as after a crash of the machine.
 * None fails in another way than it says, returns what its schema does not allow, or loses what is
 * whole.
 */
export const fuzzJournals: Fuzz = async ({ cases, seed }) => {
	const storage = await mkdtemp(path.join(tmpdir(), 'easel-fuzz-'));
	const random = seeded(seed);
	const counts = new Map<string, number>();
	try {
		const readers = [
			await ofJournal(path.join(storage, 'jobs')),
			await ofLease(path.join(storage, 'leases')),
			await ofGallery(path.join(storage, 'gallery')),
		];
		for (let index = 0; index < cases; index += 1) {
			const what = await inCase(seed, index, () => readers[index % readers.length]!(random));
			counts.set(what, (counts.get(what) ?? 0) + 1);
		}
	} finally {
		await rm(storage, { recursive: true });
	}
	return { cases, note: [...counts].map(([what, times]) => `${String(times)} ${what}`).join(', ') };
};

/** Damages one thing and reads it with its neighbors; returns what became of it. */
type Reader = (random: () => number) => Promise<string>;

async function ofJournal(root: string): Promise<Reader> {
	const journal = new Journal(root);
	const whole = [await journal.create(requestOf()), await journal.create(requestOf())];
	const victim = await journal.create(requestOf({ prompt: 'a harbor “at dawn” 🌅' }));
	const files = ['request.json', 'state.json'] as const;
	const contents = {
		'request.json': Buffer.from(JSON.stringify(victim.request, undefined, '\t')),
		'state.json': Buffer.from(JSON.stringify(savedState(), undefined, '\t')),
	};
	return async (random) => {
		const file = files[below(random, 2)]!;
		const other = contents[files[below(random, 2)]!];
		await writeFile(path.join(victim.folder, file), damaged(random, contents[file], other));
		try {
			const { entries, unreadable } = await journal.list();
			const intact = entries.filter(({ folder }) => folder !== victim.folder);
			assert.deepEqual(byFolder(intact), byFolder(whole), 'an entry that is whole is lost');
			assert.deepEqual(unreadable, []);
			const found = entries.find(({ folder }) => folder === victim.folder);
			const entry = await readEntry(victim.folder).catch((error: unknown) => {
				assert.ok(error instanceof DamagedFileError, String(error));
				return undefined;
			});
			assert.deepEqual(found, entry);
			if (entry === undefined) {
				// Nothing is moved or removed, and it is reported once.
				const names = await readdir(victim.folder);
				assert.ok(files.every((name) => names.includes(name)));
				assert.ok(names.includes('damaged'));
				return 'damaged entries';
			}
			generationRequestSchema.parse(entry.request);
			jobStateSchema.parse(entry.state);
			return 'readable entries';
		} finally {
			await writeFile(path.join(victim.folder, file), contents[file]);
		}
	};
}

async function ofLease(folder: string): Promise<Reader> {
	await mkdir(folder);
	const owner: LeaseOwner = {
		...{ id: crypto.randomUUID(), address: path.join(folder, 's'), pid: 1, machine: hostname() },
		endsBy: '2026-01-01T00:00:00.000Z',
	};
	const content = Buffer.from(JSON.stringify(owner));
	await writeFile(leaseFile(folder, 'window', 1), content);
	return async (random) => {
		await writeFile(leaseFile(folder, workerLease, 3), damaged(random, content, content));
		const lease = await readLease(folder, workerLease);
		assert.equal(lease?.number, 3);
		// What is just being written is unreadable, which means taken.
		if (typeof lease.owner === 'object') {
			leaseOwnerSchema.parse(lease.owner);
		}
		assert.deepEqual(await readLease(folder, 'window'), { number: 1, owner });
		return typeof lease.owner === 'object' ? 'readable leases' : 'damaged leases';
	};
}

async function ofGallery(folder: string): Promise<Reader> {
	await mkdir(folder);
	const file = path.join(folder, 'gallery.jsonl');
	const images = Array.from({ length: 20 }, (_, index) => imageOf(index));
	const lines = images.map((image) => JSON.stringify(image));
	return async (random) => {
		const at = below(random, lines.length);
		const other = lines[below(random, lines.length)]!;
		const line = damaged(random, Buffer.from(lines[at]!), Buffer.from(other));
		const before = lines.slice(0, at).map((one) => `\n${one}`);
		const after = lines.slice(at + 1).map((one) => `\n${one}`);
		await writeFile(
			file,
			Buffer.concat([Buffer.from(`${before.join('')}\n`), line, Buffer.from(after.join(''))]),
		);
		const found = await new Gallery(folder).list();
		const expected = images.filter((_, index) => index !== at);
		// What is damaged is one line, whatever came into it.
		for (const image of expected) {
			assert.deepEqual(
				found.find(({ id }) => id === image.id),
				image,
				'an image that is whole is lost',
			);
		}
		return found.length > expected.length ? 'readable lines' : 'damaged lines';
	};
}

function imageOf(index: number): GalleryImage {
	const { width, height, bytes } = resultOf();
	return {
		id: crypto.randomUUID(),
		savedAt: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
		target: `file:///w/images/${String(index)}.png`,
		operation: 'generate',
		prompt: `a harbor, ${String(index)}`,
		size: '1024x1024',
		references: [],
		referenceHashes: [],
		...{ width, height, bytes, sha256: 'ab'.repeat(32) },
	};
}

function savedState(): JobState {
	return {
		state: 'saved',
		attempts: [],
		changedAt: '2026-01-01T00:00:00.000Z',
		result: resultOf(),
		target: 'file:///w/a.png',
	};
}

/** In its bytes, or in what it says: other values of JSON in the place of one. */
function damaged(random: () => number, bytes: Buffer, other: Buffer): Buffer {
	if (random() < 0.5) {
		return mutated(random, bytes, other);
	}
	const strange = strangers[below(random, strangers.length)]!;
	const values = [...bytes.toString().matchAll(/(?<=: ?)(?:"[^"]*"|\d+|\[\])/g)];
	const value = values[below(random, values.length)];
	if (value === undefined) {
		return Buffer.from(strange);
	}
	const text = bytes.toString();
	return Buffer.from(
		text.slice(0, value.index) + strange + text.slice(value.index + value[0].length),
	);
}

const strangers = [
	...['null', 'true', '-1', '1e999', '0.5', '9007199254740993', '""', '"\\u0000"', '"\\ud800"'],
	...['{}', '[]', '[null]', '{"__proto__":{"state":"saved"}}', '"__proto__"', '"\\n"', '"../../x"'],
	...['"+275760-09-13T00:00:00.001Z"', '"2026-13-45T99:99:99.000Z"', '"saved"', '"received"'],
	'['.repeat(100_000),
	`${'['.repeat(20_000)}${']'.repeat(20_000)}`,
	`"${'x'.repeat(100_000)}"`,
];

function byFolder(entries: readonly JobEntry[]): readonly JobEntry[] {
	return [...entries].sort((one, two) => (one.folder < two.folder ? -1 : 1));
}
