import { safeText } from '../editor/untrustedText.js';
import type { RequestOrigin } from '../jobs/request.js';
import { phrases } from '../messages.js';

/** Longest name of a caller, in graphemes. */
const maxNameLength = 40;

/** Returns who has asked for an image, as a message begins: `An agent`. Its own name may be anything. */
export function callerWords({ door, name = '' }: RequestOrigin): string {
	return safeText(name, maxNameLength) || phrases.callers[door];
}

/** Returns the label of an image that was not asked for by the user: `By Claude Code`. */
export function originLabels(origin: RequestOrigin | undefined): string[] {
	if (origin === undefined) {
		return [];
	}
	const name = safeText(origin.name ?? '', maxNameLength);
	return [phrases.requestedBy(name || phrases.callers[origin.door].replace(/^A/, 'a'))];
}
