import * as z from 'zod/mini';
import { everything, savedStateSchema, type SavedState } from '../../protocol/studio.js';

/**
 * Returns the state saved with the editor; `undefined` where it makes no sense. Of what an earlier
 * version has saved, the draft is what the user has written.
 */
export function savedStateOf(state: unknown): SavedState | undefined {
	const saved = savedStateSchema.safeParse(state);
	if (saved.success) {
		return saved.data;
	}
	const earlier = z.object({ draft: savedStateSchema.shape.draft }).safeParse(state);
	return earlier.success ? { draft: earlier.data.draft, query: everything } : undefined;
}
