import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { BackupStore } from '../../editor/backupStore.js';
import { placeOf } from '../../editor/filePlaces.js';
import { refusalSentence } from '../../editor/files.js';
import { ChangedError, isSwapped, restoreUnderFreeName, swapFile } from '../../editor/swapFiles.js';
import { otherSide, type Side, type Swap, type SwapStep } from '../../editor/undoableSwaps.js';
import { safeName, safeText } from '../../editor/untrustedText.js';
import { replaceMessages } from '../messages.js';

/** An image that takes the place of the one that it was made from: the edited image. */
export interface Replacement {
	readonly step: SwapStep;
	/** Where the image is before the step and after it: perhaps under another name. */
	readonly image: Readonly<Record<Side, vscode.Uri>>;
	/** SHA-256 of what is there then, hexadecimal: of the original, and of the edited image. */
	readonly sha256: Readonly<Record<Side, string>>;
	/** Where the edited image was. */
	readonly edited: vscode.Uri;
}

export function swapsOf({ image, sha256, edited }: Omit<Replacement, 'step'>): Swap[] {
	return [
		{ file: image.before.toString(), renamed: image.after.toString(), ...sha256 },
		{ file: edited.toString(), before: sha256.after },
	];
}

export function replacementOf(step: SwapStep): Replacement {
	const [image, edited] = step.swaps;
	if (image?.before === undefined || image.after === undefined || edited === undefined) {
		throw new Error('This step is no replacement.');
	}
	const { file, renamed = file, before, after } = image;
	const uri = (text: string) => vscode.Uri.parse(text, true);
	return {
		step,
		image: { before: uri(file), after: uri(renamed) },
		sha256: { before, after },
		edited: uri(edited.file),
	};
}

export function isRenamed({ image }: Replacement): boolean {
	return image.before.toString() !== image.after.toString();
}

/**
 * Puts one of the two images where the other one is, if that is still there; the edited image comes
 * back to its own place, or goes from there. Where it is so already, nothing is done.
 *
 * @param at the place, which may have the name of the original or the new one
 * @returns what the user should know of it
 * @throws {ChangedError} where there is another file, or none; nothing was changed then
 */
export async function swapImages(
	{ edited, sha256 }: Replacement,
	to: Side,
	at: vscode.Uri,
	backups: BackupStore,
): Promise<string[]> {
	const place = placeOf(at);
	const notes: string[] = [];
	if (to === 'before' && !(await isSwapped(place, sha256.after, sha256.before))) {
		const name = await restoreUnderFreeName(placeOf(edited), backups, sha256.after);
		if (name !== posix.basename(edited.path)) {
			notes.push(replaceMessages.editedRenamed(safeText(name)));
		}
	}
	const aside = await swapFile(place, backups, sha256[otherSide(to)], sha256[to]);
	if (aside !== undefined) {
		notes.push(replaceMessages.otherVersion(safeText(aside)));
	}
	if (to === 'after') {
		// It has another place now. What is not that image any more stays where it is.
		await swapFile(placeOf(edited), backups, sha256.after, undefined).catch((error: unknown) => {
			if (!(error instanceof ChangedError)) {
				notes.push(replaceMessages.notRemoved(safeName(edited), refusalSentence(error)));
			}
		});
	}
	return notes;
}

export function replacedText(
	replacement: Replacement,
	documents: number,
	notes: readonly string[],
): string {
	const { image, edited } = replacement;
	const by = isRenamed(replacement) ? image.after : edited;
	const updated = documents === 0 ? [] : [replaceMessages.updated(documents)];
	const replaced = replaceMessages.replaced(safeName(image.before), safeName(by));
	return [replaced, ...updated, ...notes].join(' ');
}
