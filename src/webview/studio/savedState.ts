import * as z from 'zod/mini';
import { everything, savedStateSchema, type SavedState } from '../../protocol/studio.js';

/**
 * Returns what was kept with the editor; `undefined` where that makes no sense. Of what an earlier
 * version has kept, the draft is what the user has written.
 */
export function savedStateOf(kept: unknown): SavedState | undefined {
	const saved = savedStateSchema.safeParse(kept);
	if (saved.success) {
		return saved.data;
	}
	const earlier = z.object({ draft: savedStateSchema.shape.draft }).safeParse(kept);
	return earlier.success ? { draft: earlier.data.draft, query: everything } : undefined;
}
