import { foreignText } from '../editor/foreignText.js';
import type { Log } from '../editor/log.js';
import { inBackground, notify } from '../editor/messages.js';
import { readState, type JobEntry } from '../jobs/jobFolder.js';
import { isOver } from '../jobs/state.js';

/** Whether somebody has dealt with a failure; `unknown` where the journal does not say it now. */
type Standing = 'open' | 'dealtWith' | 'unknown';

/**
 * Which failures are still to be dealt with. VS Code cannot take a message back: its buttons may be
 * pressed long after the same was done in the studio, or in another window.
 */
export class OpenFailures {
	/** Those that are just being sent again, by their ids: two quick presses must not both pass. */
	readonly #taken = new Set<string>();
	/** Those that this window has dealt with: known before the journal says so, or if it never does. */
	readonly #dealtWith = new Set<string>();

	constructor(
		private readonly log: Log,
		/** Called with the id of what another window has dealt with: here it is listed still. */
		private readonly forget: (id: string) => void,
	) {}

	/** From now on it is dealt with, whatever the journal says. */
	close(id: string): void {
		this.#dealtWith.add(id);
	}

	/**
	 * Does something with those that are open and that nobody else takes until it is over. Nothing
	 * is done where there are none, which is told.
	 */
	async take(
		entries: readonly JobEntry[],
		task: (open: readonly JobEntry[]) => Promise<void>,
	): Promise<void> {
		const mine = this.#free(entries);
		mine.forEach(({ request }) => this.#taken.add(request.id));
		try {
			const open = await this.#openOf(mine, entries);
			if (open.length > 0) {
				await task(open);
			}
		} finally {
			// What was given up, at a question for example, can be sent later.
			mine.forEach(({ request }) => this.#taken.delete(request.id));
		}
	}

	/** Those that are open now; where there are none, that is told. */
	of(entries: readonly JobEntry[]): Promise<readonly JobEntry[]> {
		return this.#openOf(this.#free(entries), entries);
	}

	#free(entries: readonly JobEntry[]): readonly JobEntry[] {
		return entries.filter(({ request }) => !this.#taken.has(request.id));
	}

	/** @param entries all that were meant */
	async #openOf(
		free: readonly JobEntry[],
		entries: readonly JobEntry[],
	): Promise<readonly JobEntry[]> {
		const standings = await Promise.all(free.map((entry) => this.#standingOf(entry)));
		const those = (standing: Standing) => free.filter((_entry, at) => standings[at] === standing);
		const [open, unknown] = [those('open'), those('unknown')];
		if (unknown.length > 0) {
			inBackground(notify('warning', unknownWords(unknown)));
		} else if (open.length === 0 && entries.length > 0) {
			inBackground(notify('info', 'This was dealt with meanwhile. Nothing was sent.'));
		}
		return open;
	}

	async #standingOf({ folder, request: { id } }: JobEntry): Promise<Standing> {
		const state = await readState(folder).catch((error: unknown) => {
			this.log.error(`Whether ${id} was dealt with cannot be read`, error);
			return undefined;
		});
		if (this.#dealtWith.has(id) || state?.state === 'received') {
			return 'dealtWith';
		}
		// The end of a job that stands here as under way could not be noted yet, or is damaged.
		if (state === undefined || !isOver(state)) {
			return 'unknown';
		}
		const isFailure = state.state === 'failed' || state.state === 'interrupted';
		if (isFailure && state.dismissed !== true) {
			return 'open';
		}
		this.forget(id);
		return 'dealtWith';
	}
}

/** A failure of which this is not known stays listed, so that it can be sent later. */
function unknownWords(entries: readonly JobEntry[]): string {
	const [first] = entries;
	return first !== undefined && entries.length === 1
		? `Whether the image “${foreignText(first.request.prompt, 60)}” was dealt with meanwhile cannot be read just now. It was not sent.`
		: `Whether ${String(entries.length)} images were dealt with meanwhile cannot be read just now. They were not sent.`;
}
