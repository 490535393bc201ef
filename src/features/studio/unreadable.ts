import { wordsOf } from '../../editor/errorTexts.js';
import { EaselError } from '../../easelError.js';
import { safeText } from '../../editor/untrustedText.js';
import { codeOf, isNotFound } from '../../files/fsErrors.js';
import { studioMessages } from '../messages.js';

/** Why something of the style sheet is not shown. */
export function unreadable(what: 'file' | 'folder', error: unknown): string {
	if (error instanceof EaselError) {
		return safeText(wordsOf(error), 1000);
	}
	return isNotFound(error)
		? studioMessages.missing[what]
		: studioMessages.unreadable[what](codeOf(error) || studioMessages.unknownError);
}
