import type { StudioRequest } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';

/** What a screen reader is told. */
export interface Announcement {
	readonly text: string;
	/** Whether it interrupts what is being read: errors do. */
	readonly urgent: boolean;
}

declare global {
	interface HTMLElementEventMap {
		/** The extension is to do something. */
		'easel-ask': CustomEvent<StudioRequest>;
		'easel-announce': CustomEvent<Announcement>;
	}
}

/** Asks the extension for something, by way of the page around an element. */
export function ask(from: EventTarget, request: StudioRequest): void {
	dispatch(from, 'easel-ask', request);
}

/** Has a screen reader say something that nothing on the screen with the focus says. */
export function announce(from: EventTarget, text: string, urgent = false): void {
	dispatch(from, 'easel-announce', { text, urgent });
}
