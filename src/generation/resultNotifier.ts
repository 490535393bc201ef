import type * as vscode from 'vscode';
import { runDetached } from '../editor/messages.js';
import { ping } from '../editor/windowHealth.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import { persistState } from '../jobs/persistState.js';
import { isFinished, type JobState } from '../jobs/state.js';
import type { BatchEnds } from './outcome.js';
import { OutsideNotices } from './outsideNotices.js';
import { notifyOfRecipes } from './recipeNotes.js';
import { reportBatch, type NextAction } from './report.js';
import type { GeneratorServices } from './generatorServices.js';

/**
 * How long a notification stands before it counts as seen. A window that is reloaded within this
 * time reports the end once more, because it may not have been on the screen; so does one that does
 * not respond, whose page may be gone.
 */
const seenAfterMs = 1500;

/** Notifies of the ends of images, each once, and notes in the journal that it did. */
export class ResultNotifier implements vscode.Disposable {
	readonly #pending = new Map<string, NodeJS.Timeout>();
	readonly #outside = new OutsideNotices();

	constructor(
		private readonly services: Pick<GeneratorServices, 'finished' | 'jobs' | 'preferences'>,
	) {}

	dispose(): void {
		for (const timer of this.#pending.values()) {
			clearTimeout(timer);
		}
		this.#pending.clear();
	}

	/**
	 * Notifies of what has become of a batch, in one message; not where that is seen, and stays.
	 *
	 * @returns what the user has chosen to do about its failures
	 */
	async notify(ends: BatchEnds): Promise<NextAction | undefined> {
		const { jobs, preferences } = this.services;
		const { arrived, failures } = ends;
		// An image that is seen arriving needs no message, except for what is left to do in the document.
		const isNews =
			!jobs.isShown || arrived.some(({ entry }) => entry.request.insertion !== undefined);
		runDetached(this.#outside.notify(ends));
		const recipes = arrived.flatMap(({ state }) => state.recipe ?? []);
		runDetached(notifyOfRecipes(recipes, preferences));
		for (const { entry, state } of [...arrived, ...failures]) {
			this.#markNotifiedLater(entry, state);
		}
		return isNews ? reportBatch(ends) : undefined;
	}

	/** Nothing is left to notify of a job. */
	forget(id: string): void {
		this.services.jobs.forget(id);
		clearTimeout(this.#pending.get(id));
		this.#pending.delete(id);
	}

	/** Notes the state of a job, and that the user was notified; a finished job is removed then. */
	async markNotified(folder: string, state: JobState): Promise<void> {
		const notified = { ...state, notified: true };
		if ((await persistState(folder, notified)) && isFinished(notified)) {
			runDetached(this.services.finished.remove(folder));
		}
	}

	#markNotifiedLater({ folder, request: { id } }: JobEntry, state: JobState): void {
		clearTimeout(this.#pending.get(id));
		const timer = setTimeout(() => {
			runDetached(
				ping().then(async () => {
					// Meanwhile it may have been reported anew, or put aside.
					if (this.#pending.get(id) === timer) {
						this.#pending.delete(id);
						await this.markNotified(folder, state);
					}
				}),
			);
		}, seenAfterMs);
		this.#pending.set(id, timer);
	}
}
