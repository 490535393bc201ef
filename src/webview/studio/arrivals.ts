import type { Job } from '../../protocol/studio.js';
import { nameOf } from './jobAnnouncements.js';

/** A new image is among the first; there may be many behind them. */
const lookedAt = 100;

/** Finds out which of the images that were being made have come. They have their jobs' ids. */
export class Arrivals {
	readonly #awaited = new Map<string, string>();

	watch(jobs: readonly Job[]): void {
		for (const { id, prompt, state } of jobs) {
			if (state === 'failed') {
				this.#awaited.delete(id);
			} else {
				this.#awaited.set(id, prompt);
			}
		}
	}

	/** What to say of the images that have come. @param ids of the gallery, newest first */
	arrived(ids: readonly string[]): string[] {
		return ids.slice(0, lookedAt).flatMap((id) => {
			const prompt = this.#awaited.get(id);
			this.#awaited.delete(id);
			return prompt === undefined ? [] : [`${nameOf(prompt)}: the image is there.`];
		});
	}
}
