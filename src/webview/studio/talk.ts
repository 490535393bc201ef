import type { PageMessage } from '../../protocol/studio.js';

/** What a screen reader is told. */
export interface Announcement {
	readonly text: string;
	/** Whether it interrupts what is being read: errors do. */
	readonly urgent: boolean;
}

declare global {
	interface HTMLElementEventMap {
		/** Something for the extension. */
		'easel-tell': CustomEvent<PageMessage>;
		'easel-announce': CustomEvent<Announcement>;
	}
}

/** Sends a message to the extension, by way of the page around an element. */
export function tell(from: EventTarget, message: PageMessage): void {
	dispatch(from, 'easel-tell', message);
}

/** Has a screen reader say something that nothing on the screen with the focus says. */
export function announce(from: EventTarget, text: string, urgent = false): void {
	dispatch(from, 'easel-announce', { text, urgent });
}

/** Sends an event that leaves all shadow roots. */
export function dispatch<Name extends keyof HTMLElementEventMap>(
	from: EventTarget,
	name: Name,
	detail: HTMLElementEventMap[Name] extends CustomEvent<infer Detail> ? Detail : never,
): void {
	from.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
}
