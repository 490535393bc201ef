import type * as vscode from 'vscode';
import { runDetached, showError } from '../editor/messages.js';
import { lookAfterSaved } from '../jobs/deliver.js';
import { now, type JobEntry } from '../jobs/jobFolder.js';
import type { ImageRequest } from '../jobs/request.js';
import type { FinalState } from '../jobs/state.js';
import { log } from '../log.js';
import { BatchJournal, isJournaled, type Journaled } from './batchJournal.js';
import { BatchProgress } from './batchProgress.js';
import { confirmMany } from './confirmations.js';
import { savedFileLookup } from './destination.js';
import { FailureActions, type FailureAction } from './failureActions.js';
import { inheritExports } from './exporter.js';
import type { GeneratorServices } from './generatorServices.js';
import type { UnsavedImage } from './jobList.js';
import { JobRunner, type Arrival } from './jobRunner.js';
import { sortOutcomes, type Outcome } from './outcome.js';
import { RecoveredBatches } from './recoveredBatches.js';
import { reportCancelled } from './report.js';
import { ResultNotifier } from './resultNotifier.js';
import { newBatchSignals } from './runJob.js';
import { UnsavedImages, type UnsavedAction } from './unsavedImages.js';

/** Accepts requests, journals them as a batch, brings each to its end, and notifies once. */
export class Generator implements vscode.Disposable {
	readonly #notifier: ResultNotifier;
	readonly #progress: BatchProgress;
	readonly #journal: BatchJournal;
	readonly #runner: JobRunner;
	readonly #failures: FailureActions;
	readonly #unsaved: UnsavedImages;
	readonly #recovered = new RecoveredBatches((outcomes) => this.#report(outcomes));
	readonly #ending = new AbortController();
	/** Fires when an image is saved, and all that follows it is done. */
	readonly onArrived: vscode.Event<Arrival>;

	constructor(private readonly services: GeneratorServices) {
		this.#notifier = new ResultNotifier(services);
		this.#progress = new BatchProgress(services);
		this.#journal = new BatchJournal(services);
		this.#failures = new FailureActions(services, this.#notifier, async (requests) => {
			const journaled = await this.#journal.write(requests);
			const reported = this.#runAll(journaled).then((outcomes) => {
				this.#report(outcomes);
			});
			return { journaled, reported };
		});
		this.#unsaved = new UnsavedImages(services, async (entry, state) => {
			this.#report([await this.#runner.arrive(entry, state)]);
		});
		this.#runner = new JobRunner(services, this.#notifier, this.#unsaved, this.#ending.signal);
		this.onArrived = this.#runner.onArrived;
	}

	dispose(): void {
		// The workers go on; the next window picks them up.
		this.#ending.abort();
		this.#notifier.dispose();
		this.#progress.dispose();
		this.#runner.dispose();
	}

	/**
	 * Makes images that are asked for together; each has a progress and an end of its own. Failures are
	 * shown.
	 *
	 * @param onJournaled called when all of it is in the journal, so that nothing of it can be lost
	 * @returns the images that were saved; `undefined` where the user has cancelled all
	 */
	async make(
		requests: readonly ImageRequest[],
		onJournaled?: () => Promise<void>,
	): Promise<vscode.Uri[] | undefined> {
		const styled = await this.services.styles.apply(requests);
		if (styled === undefined || !(await confirmMany(styled, this.services.preferences))) {
			return undefined;
		}
		return savedOf(await this.#make(styled, onJournaled));
	}

	/**
	 * Makes images that the user, or the budget of agents, has allowed already: nothing is asked.
	 *
	 * @param requests with their style
	 * @param id that of the batch
	 * @param onJournaled as in {@link make}
	 * @returns what became of each
	 */
	makeAllowed(
		requests: readonly ImageRequest[],
		id: string,
		onJournaled: () => Promise<void>,
	): Promise<readonly Outcome[]> {
		return this.#make(requests, onJournaled, id);
	}

	async #make(
		styled: readonly ImageRequest[],
		onJournaled?: () => Promise<void>,
		id?: string,
	): Promise<Outcome[]> {
		const all = await inheritExports(styled, this.services.gallery);
		const journaled = await this.#journal.write(all, { id });
		if (journaled.every(isJournaled) && !this.#ending.signal.aborted) {
			await onJournaled?.().catch(showError);
		}
		const outcomes = await this.#runAll(journaled);
		this.#report(outcomes);
		return outcomes;
	}

	/**
	 * Makes images that have names of their own. Does not ask about the cost: the caller has said how
	 * many requests these are, and had them chosen one by one.
	 *
	 * @returns the images that were saved; `undefined` where the user has cancelled all
	 */
	async makeSeries(requests: readonly ImageRequest[]): Promise<vscode.Uri[] | undefined> {
		const styled = await this.services.styles.apply(requests);
		if (styled === undefined) {
			return undefined;
		}
		const all = await inheritExports(styled, this.services.gallery);
		const outcomes = await this.#runAll(await this.#journal.write(all, { areDrafts: false }));
		this.#report(outcomes);
		return savedOf(outcomes);
	}

	/** Resumes a job that another window has left, or this one before a reload. */
	resume(entry: JobEntry): Promise<Outcome> {
		return this.#recovered.run(entry, (batch) => this.#runner.run(entry, batch));
	}

	/** Gives up a job that was never sent. */
	async discard({ folder, request, state: { attempts } }: JobEntry): Promise<void> {
		const end = { state: 'cancelled', charge: 'notSent', attempts, changedAt: now() } as const;
		await this.#notifier.recordSettled(folder, end);
		log.info(`${request.id} was discarded; nothing was sent.`);
	}

	/** Lists an image that was never sent, to be asked for again from there. */
	async setAside({ folder, request, state: { attempts } }: JobEntry): Promise<void> {
		const charge = 'notSent';
		const state = { state: 'interrupted', charge, attempts, changedAt: now() } as const;
		await this.#notifier.recordSettled(folder, state);
		this.services.jobs.addFailed({ folder, request, state }, state);
	}

	/** Reports the end of a job whose window was gone before the user could have seen it. */
	async reportAgain(entry: JobEntry, state: FinalState): Promise<void> {
		switch (state.state) {
			case 'saved': {
				const unsaved = await lookAfterSaved(entry, state, savedFileLookup);
				if (unsaved === undefined) {
					await this.#recovered.run(entry, () => this.#runner.arrive(entry, state));
				} else {
					this.#unsaved.add(entry, unsaved);
				}
				return;
			}
			case 'failed':
			case 'interrupted':
				await this.#recovered.run(entry, () => Promise.resolve(this.#runner.fail(entry, state)));
				return;
			case 'cancelled':
			case 'discarded':
				await this.#notifier.recordSettled(entry.folder, state);
		}
	}

	/**
	 * Does what the user has chosen about requests that have failed.
	 *
	 * @throws {EaselError} where a kept answer is gone or cannot be saved
	 */
	act(action: FailureAction, entries: readonly JobEntry[]): Promise<void> {
		return this.#failures.act(action, entries);
	}

	/** Does what the user has chosen about an image that could not be saved. */
	actOnUnsaved(action: UnsavedAction, image: UnsavedImage): Promise<void> {
		return this.#unsaved.act(action, image);
	}

	/**
	 * Brings the jobs of a batch to their ends, each by itself; in their order. Never rejects. Their
	 * progress is out of sight then, so that their end is not shown beside it.
	 */
	async #runAll(journaled: readonly Journaled[]): Promise<Outcome[]> {
		const batch = newBatchSignals();
		const outcomes = await Promise.all(
			journaled.map(async (one) => (isJournaled(one) ? this.#runner.run(one, batch) : one)),
		);
		const [first] = journaled.filter(isJournaled);
		if (first !== undefined) {
			await this.#progress.whenHidden(first.request.round.id);
		}
		return outcomes;
	}

	/** Reports what has become of a batch, and does what the user chooses. */
	#report(outcomes: readonly Outcome[]): void {
		const ends = sortOutcomes(outcomes);
		const { arrived, cancelled, failures } = ends;
		if (this.#ending.signal.aborted) {
			return;
		}
		if (arrived.length + failures.length === 0) {
			reportCancelled(cancelled);
		} else {
			const entries = failures.map(({ entry }) => entry);
			runDetached(
				this.#notifier.notify(ends).then((action) => action && this.act(action, entries)),
			);
		}
	}
}

function savedOf(outcomes: readonly Outcome[]): vscode.Uri[] | undefined {
	return outcomes.every(({ type }) => type === 'cancelled')
		? undefined
		: outcomes.flatMap((outcome) => (outcome.type === 'arrived' ? outcome.saved.uri : []));
}
