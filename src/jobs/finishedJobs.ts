import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { isFolderGone } from '../files/exists.js';
import { lookAfterSaved, removeAll, removeFiles, type SavedFileLookup } from './deliver.js';
import type { Gallery } from './gallery.js';
import {
	foldersFor,
	readEntry,
	receivedIn,
	requestFile,
	workerLease,
	type JobEntry,
} from './jobFolder.js';
import { leaseStatus, readLease } from './leaseFiles.js';
import type { Ledger } from './ledger.js';
import { isFinished, isListedFailure } from './state.js';
import { attempt, log } from '../log.js';

/** Stores that stay when the folders of jobs go. */
export interface FinishedJobsOptions {
	readonly gallery: Pick<Gallery, 'addMissing'>;
	readonly ledger: Pick<Ledger, 'add'>;
	/** Finds out whether an image, of which a copy is left, is where it was saved. */
	readonly images: SavedFileLookup;
	/** Called with the folder of each job that was removed. */
	readonly onRemoved: (folder: string) => void;
}

/** Removes jobs at their end: what is worth knowing of them goes into the gallery and the ledger. */
export class FinishedJobs {
	constructor(private readonly options: FinishedJobsOptions) {}

	/**
	 * Removes a job that this window has brought to its end, once its worker has ended, for which it
	 * waits some seconds. A job that is not finished stays. Never throws.
	 */
	async remove(folder: string): Promise<void> {
		for (const waitMs of workerWaitsMs) {
			await delay(waitMs, undefined, { ref: false });
			const lease = await readLease(folder, workerLease).catch(() => undefined);
			if ((await leaseStatus(lease)) === 'free') {
				return this.removeAll([folder]);
			}
		}
	}

	/**
	 * Notes in the ledger a failure that stays listed until the user has dealt with it: what it has cost
	 * is to be seen now. Never throws.
	 */
	async note(folder: string): Promise<void> {
		await attempt('A failure could not be noted in the ledger', async () => {
			const entry = await readEntry(folder).catch(async (error: unknown) => {
				if (await isFolderGone(error, folder)) {
					return undefined;
				}
				throw error;
			});
			if (entry !== undefined && isListedFailure(entry.state)) {
				await this.options.ledger.add([entry]);
			}
		});
	}

	/** Removes those of many jobs that are finished, in portions, so that other work goes on. Never throws. */
	async removeAll(folders: readonly string[]): Promise<void> {
		for (let at = 0; at < folders.length; at += portion) {
			await this.#removeSome(folders.slice(at, at + portion));
			await setImmediate();
		}
	}

	async #removeSome(folders: readonly string[]): Promise<void> {
		const { gallery, ledger } = this.options;
		const found = await Promise.all(folders.map((folder) => this.#finished(folder)));
		const entries = found.filter((entry) => entry !== undefined);
		await attempt('What has become of images could not be written down', async () => {
			// First what stays, flushed; a window that ends in between leaves a job to the next one.
			await gallery.addMissing(entries);
			await ledger.add(entries);
			await Promise.all(
				entries.map(({ folder }) =>
					attempt('A job that is over could not be removed', () => this.#removeOne(folder)),
				),
			);
		});
	}

	async #removeOne(folder: string): Promise<void> {
		// Once more: an image may arrive after the end that was noted.
		const entry = await this.#finished(folder);
		if (entry !== undefined) {
			const [, ...others] = foldersFor(entry);
			await removeAll(others);
			// Without a request the rest of a folder counts as none.
			await rm(path.join(folder, requestFile), { force: true });
			await rm(folder, { recursive: true, force: true });
			this.options.onRemoved(folder);
		}
	}

	/** Reads a job; `undefined` where it is not finished, or something lies in it that was not delivered. */
	async #finished(folder: string): Promise<JobEntry | undefined> {
		try {
			const entry = await readEntry(folder);
			const { state } = entry;
			const worker = await leaseStatus(await readLease(folder, workerLease));
			if (!isFinished(state) || worker !== 'free') {
				return undefined;
			}
			const hasReceived = async () => (await receivedIn(foldersFor(entry))).length > 0;
			if (!(await hasReceived())) {
				return entry;
			}
			// A copy that could not be removed at its time.
			if (state.state === 'saved' && state.target.startsWith('file:')) {
				await lookAfterSaved(entry, state, this.options.images);
			} else if (state.state === 'saved' || state.state === 'discarded') {
				await removeFiles(entry);
			}
			return (await hasReceived()) ? undefined : entry;
		} catch (error) {
			if (!(await isFolderGone(error, folder))) {
				log.error('Whether a job can be removed could not be checked', error);
			}
			return undefined;
		}
	}
}

const portion = 50;

/** A worker has some seconds to end after its last word. In milliseconds. */
const workerWaitsMs = [0, 50, 250, 1_000, 4_000] as const;
