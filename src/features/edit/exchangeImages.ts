import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { ChangedError, exchange, putUnderFreeName, takeAway } from '../../editor/exchange.js';
import { placeOf } from '../../editor/filePlaces.js';
import type { KeptFiles } from '../../editor/keptFiles.js';
import { foreignText } from '../../editor/foreignText.js';
import { nameOf, reasonOf } from './replacementMessages.js';
import type { Replacement, Shown } from './replacementRecords.js';
import { replaceMessages } from '../messages.js';

/**
 * Puts one of the two images of a replacement where the other one is, if that is still there; the
 * edited image comes back to its own place, or goes from there. Where it is so already, nothing is
 * done.
 *
 * @param at the place, which may have the name of the original or the new one
 * @returns what people should know of it
 * @throws {ChangedError} where there is another file, or none; nothing was changed then
 */
export async function exchangeImages(
	replacement: Replacement,
	to: Shown,
	at: vscode.Uri,
	kept: KeptFiles,
): Promise<string[]> {
	const { edited, originalSha256, editedSha256 } = replacement;
	const place = placeOf(at);
	const [from, sha256] =
		to === 'edited' ? [originalSha256, editedSha256] : [editedSha256, originalSha256];
	const found = await place.sha256();
	if (found === sha256) {
		return to === 'edited' ? takeEditedAway(replacement, kept) : [];
	}
	if (found !== from) {
		throw new ChangedError(
			found === undefined ? replaceMessages.fileMissing : replaceMessages.fileChanged,
		);
	}
	const notes: string[] = [];
	if (to === 'original') {
		const name = await putUnderFreeName(placeOf(edited), kept, editedSha256);
		if (name !== posix.basename(edited.path)) {
			notes.push(replaceMessages.editedRenamed(foreignText(name)));
		}
	}
	const aside = await exchange(place, kept, from, sha256);
	if (aside !== undefined) {
		notes.push(replaceMessages.otherVersion(foreignText(aside)));
	}
	return to === 'edited' ? [...notes, ...(await takeEditedAway(replacement, kept))] : notes;
}

/** It has another place now. What is not that image any more stays where it is. */
async function takeEditedAway(
	{ edited, editedSha256 }: Replacement,
	kept: KeptFiles,
): Promise<string[]> {
	try {
		await takeAway(placeOf(edited), kept, editedSha256);
		return [];
	} catch (error) {
		return error instanceof ChangedError
			? []
			: [replaceMessages.notRemoved(nameOf(edited), reasonOf(error))];
	}
}
