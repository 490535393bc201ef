import type { StudioRequest } from '../../../protocol/studio.js';
import { maxDescribed } from '../../../protocol/studioModel.js';

/** Resolves with whether it was done; a failure has been shown then. */
export type SendRequest = (request: StudioRequest) => Promise<boolean>;

/**
 * Pause between two requests, in milliseconds: a user who scrolls on needs none of what is between.
 */
const pauseMs = 100;

/** Requests for descriptions of what is on the screen. */
export class DescriptionRequests {
	#last = '';
	#sentAt = -Infinity;
	#timer: ReturnType<typeof setTimeout> | undefined;

	constructor(private readonly ask: SendRequest) {}

	/**
	 * Asks for what an element has to know of what it shows; at most every tenth of a second.
	 *
	 * @param shown what is seen first
	 */
	request(shown: Partial<Record<'rounds' | 'images', readonly string[]>>): void {
		const { rounds = [], images = [] } = shown;
		const request: StudioRequest = {
			type: 'describe',
			rounds: rounds.slice(0, maxDescribed),
			images: images.slice(0, maxDescribed),
		};
		clearTimeout(this.#timer);
		const text = JSON.stringify(request);
		if (text === this.#last) {
			return;
		}
		const rest = this.#sentAt + pauseMs - performance.now();
		this.#timer = setTimeout(
			() => {
				this.#last = text;
				this.#sentAt = performance.now();
				void this.ask(request);
			},
			Math.max(rest, 0),
		);
	}

	/** Sends the next request even if it is the same as the last one. */
	repeat(): void {
		this.#last = '';
	}
}
