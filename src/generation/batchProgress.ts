import type * as vscode from 'vscode';
import { occurs } from '../editor/events.js';
import { minutesAndSeconds } from '../editor/expectation.js';
import { runDetached } from '../editor/messages.js';
import { withJobProgress } from '../editor/progress.js';
import { readSetting, settingOr } from '../editor/settings.js';
import { safeText } from '../editor/untrustedText.js';
import type { GalleryImage } from '../jobs/gallery.js';
import { log } from '../log.js';
import type { FailedJob } from './failures.js';
import type { GeneratorServices } from './generatorServices.js';
import type { RunningJob, UnsavedImage } from './jobList.js';
import { phrases } from '../messages.js';
import { firstByUrgency } from './placeNote.js';

/**
 * Shows a progress notification with Cancel for each batch in progress, by whichever way it was
 * requested, and again after a reload. A notification that the user hides stays out of sight, which
 * is VS Code's own doing. Where `easel.notifications.progress` is `statusBar`, a batch has one only
 * while it needs attention and no page shows it.
 */
export class BatchProgress implements vscode.Disposable {
	/** Those that are shown, by their batches, until VS Code has taken them away. */
	readonly #shown = new Map<string, Promise<void>>();
	readonly #listening: vscode.Disposable;

	constructor(private readonly services: Pick<GeneratorServices, 'gallery' | 'jobs'>) {
		const { jobs } = services;
		this.#listening = jobs.onDidChange(() => {
			for (const [id, running] of Map.groupBy(jobs.running, batchOf)) {
				if (!this.#shown.has(id) && this.#isWanted(running)) {
					const shown = this.#show(id).finally(() => this.#shown.delete(id));
					this.#shown.set(id, shown);
					runDetached(shown);
				}
			}
		});
	}

	/** Resolves when the notification of a batch that has ended is gone, so that its end can be shown. */
	async whenHidden(id: string): Promise<void> {
		if (!this.services.jobs.running.some((job) => batchOf(job) === id)) {
			// An error of it is shown where it was begun.
			await this.#shown.get(id)?.catch(() => undefined);
		}
	}

	dispose(): void {
		this.#listening.dispose();
	}

	#isWanted(running: readonly RunningJob[]): boolean {
		return settingOr(() => readSetting('notifications.progress')) === 'statusBar'
			? !this.services.jobs.isShown && running.some((job) => job.needsAttention)
			: // What has arrived already is saved in no time.
				running.some(({ stage }) => stage !== 'saving');
	}

	/** Shows the notification of a batch until all of its jobs have ended. */
	async #show(id: string): Promise<void> {
		const { jobs } = this.services;
		const running = () => jobs.running.filter((job) => batchOf(job) === id);
		// All of the batch begin at once, this one first.
		await Promise.resolve();
		const requests = running().map(({ request }) => request);
		// What ended before is not counted: the user has retried only some of the batch.
		const since = requests.map(({ createdAt }) => createdAt).toSorted()[0] ?? '';
		const isOfBatch = ({ entry, state }: FailedJob | UnsavedImage) =>
			entry.request.round.id === id && state.changedAt >= since;
		let saved: readonly GalleryImage[] = [];
		let shownPercent = 0;
		const now = () => {
			const open = running();
			const ends = {
				saved: saved.filter((image) => open.every(({ request }) => request.id !== image.id)).length,
				failed: jobs.failed.filter(isOfBatch).length,
				notSaved: jobs.unsaved.filter(isOfBatch).length,
			};
			const ended = ends.saved + ends.failed + ends.notSaved;
			if (open.length + ended <= 1) {
				return open[0]?.longWords ?? '';
			}
			const queued = open.filter(({ stage }) => stage === 'queued').length;
			const elapsed = minutesAndSeconds(Date.now() - Date.parse(since));
			const counts = { ...ends, running: open.length - queued, queued };
			const waitingFor = firstByUrgency(open)?.waitingFor;
			const increment = Math.max(0, (ended / (ended + open.length)) * 100 - shownPercent);
			shownPercent += increment;
			return { message: phrases.batchProgress(counts, elapsed, waitingFor), increment };
		};
		const prompts = new Set(requests.map(({ prompt }) => safeText(prompt, maxPromptLength)));
		const title = phrases.batchTitle([...prompts][0] ?? '', prompts.size - 1);
		await withJobProgress(title, now, async (changed, signal) => {
			signal.addEventListener('abort', () => {
				for (const job of running()) {
					job.cancel();
				}
			});
			while (this.#isWanted(running())) {
				const next = occurs(jobs.onDidChange);
				saved = await this.#savedOf(id, since);
				changed();
				await next;
			}
		});
	}

	async #savedOf(id: string, since: string): Promise<readonly GalleryImage[]> {
		const images = await this.services.gallery.list().catch((error: unknown) => {
			log.error('The saved images of a batch could not be counted', error);
			return [];
		});
		return images.filter(({ round, savedAt }) => round?.id === id && savedAt >= since);
	}
}

/** In graphemes: what leaves room for the rest on two lines of a notification. */
const maxPromptLength = 40;

function batchOf({ request }: RunningJob): string {
	return request.round.id;
}
