import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { BackupStore } from '../../editor/backupStore.js';
import { placeOf } from '../../editor/filePlaces.js';
import { refusalSentence, uriExists } from '../../editor/files.js';
import { notify, type Button } from '../../editor/messages.js';
import { swapFile } from '../../editor/swapFiles.js';
import type { Side } from '../../editor/undoableSwaps.js';
import { safeName } from '../../editor/untrustedText.js';
import { openImage } from '../../generation/savedImage.js';
import { candidateNames } from '../../images/fileName.js';
import { log } from '../../log.js';
import { replaceMessages } from '../messages.js';
import { isRenamed, type Replacement } from './replacement.js';

export interface Message {
	readonly severity: 'info' | 'warning' | 'error';
	readonly text: string;
	readonly buttons: readonly Button[];
}

/** What the user should know of a step that needs no message otherwise. */
export function notesMessage(notes: readonly string[], image: vscode.Uri): Message | undefined {
	return notes.length === 0
		? undefined
		: { severity: 'warning', text: notes.join(' '), buttons: [showButton(image)] };
}

/**
 * What stands in the way of the Undo of a message; `undefined` where nothing does.
 *
 * @param isMade whether the editor's list of steps says that the edited image is shown
 */
export async function whyNotUndone(
	replacement: Replacement,
	isMade: boolean,
	backups: BackupStore,
): Promise<Message | undefined> {
	const { image, sha256, edited } = replacement;
	const found = await placeOf(image.after).sha256();
	if (found === sha256.before || !isMade) {
		const isEditedThere = (await placeOf(edited).sha256()) === sha256.after;
		return {
			severity: 'info',
			text: replaceMessages.alreadyRestored(safeName(image.before)),
			buttons: [
				...(isEditedThere ? [] : await saveButtons(replacement, 'after', backups)),
				showButton(image.before),
			],
		};
	}
	if (found !== sha256.after) {
		return staleMessage(replacement, 'before', image.after, backups);
	}
	if (isRenamed(replacement) && (await uriExists(image.before))) {
		return {
			severity: 'warning',
			text: replaceMessages.nameTaken(safeName(image.before), safeName(image.after)),
			buttons: [...(await saveButtons(replacement, 'before', backups)), showButton(image.after)],
		};
	}
	return undefined;
}

/** Says why an image stays as it is, and offers the one that was wanted in its place. */
export async function staleMessage(
	replacement: Replacement,
	wanted: Side,
	at: vscode.Uri,
	backups: BackupStore,
): Promise<Message> {
	const found = await placeOf(at).sha256();
	const buttons = await saveButtons(replacement, wanted, backups);
	const text = replaceMessages[found === undefined ? 'missing' : 'changed'](safeName(at));
	const backup = buttons.length > 0 ? [replaceMessages.hasBackup[wanted]] : [];
	return {
		severity: 'warning',
		text: [text, ...backup].join(' '),
		buttons: found === undefined ? buttons : [...buttons, showButton(at)],
	};
}

/** Offers to save one of the images; no button where there is no backup of it any more. */
export async function saveButtons(
	{ image, sha256, edited }: Replacement,
	wanted: Side,
	backups: BackupStore,
): Promise<Button[]> {
	const [label, suggested] =
		wanted === 'before'
			? [replaceMessages.saveOriginal, image.before]
			: [replaceMessages.saveEdited, edited];
	const button: Button = {
		label,
		run: async () => {
			const target = await vscode.window.showSaveDialog({
				title: label.slice(0, -1),
				defaultUri: await freeName(suggested),
				filters: { Images: [posix.extname(suggested.path).slice(1)] },
			});
			if (target === undefined) {
				return;
			}
			try {
				// Over another file, too: the dialog has asked.
				const place = placeOf(target);
				await swapFile(place, backups, await place.sha256(), sha256[wanted]);
				await openImage(target);
			} catch (error) {
				log.error('A backup could not be saved', error);
				await notify('error', failedText(target, 'notSaved', error), [button]);
			}
		},
	};
	return (await backups.has(sha256[wanted])) ? [button] : [];
}

export function failedText(
	image: vscode.Uri,
	what: 'notReplaced' | 'notRestored' | 'notSaved',
	error: unknown,
): string {
	return replaceMessages[what](safeName(image), refusalSentence(error));
}

export function showButton(image: vscode.Uri): Button {
	return { label: replaceMessages.showImage, run: () => openImage(image) };
}

/** Returns this place, or the first one with a number in its name where nothing is. */
export async function freeName(wanted: vscode.Uri): Promise<vscode.Uri> {
	for (const name of candidateNames(posix.basename(wanted.path))) {
		const candidate = vscode.Uri.joinPath(wanted, '..', name);
		if (!(await uriExists(candidate))) {
			return candidate;
		}
	}
	return wanted;
}
