import type { StudioEvent } from '../../protocol/studio.js';

type WantedEvent = Extract<StudioEvent, { readonly type: 'search' | 'mark' | 'drafted' | 'sized' }>;

/** Events that wait until the page stands and receives messages. */
export class Outbox {
	/** True where the page receives messages: VS Code throws one away that is hidden. */
	isReady = false;
	/** True where a request was accepted that no page has heard of. */
	#isAcceptedUnheard = false;
	/** Search, image to mark, draft or size that the page gets when it is ready. */
	#wanted: WantedEvent | undefined;

	constructor(private readonly send: (event: StudioEvent) => void) {}

	/** Sends what has waited: the page is ready. */
	open(): void {
		this.isReady = true;
		if (this.#isAcceptedUnheard) {
			this.sendAsked(true);
		}
		this.#sendWanted();
	}

	/** Sends an event as soon as the page is ready; a later one takes its place. */
	sendWhenReady(event: WantedEvent): void {
		this.#wanted = event;
		if (this.isReady) {
			this.#sendWanted();
		}
	}

	/** A page that comes back with a prompt that was accepted would invite to pay for it twice. */
	sendAsked(accepted: boolean): void {
		this.#isAcceptedUnheard = accepted && !this.isReady;
		this.send({ type: 'asked', accepted });
	}

	#sendWanted(): void {
		if (this.#wanted !== undefined) {
			this.send(this.#wanted);
			this.#wanted = undefined;
		}
	}
}
