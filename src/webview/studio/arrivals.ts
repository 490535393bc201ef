import type { Job } from '../../protocol/studio.js';
import { nameOf } from './jobAnnouncements.js';
import type { RoundPlaces } from './streamRounds.js';
import { messages } from '../messages.js';

/** Finds out which of the images that were being made have come. They have their jobs' ids. */
export class Arrivals {
	readonly #awaited = new Map<string, string>();

	watch(jobs: readonly Job[]): void {
		for (const { id, label, prompt, state } of jobs) {
			if (state === 'failed') {
				this.#awaited.delete(id);
			} else {
				this.#awaited.set(id, `${label}, ${nameOf(prompt)}`);
			}
		}
	}

	/** What to say of the images that have come. @param rounds newest first */
	arrived(rounds: readonly RoundPlaces[]): string[] {
		const said: string[] = [];
		for (const { slots } of this.#awaited.size === 0 ? [] : rounds) {
			for (const { id, kind } of slots) {
				const name = kind === 'image' ? this.#awaited.get(id) : undefined;
				if (name !== undefined) {
					this.#awaited.delete(id);
					said.push(messages.arrived(name));
				}
			}
		}
		return said;
	}
}
