import { EaselError } from '../../easelError.js';
import { foreignText } from '../../editor/foreignText.js';
import { codeOf, isNotThere } from '../../files/refusal.js';

/** Why something of the style sheet is not shown. */
export function unreadable(what: 'file' | 'folder', error: unknown): string {
	if (error instanceof EaselError) {
		return foreignText(error.message, 1000);
	}
	return isNotThere(error)
		? `The ${what} is not there any more.`
		: `The ${what} cannot be read (${codeOf(error) || 'unknown error'}).`;
}
