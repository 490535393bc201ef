import { setTimeout as delay } from 'node:timers/promises';
import { runDetached } from '../editor/messages.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { Outcome } from './outcome.js';
import { newBatchSignals, type BatchSignals } from './runJob.js';

/**
 * Wait for the others of a recovered batch before it is reported, in milliseconds: they are resumed
 * one by one, as it becomes certain that no other window has them.
 */
const gatheringMs = 1000;

/** Puts jobs whose window has gone together again as batches, so that each is reported once. */
export class RecoveredBatches {
	/** By their ids. */
	readonly #open = new Map<
		string,
		{ readonly batch: BatchSignals; readonly outcomes: Outcome[]; open: number }
	>();

	constructor(private readonly report: (outcomes: readonly Outcome[]) => void) {}

	/** Brings a job of a batch to its end; the batch is reported when all are. */
	async run(entry: JobEntry, task: (batch: BatchSignals) => Promise<Outcome>): Promise<Outcome> {
		const id = entry.request.round.id;
		const open = this.#open.get(id) ?? { batch: newBatchSignals(), outcomes: [], open: 0 };
		this.#open.set(id, open);
		open.open += 1;
		try {
			const outcome = await task(open.batch);
			open.outcomes.push(outcome);
			return outcome;
		} finally {
			open.open -= 1;
			runDetached(this.#reportWhenOver(id));
		}
	}

	async #reportWhenOver(id: string): Promise<void> {
		await delay(gatheringMs, undefined, { ref: false });
		const recovered = this.#open.get(id);
		if (recovered?.open === 0) {
			this.#open.delete(id);
			this.report(recovered.outcomes);
		}
	}
}
