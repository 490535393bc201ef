import { EaselError } from '../../easelError.js';
import { foreignText } from '../../editor/untrustedText.js';
import { codeOf, isNotFound } from '../../files/fsErrors.js';

/** Why something of the style sheet is not shown. */
export function unreadable(what: 'file' | 'folder', error: unknown): string {
	if (error instanceof EaselError) {
		return foreignText(error.message, 1000);
	}
	return isNotFound(error)
		? `The ${what} is not there any more.`
		: `The ${what} cannot be read (${codeOf(error) || 'unknown error'}).`;
}
