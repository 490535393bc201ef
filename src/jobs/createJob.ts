import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { EaselError } from '../easelError.js';
import { nameProblem } from '../files/nameProblem.js';
import { retryTransient } from '../files/retryTransient.js';
import { privateFolder } from '../files/writeWhole.js';
import { sha256Of } from '../images/hash.js';
import { ImageError, inspectImage } from '../images/inspect.js';
import { drawMarkedImage } from '../images/marks/drawnMarks.js';
import { ThumbnailError } from '../images/thumbnails/thumbnailError.js';
import { RequestError } from '../service/errors.js';
import type { MarksManner } from '../service/services.js';
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
	/** The picture that the marks of the request are sent in, where it has any. */
	readonly marking?: {
		readonly manner: MarksManner;
		/** The bundle of the threads that draw it, absolute. */
		readonly script: string;
	};
}

/** This window has left its images to another one. */
export class WindowLeftError extends EaselError {
	override readonly name = 'WindowLeftError';
}

/**
 * Puts a request on disk, with copies of its references, before anything is sent: a file that
 * changed between two attempts would make the second one another request. Its marks are drawn here.
 *
 * @throws {RequestError} naming the reference that cannot be used; the system's error
 * @throws {WindowLeftError} where the window has left its images to another one
 * @throws {EaselError} where this window does not get its lease
 */
export async function createJob(
	request: Omit<GenerationRequest, 'id' | 'createdAt' | 'references'>,
	references: readonly ReferenceSource[],
	{ journal, leases, marking }: CreateOptions,
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
		const whole = { ...request, id, createdAt: now(), references: copies };
		const markedImage = marking && (await drawMarks(whole, marking));
		return await journal.create({ ...whole, ...(markedImage && { markedImage }) });
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

/** Draws the picture that the marks of a request are sent in, beside the copies of its references. */
async function drawMarks(
	{ marks = [], references: [marked] }: Pick<GenerationRequest, 'marks' | 'references'>,
	{ manner, script }: NonNullable<CreateOptions['marking']>,
): Promise<GenerationRequest['markedImage']> {
	if (marked === undefined || marks.length === 0) {
		return undefined;
	}
	const file = path.join(path.dirname(path.dirname(marked.path)), 'marks');
	const { width, height } = marked;
	try {
		const order = { path: marked.path, size: { width, height }, marks, manner, file };
		return { manner, path: file, contentType: await drawMarkedImage(order, script) };
	} catch (error) {
		if (error instanceof ImageError || error instanceof ThumbnailError) {
			throw unfit(0, error);
		}
		throw error;
	}
}

function unfit(index: number, error: EaselError): RequestError {
	const facts = { code: 'reference.unfit', image: error.facts } as const;
	return new RequestError(`references[${String(index)}]`, facts, error);
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
			throw unfit(index, error);
		}
	}
	return copies;
}
