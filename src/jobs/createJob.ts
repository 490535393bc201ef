import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { EaselError } from '../easelError.js';
import { nameProblem } from '../files/nameProblem.js';
import { retryTransient } from '../files/retryTransient.js';
import { privateFolder } from '../files/writeWhole.js';
import { sha256Of } from '../images/hash.js';
import { ImageError, inspectImage } from '../images/inspect.js';
import { RequestError } from '../service/errors.js';
import type { Journal } from './journal.js';
import { now, referencesFolder, windowLease, type JobEntry } from './jobFolder.js';
import type { Leases } from './windowLeases.js';
import type { GenerationRequest, Reference } from './request.js';
import { attempt } from '../log.js';

/** A reference image where the user has it. */
export interface ReferenceSource {
	readonly uri: string;
	/** Its own name, for messages and the copy; the service gets a neutral one. */
	readonly fileName: string;
	/**
	 * Copies it to this absolute path.
	 *
	 * @throws {ImageError} where it cannot be used
	 */
	fetch(copy: string): Promise<void>;
}

export interface CreateOptions {
	readonly journal: Journal;
	readonly leases: Pick<Leases, 'acquire' | 'release' | 'left'>;
}

/** This window has left its images to another one. */
export class WindowLeftError extends EaselError {
	override readonly name = 'WindowLeftError';
}

/**
 * Puts a request on disk, with copies of its references, before anything is sent: a file that
 * changed between two attempts would make the second one another request.
 *
 * @throws {RequestError} naming the reference that cannot be used; the system's error
 * @throws {WindowLeftError} where the window has left its images to another one
 * @throws {EaselError} where this window does not get its lease
 */
export async function createJob(
	request: Omit<GenerationRequest, 'id' | 'createdAt' | 'references'>,
	references: readonly ReferenceSource[],
	{ journal, leases }: CreateOptions,
): Promise<JobEntry> {
	assertNotLeft(leases);
	const id = crypto.randomUUID();
	const folder = journal.folder(id);
	try {
		await retryTransient(() => mkdir(folder, { recursive: true, mode: privateFolder }));
		// First of all, so that no other window mistakes this job for one that was left behind.
		const lease = await retryTransient(() => leases.acquire(folder, windowLease));
		if (typeof lease === 'string') {
			assertNotLeft(leases);
			throw new EaselError({ code: 'window.notOwner' });
		}
		const copies = await copyReferences(references, path.join(folder, referencesFolder));
		return await journal.create({ ...request, id, createdAt: now(), references: copies });
	} catch (error) {
		await attempt('A job that was not made could not be removed', async () => {
			await retryTransient(() => rm(folder, { recursive: true, force: true }));
			await leases.release(folder, windowLease);
		});
		throw error;
	}
}

function assertNotLeft({ left }: Pick<Leases, 'left'>): void {
	if (left.aborted) {
		throw new WindowLeftError({ code: 'window.left' });
	}
}

async function copyReferences(
	references: readonly ReferenceSource[],
	root: string,
): Promise<Reference[]> {
	const copies: Reference[] = [];
	for (const [index, source] of references.entries()) {
		const { fileName, uri } = source;
		// A folder for each, so that two files of the same name can keep it.
		const folder = path.join(root, String(index + 1));
		// A name of another system may be none here, or lead elsewhere.
		const name = nameProblem(fileName, 'win32') === undefined ? fileName : 'image';
		const copy = path.join(folder, name);
		try {
			await retryTransient(() => mkdir(folder, { recursive: true, mode: privateFolder }));
			await source.fetch(copy);
			const { contentType, width, height, bytes } = await inspectImage(copy);
			const facts = { contentType, width, height, bytes, sha256: await sha256Of(copy) };
			copies.push({ path: copy, source: uri, fileName, ...facts });
		} catch (error) {
			if (!(error instanceof ImageError)) {
				throw error;
			}
			const facts = { code: 'reference.unfit', image: error.facts } as const;
			throw new RequestError(`references[${String(index)}]`, facts, error);
		}
	}
	return copies;
}
