import path, { posix } from 'node:path';
import * as vscode from 'vscode';
import {
	deliver,
	embed,
	keepBeside,
	noteSaved,
	removeAll,
	removeFiles,
	type Recipes,
} from '../jobs/deliver.js';
import type { FinishedJobs } from '../jobs/finishedJobs.js';
import type { Gallery } from '../jobs/gallery.js';
import { now, readState, savedAsFile, windowLease, type JobEntry } from '../jobs/jobFolder.js';
import type { Leases } from '../jobs/windowLeases.js';
import { persistState } from '../jobs/persistState.js';
import type { StateNamed } from '../jobs/state.js';
import { isFolderGone } from '../files/exists.js';
import { saveAs } from '../editor/files.js';
import type { Log } from '../editor/log.js';
import { confirm, runDetached, notify, showError } from '../editor/messages.js';
import { destinationOf, savedImages } from './destination.js';
import type { JobList, UnsavedImage } from './jobList.js';
import { targetOf } from './draft.js';
import { reportNotSaved } from './report.js';
import { labels, messages } from './messages.js';

interface Needs {
	readonly log: Log;
	readonly finished: FinishedJobs;
	readonly jobs: JobList;
	readonly gallery: Gallery;
	readonly leases: Leases;
	readonly recipes: Recipes;
}

/**
 * Images that are here and could not be put where they belong. They lie in our own storage, and are
 * listed until a person has saved or discarded them, whichever workspace is open.
 */
export class Unsaved {
	constructor(
		private readonly needs: Needs,
		/** Tells of an image that is saved now. */
		private readonly onSaved: (entry: JobEntry, state: StateNamed<'saved'>) => Promise<unknown>,
	) {}

	/** Lists an image, and tells of it where nobody looks at the list. */
	add(entry: JobEntry, state: StateNamed<'received'>): void {
		const image = this.list(entry, state);
		if (!this.needs.jobs.watched) {
			runDetached(
				reportNotSaved(image.problem, {
					saveAs: () => this.saveAs(image),
					again: () => this.saveAgain(image),
				}),
			);
		}
	}

	/**
	 * Lists an image.
	 *
	 * @param problem why it is not saved, where that does not stand in its state
	 */
	list(entry: JobEntry, state: StateNamed<'received'>, problem = state.problem): UnsavedImage {
		const image = { entry, state, problem: problem ?? messages.notSavedYet };
		this.needs.jobs.addUnsaved(image);
		return image;
	}

	/** Tries once more to put it where it belongs. */
	async saveAgain(image: UnsavedImage): Promise<void> {
		await this.#having(image, async () => {
			const { entry, state } = image;
			const { id } = entry.request;
			const end = await deliver(entry, state, {
				gallery: this.needs.gallery,
				recipes: this.needs.recipes,
				destinationOf: (result) =>
					destinationOf(targetOf(entry.request.target), result.extension, id),
				onTrouble: this.#trouble,
			});
			return end.state === 'saved'
				? () => this.#done(entry, end)
				: () => {
						this.add(entry, end);
					};
		});
	}

	/** Asks for a place and saves it there. */
	async saveAs(image: UnsavedImage): Promise<void> {
		const { entry, state } = image;
		const { folder, root, stem } = targetOf(entry.request.target);
		const { extension } = state.result;
		const target = await vscode.window.showSaveDialog({
			title: labels.saveImageAs,
			// The folder is what did not work, so another one is suggested.
			defaultUri: vscode.Uri.joinPath(root ?? folder, stem + extension),
			filters: { Images: [extension.slice(1)] },
		});
		if (target === undefined) {
			// It is listed still; who had only the message gets it again.
			this.add(entry, state);
			return;
		}
		await this.#having(image, async () => {
			try {
				const end = await this.#saveAs(entry, state, target);
				return () => this.#done(entry, end);
			} catch (error) {
				const problem = error instanceof Error ? error.message : String(error);
				return () => {
					this.add(entry, { ...state, problem });
				};
			}
		});
	}

	async #saveAs(
		entry: JobEntry,
		state: StateNamed<'received'>,
		target: vscode.Uri,
	): Promise<StateNamed<'saved'>> {
		const { gallery, recipes } = this.needs;
		const options = { gallery, recipes, onTrouble: this.#trouble };
		const there = inFolder(entry, vscode.Uri.joinPath(target, '..'));
		// One of an earlier try says where things lie from another folder.
		await removeAll([path.join(entry.folder, savedAsFile)], this.#trouble);
		const { result = state.result, kept } = await embed(there, state, options, savedAsFile);
		const image = (await saveAs(vscode.Uri.file(result.file), target)).toString();
		const place = targetOf(there.request.target);
		const destination = destinationOf(place, result.extension, entry.request.id);
		const recipe =
			kept?.where === 'besideImage'
				? await keepBeside(destination, there, state, image, kept, options)
				: kept;
		return noteSaved(entry, { ...state, result }, image, savedImages, { ...options, recipe });
	}

	/** Gives an image up, after a question. */
	async discard(image: UnsavedImage): Promise<void> {
		const name = posix.basename(image.entry.request.target.stem);
		if (
			!(await confirm(messages.discardImage(name), messages.discardImageDetail, labels.discard))
		) {
			return;
		}
		await this.#having(image, async () => {
			const { folder, request } = image.entry;
			const { attempts } = image.state;
			const end = { state: 'discarded', attempts, changedAt: now(), notified: true } as const;
			if (await persistState(folder, end, this.#trouble)) {
				await removeFiles({ ...image.entry, state: image.state }, this.#trouble);
			}
			return () => {
				this.needs.jobs.forget(request.id);
				runDetached(this.needs.finished.remove(folder));
			};
		});
	}

	/**
	 * What this window has not taken up, another one may be saving just now.
	 *
	 * @param task what only one window may do; a reload waits for it, and not for what it returns
	 */
	async #having(
		{ entry }: UnsavedImage,
		task: () => Promise<() => void | Promise<void>>,
	): Promise<void> {
		try {
			const { leases } = this.needs;
			const lease = await leases.acquire(entry.folder, windowLease);
			if (lease === 'held' || lease === 'unknown') {
				await notify('info', messages.otherWindow);
			} else if ((await readState(entry.folder)).state === 'received') {
				const tell = await leases.during(task);
				await tell?.();
			} else {
				await this.#tellDone(entry);
			}
		} catch (error) {
			await ((await isFolderGone(error, entry.folder)) ? this.#tellDone(entry) : showError(error));
		}
	}

	/** Another window was quicker; by now it may have removed the job. */
	async #tellDone({ request }: JobEntry): Promise<void> {
		this.needs.jobs.forget(request.id);
		await notify('info', messages.savedElsewhere);
	}

	async #done(entry: JobEntry, state: StateNamed<'saved'>): Promise<void> {
		this.needs.jobs.forget(entry.request.id);
		await this.onSaved(entry, state);
	}

	readonly #trouble = (what: string, error: unknown): void => {
		this.needs.log.error(what, error);
	};
}

/** The same job as if its image had been asked for in another folder. */
function inFolder(entry: JobEntry, folder: vscode.Uri): JobEntry {
	const { request } = entry;
	const target = { ...request.target, folder: folder.toString() };
	return { ...entry, request: { ...request, target } };
}
