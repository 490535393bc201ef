import { safeText } from '../editor/untrustedText.js';
import { log } from '../log.js';
import { runDetached, notify } from '../editor/messages.js';
import { isFolderGone } from '../files/exists.js';
import { againLease, readState, type JobEntry } from '../jobs/jobFolder.js';
import { isOver, type JobState } from '../jobs/state.js';
import type { Leases } from '../jobs/windowLeases.js';
import type { FailedJob } from './failures.js';
import type { ResultNotifier } from './resultNotifier.js';
import { messages } from '../messages.js';

/**
 * A failure that is open, with its end as the journal has it now; or that it was dealt with,
 * another window is about to, or the journal does not say it now.
 */
type Standing = FailedJob | 'dealtWith' | 'elsewhere' | 'unknown';

/**
 * Knows which failures are still to be dealt with. VS Code cannot take a message back: its buttons
 * may be pressed long after the same was done in the studio, or in another window.
 */
export class RetryGuard {
	/** Those that are just being sent again, by their ids: two quick presses must not both pass. */
	readonly #taken = new Set<string>();
	/** Those that this window has dealt with: known before the journal says so, or if it never does. */
	readonly #dealtWith = new Set<string>();

	constructor(
		private readonly leases: Pick<Leases, 'acquire' | 'release' | 'left'>,
		/** Failures that another window has handled are still listed here. */
		private readonly notifier: Pick<ResultNotifier, 'forget'>,
	) {}

	/** From now on it is dealt with, whatever the journal says. */
	close(id: string): void {
		this.#dealtWith.add(id);
	}

	/**
	 * Runs `task` on the failures that are still open while holding a cross-window lock on them.
	 * Where there are none, the user is notified, and `undefined` returned.
	 */
	async take<T>(
		entries: readonly JobEntry[],
		task: (open: readonly FailedJob[]) => Promise<T>,
	): Promise<T | undefined> {
		const mine = entries.filter(({ request }) => !this.#taken.has(request.id));
		mine.forEach(({ request }) => this.#taken.add(request.id));
		try {
			const standings = await Promise.all(mine.map((entry) => this.#standingTaken(entry)));
			const open = standings.filter((standing) => typeof standing === 'object');
			const unknown = mine.filter((_entry, at) => standings[at] === 'unknown');
			if (unknown.length > 0) {
				runDetached(notify('warning', unknownWords(unknown)));
			} else if (open.length === 0 && entries.length > 0) {
				const isElsewhere = standings.includes('elsewhere');
				const words = isElsewhere ? messages.retriedElsewhere : messages.alreadyHandled;
				runDetached(notify('info', words));
			}
			return open.length > 0 ? await task(open) : undefined;
		} finally {
			// What was given up, at a question for example, can be sent later.
			mine.forEach(({ request }) => this.#taken.delete(request.id));
			await Promise.all(mine.map((entry) => this.#giveBack(entry)));
		}
	}

	/** Takes it for this window, so that another one that sees it open as well leaves it alone. */
	async #standingTaken(entry: JobEntry): Promise<Standing> {
		if (this.leases.left.aborted) {
			// This window makes no images any more, which is shown where one is requested.
			return this.#standingOf(entry);
		}
		let taken: 'mine' | 'elsewhere' | 'unknown' = 'elsewhere';
		try {
			const lease = await this.leases.acquire(entry.folder, againLease);
			if (lease === 'unknown' || typeof lease === 'object') {
				taken = lease === 'unknown' ? lease : 'mine';
			}
		} catch (error) {
			if (await isFolderGone(error, entry.folder)) {
				return this.#standingOf(entry);
			}
			log.error(`Whether ${entry.request.id} is being retried could not be checked`, error);
			taken = 'unknown';
		}
		// Behind it: the other window may just have come to its end.
		const standing = await this.#standingOf(entry);
		return typeof standing === 'object' && taken !== 'mine' ? taken : standing;
	}

	async #giveBack({ folder, request: { id } }: JobEntry): Promise<void> {
		try {
			await this.leases.release(folder, againLease);
		} catch (error) {
			// It is free again when this window is closed.
			log.error(`The retry of ${id} could not be recorded`, error);
		}
	}

	async #standingOf(entry: JobEntry): Promise<Standing> {
		const { id } = entry.request;
		const state = await stateOf(entry.folder).catch((error: unknown) => {
			log.error(`Whether ${id} was already retried could not be checked`, error);
			return 'unknown' as const;
		});
		if (this.#dealtWith.has(id)) {
			return 'dealtWith';
		}
		if (state === undefined) {
			this.close(id);
		} else if (state === 'unknown') {
			return state;
		} else if (state.state === 'received') {
			return 'dealtWith';
		} else if (!isOver(state)) {
			// The end of a job that looks under way here could not be noted yet, or is damaged.
			return 'unknown';
		} else if (
			(state.state === 'failed' || state.state === 'interrupted') &&
			state.dismissed !== true
		) {
			return { entry, state };
		}
		this.notifier.forget(id);
		return 'dealtWith';
	}
}

/** Reads the state of a job; `undefined` where another window has finished it, and so removed it. */
export async function stateOf(folder: string): Promise<JobState | undefined> {
	return readState(folder).catch(async (error: unknown) => {
		if (await isFolderGone(error, folder)) {
			return undefined;
		}
		throw error;
	});
}

/** A failure of which this is not known stays listed, so that it can be sent later. */
function unknownWords(entries: readonly JobEntry[]): string {
	const [first] = entries;
	return first !== undefined && entries.length === 1
		? messages.uncheckedRetry(safeText(first.request.prompt, 60))
		: messages.uncheckedRetries(entries.length);
}
