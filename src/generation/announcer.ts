import * as vscode from 'vscode';
import { OutsideWorkspaceError, SaveError } from '../editor/files.js';
import { foreignText } from '../editor/foreignText.js';
import type { Log } from '../editor/log.js';
import { inBackground, mention, notify, tellFailure } from '../editor/messages.js';
import type { Preferences } from '../editor/preferences.js';
import { stepDone } from '../editor/walkthrough.js';
import { offerReload, windowAnswers } from '../editor/window.js';
import { WindowLeftError } from '../jobs/createJob.js';
import { factsOf } from '../jobs/failure.js';
import type { FinishedJobs } from '../jobs/finishedJobs.js';
import type { Gallery } from '../jobs/gallery.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import { persistState } from '../jobs/persistState.js';
import { originOf, type Origin } from '../jobs/origin.js';
import { ownReferences, type ImageRequest } from '../jobs/request.js';
import { isFinished, type JobState, type StateNamed } from '../jobs/state.js';
import { CancelledError, RequestError, type Charge } from '../service/errors.js';
import type { FailedJob } from './failures.js';
import type { Insertions } from './insertions.js';
import type { JobList } from './jobList.js';
import type { AnswerAction } from './keptAnswer.js';
import { linkImage } from './linkImage.js';
import { targetOf } from './draft.js';
import { OutsideNotices } from './outsideNotices.js';
import { tellOfRecipes } from './recipeNotes.js';
import { draftAgain } from './target.js';
import {
	reportFailure,
	reportInterrupted,
	reportRound,
	reportSaved,
	type Arrived,
	type RoundEnds,
} from './report.js';
import { runRequestCommand } from './requestCommands.js';
import { money } from './messages.js';

/**
 * How long a notification stands before it counts as seen. A window that is reloaded within this
 * time tells of the end once more, because nobody can know whether it was on the screen; so does one
 * that does not answer, whose page may be gone.
 */
const seenAfterMs = 1500;

/** A job whose image is saved. */
export interface ArrivedJob extends Arrived {
	readonly entry: JobEntry;
	readonly state: StateNamed<'saved'>;
}

/** What could not be asked for, and why. */
export interface NotAsked {
	readonly request: ImageRequest;
	readonly error: unknown;
}

/** Tells the ends of images, each once, and notes in the journal that it was told. */
export class Announcer implements vscode.Disposable {
	readonly #telling = new Map<string, NodeJS.Timeout>();
	readonly #outside: OutsideNotices;

	constructor(
		private readonly needs: {
			readonly gallery: Gallery;
			readonly log: Log;
			readonly finished: FinishedJobs;
			readonly jobs: JobList;
			readonly insertions: Insertions;
			readonly preferences: Preferences;
		},
		/**
		 * Asks for other images of the requests of jobs: after a question where that may cost twice,
		 * without one, or with smaller references.
		 */
		private readonly others: Readonly<
			Record<'again' | 'sendAgain' | 'smaller', (...entries: readonly JobEntry[]) => Promise<void>>
		> & {
			/** Saves, shows or discards the kept answer of a job that has failed. */
			readonly withAnswer: (action: AnswerAction, entry: JobEntry) => Promise<void>;
			/** Those of jobs that have failed that nobody has dealt with. */
			readonly open: (entries: readonly JobEntry[]) => Promise<readonly FailedJob[]>;
		},
	) {
		this.#outside = new OutsideNotices(needs.log);
	}

	dispose(): void {
		for (const timer of this.#telling.values()) {
			clearTimeout(timer);
		}
		this.#telling.clear();
	}

	/** The image is saved, whatever happens from here on; only its link may fail. */
	async link(entry: JobEntry, state: StateNamed<'saved'>): Promise<ArrivedJob> {
		const { insertions, log } = this.needs;
		const { request } = entry;
		stepDone(request.operation);
		const saved = {
			uri: vscode.Uri.parse(state.target, true),
			prompt: request.prompt,
			image: state.result,
			origin: await this.#originOf(entry),
		};
		try {
			return { entry, state, saved, followUp: await linkImage(saved, request, insertions) };
		} catch (error) {
			log.error('A saved image could not be used', error);
			const words = error instanceof Error ? error.message : String(error);
			return { entry, state, saved, followUp: { note: foreignText(words), buttons: [] } };
		}
	}

	/** Without the gallery, where it cannot be read, the nearest original is known. */
	async #originOf({ request }: JobEntry): Promise<Origin | undefined> {
		const { operation, references } = request;
		const images = operation === 'edit' ? await this.needs.gallery.list().catch(() => []) : [];
		return originOf({ operation, references: references.map(({ source }) => source) }, images);
	}

	/**
	 * Tells what has become of images that were asked for together, in one message; not where that is
	 * seen, and stays.
	 */
	tell(ends: RoundEnds<ArrivedJob>): void {
		const { arrived, failures } = ends;
		// Who sees an image arrive need not be told, except of what is left to do in the document.
		const isNews =
			!this.needs.jobs.watched ||
			arrived.some(({ entry }) => entry.request.insertion !== undefined);
		if (isNews) {
			this.#report(ends);
		}
		inBackground(this.#outside.tell(ends));
		const recipes = arrived.flatMap(({ state }) => state.recipe ?? []);
		inBackground(tellOfRecipes(recipes, this.needs.preferences));
		for (const { entry, state } of [...arrived, ...failures]) {
			this.#markNotifiedLater(entry, state);
		}
	}

	/** Tells why there are not even requests, each cause once, with what to do about it. */
	notAsked(
		all: readonly NotAsked[],
		again: (requests: readonly ImageRequest[]) => Promise<unknown>,
	): void {
		for (const alike of Map.groupBy(all, ({ error }) => String(error)).values()) {
			const requests = alike.map(({ request }) => request);
			const error = alike[0]?.error;
			if (error instanceof RequestError) {
				const change = () => inBackground(changeAll(requests));
				const sendAgain = () => inBackground(again(requests));
				inBackground(
					reportFailure(factsOf(error, { elapsedMs: 0 }, false), {
						...{ again: sendAgain, sendAgain },
						...{ change, smaller: change },
					}),
				);
			} else if (error instanceof WindowLeftError) {
				inBackground(offerReload(error.message));
			} else {
				tellFailure(
					error instanceof OutsideWorkspaceError && requests[0] !== undefined
						? new SaveError(
								targetOf(requests[0].target).folder,
								`${error.message} ${money.notSent}`,
								error,
							)
						: error,
				);
			}
		}
	}

	/** Nobody need be told any more. */
	forget(id: string): void {
		this.needs.jobs.forget(id);
		clearTimeout(this.#telling.get(id));
		this.#telling.delete(id);
	}

	cancelled(charge: Charge): void {
		const { message } = new CancelledError(charge);
		this.needs.log.info(message);
		if (charge === 'notSent' || charge === 'rejected') {
			mention(`Easel: ${message}`);
		} else {
			inBackground(notify('info', message));
		}
	}

	/** Notes what has become of a job, and that it was told; a job that is finished is removed then. */
	async markNotified(folder: string, state: JobState): Promise<void> {
		const notified = { ...state, notified: true };
		const onTrouble = (what: string, error: unknown) => this.needs.log.error(what, error);
		if ((await persistState(folder, notified, onTrouble)) && isFinished(notified)) {
			inBackground(this.needs.finished.remove(folder));
		}
	}

	#report(ends: RoundEnds): void {
		const { asked, arrived, failures, cancelled } = ends;
		const [failure] = failures;
		const entries = failures.map(({ entry }) => entry);
		const steps = {
			again: () => inBackground(this.others.again(...entries)),
			sendAgain: () => inBackground(this.others.sendAgain(...entries)),
			smaller: () => inBackground(this.others.smaller(...entries)),
			change: () => inBackground(this.#change(entries)),
		};
		if (asked > 1 || cancelled.length > 0) {
			inBackground(reportRound(ends, steps));
		} else if (failure === undefined) {
			arrived.forEach((one) => inBackground(reportSaved(one)));
		} else if (failure.state.state === 'interrupted') {
			const { prompt } = failure.entry.request;
			inBackground(reportInterrupted(prompt, failure.state, steps));
		} else {
			const { entry, state } = failure;
			inBackground(
				reportFailure(state.failure, steps, entry.request, (action) =>
					this.others.withAnswer(action, entry),
				),
			);
		}
	}

	async #change(entries: readonly JobEntry[]): Promise<void> {
		const open = await this.others.open(entries);
		await changeAll(open.map(({ entry }) => entry.request));
	}

	#markNotifiedLater({ folder, request: { id } }: JobEntry, state: JobState): void {
		clearTimeout(this.#telling.get(id));
		const timer = setTimeout(() => {
			inBackground(
				windowAnswers().then(async () => {
					// Meanwhile it may have been told anew, or put aside.
					if (this.#telling.get(id) === timer) {
						this.#telling.delete(id);
						await this.markNotified(folder, state);
					}
				}),
			);
		}, seenAfterMs);
		this.#telling.set(id, timer);
	}
}

/** Lets the user change requests that have failed, one after another, those that are alike once. */
async function changeAll(requests: readonly ImageRequest[]): Promise<void> {
	const alike = Map.groupBy(requests, (request) => {
		const { prompt, size, quality, withoutStyle, target } = request;
		const sources = ownReferences(request).map(({ source }) => source);
		return JSON.stringify([prompt, size, quality, withoutStyle, sources, target.stem]);
	});
	for (const [request, ...others] of alike.values()) {
		if (request !== undefined) {
			const draft = await draftAgain(request, 1 + others.length);
			await runRequestCommand('change', request.operation, draft);
		}
	}
}
