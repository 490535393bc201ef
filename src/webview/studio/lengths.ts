/**
 * Says that a text is too long; `undefined` where it fits. What a person has written is not cut.
 *
 * @param most in UTF-16 code units
 */
import { messages } from '../messages.js';
export function tooLong(text: string, most: number): string | undefined {
	const more = text.length - most;
	if (more <= 0) {
		return undefined;
	}
	return messages.tooLong(more);
}
