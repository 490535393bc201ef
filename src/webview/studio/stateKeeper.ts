import * as z from 'zod/mini';
import { everything, savedStateSchema, type SavedState } from '../../protocol/studio.js';

/** Up to so many UTF-16 code units a state is kept at each key; it takes well under a millisecond. */
const small = 20_000;
/** How long nobody types before a larger one is, in milliseconds. */
const typingPause = 300;

/**
 * Keeps the state with the editor. What people write is kept at once: a window that is reloaded
 * right after a key says nothing to its pages. Only what is long waits until the typing pauses.
 */
export class StateKeeper {
	#waiting:
		{ readonly state: SavedState; readonly timer: ReturnType<typeof setTimeout> } | undefined;

	constructor(private readonly setState: (state: SavedState) => void) {}

	keep(state: SavedState): void {
		clearTimeout(this.#waiting?.timer);
		this.#waiting = undefined;
		if (state.draft.prompt.length + state.query.text.length <= small) {
			this.setState(state);
			return;
		}
		this.#waiting = { state, timer: setTimeout(() => this.flush(), typingPause) };
	}

	/** Keeps what waits. */
	flush(): void {
		const waiting = this.#waiting;
		if (waiting !== undefined) {
			clearTimeout(waiting.timer);
			this.#waiting = undefined;
			this.setState(waiting.state);
		}
	}
}

/**
 * Returns what was kept with the editor; `undefined` where that makes no sense. Of what an earlier
 * version has kept, the draft is what somebody has written.
 */
export function savedStateOf(kept: unknown): SavedState | undefined {
	const saved = savedStateSchema.safeParse(kept);
	if (saved.success) {
		return saved.data;
	}
	const earlier = z.object({ draft: savedStateSchema.shape.draft }).safeParse(kept);
	return earlier.success ? { draft: earlier.data.draft, query: everything } : undefined;
}
