import type { Job } from '../../../protocol/studioModel.js';
import { pageMessages } from '../../messages.js';
import { announcementsOf, promptName } from '../jobAnnouncements.js';
import type { Notices } from './notices.js';

/** The images that are to come, or have not come. */
export class StudioJobs {
	/** Newest first. */
	byId: ReadonlyMap<string, Job> = new Map();
	/** The job whose card is open. */
	card: string | undefined;
	/** True where something was sent whose round is not shown yet. */
	hasRequested = false;

	#areKnown = false;
	/** Labels of awaited images, by its id. */
	readonly #awaited = new Map<string, string>();

	constructor(
		private readonly notices: Notices,
		private readonly changed: () => void,
	) {}

	/** @param id missing to close it */
	showCard(id?: string): void {
		this.card = id;
		this.changed();
	}

	/** @returns whether these are the first of what was requested here */
	take(jobs: readonly Job[]): boolean {
		const before = this.byId;
		this.byId = new Map(jobs.map((job) => [job.id, job]));
		if (this.card !== undefined && !this.byId.has(this.card)) {
			this.card = undefined;
		}
		for (const { id, label, prompt, state } of jobs) {
			if (state === 'failed') {
				this.#awaited.delete(id);
			} else {
				this.#awaited.set(id, `${label}, ${promptName(prompt)}`);
			}
		}
		this.changed();
		if (!this.#areKnown) {
			this.#areKnown = true;
			return false;
		}
		for (const { text, urgent } of announcementsOf([...before.values()], jobs)) {
			this.notices.announce(text, urgent);
		}
		const isFirst = this.hasRequested && jobs.some(({ id }) => !before.has(id));
		this.hasRequested &&= !isFirst;
		return isFirst;
	}

	/** Announces those that have become images, once. */
	announceArrived(imageIds: readonly string[]): void {
		for (const id of this.#awaited.size === 0 ? [] : imageIds) {
			const name = this.#awaited.get(id);
			if (name !== undefined) {
				this.#awaited.delete(id);
				this.notices.announce(pageMessages.arrived(name));
			}
		}
	}
}
