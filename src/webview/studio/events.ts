import type { StudioRequest } from '../../protocol/studio.js';
import type { JobAction } from '../../protocol/studioActions.js';
import { dispatch } from '../dispatch.js';

/** What a screen reader is told. */
export interface Announcement {
	readonly text: string;
	/** Whether it interrupts what is being read: errors do. */
	readonly urgent: boolean;
}

/** The extension is to do something. Whoever passes it on leaves the answer in it. */
export class AskEvent extends CustomEvent<StudioRequest> {
	answer: Promise<unknown> | undefined;

	constructor(detail: StudioRequest) {
		super('easel-ask', { detail, bubbles: true, composed: true });
	}
}

declare global {
	interface HTMLElementEventMap {
		'easel-ask': AskEvent;
		'easel-announce': CustomEvent<Announcement>;
	}
}

/** Asks the extension for something, by way of the page around an element. */
export function ask(from: EventTarget, request: StudioRequest): void {
	from.dispatchEvent(new AskEvent(request));
}

/** The same, for who goes on after it. Resolves with whether it was answered without an error. */
export async function asked(from: EventTarget, request: StudioRequest): Promise<boolean> {
	const event = new AskEvent(request);
	from.dispatchEvent(event);
	try {
		await event.answer;
		return true;
	} catch {
		// The page has shown it.
		return false;
	}
}

/** Asks for the same for one job or several; together where they have the same failure. */
export function askJobs(from: EventTarget, ids: readonly string[], action: JobAction): void {
	const [id] = ids;
	if (ids.length > 1 && (action === 'again' || action === 'dismiss')) {
		ask(from, { type: 'jobs', ids: [...ids], action });
	} else if (id !== undefined) {
		ask(from, { type: 'job', id, action });
	}
}

/** Has a screen reader say something that nothing on the screen with the focus says. */
export function announce(from: EventTarget, text: string, urgent = false): void {
	dispatch(from, 'easel-announce', { text, urgent });
}
