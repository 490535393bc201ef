import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { BackupStore } from '../../editor/backupStore.js';
import { placeOf } from '../../editor/filePlaces.js';
import { uriExists } from '../../editor/files.js';
import type { Button, notify } from '../../editor/messages.js';
import { swapFile } from '../../editor/swapFiles.js';
import type { Side } from '../../editor/undoableSwaps.js';
import { openImage } from '../../generation/savedImage.js';
import { freeName } from './replacedName.js';
import { isRenamed, type Replacement } from './replacement.js';
import {
	changedText,
	failedText,
	nameOf,
	showButton,
	type Message,
} from './replacementMessages.js';
import { replaceMessages } from '../messages.js';
import { log } from '../../log.js';

/** Offers the backups of replacements, where their files are not as they were left. */
export class BackupOffers {
	/** @param tell shows a message */
	constructor(
		private readonly backups: BackupStore,
		private readonly tell: typeof notify,
	) {}

	/**
	 * What stands in the way of the Undo of a message; `undefined` where nothing does.
	 *
	 * @param isMade whether the editor's list of steps says that the edited image is shown
	 */
	async whyNotUndone(
		replacement: Replacement,
		isMade: () => Promise<boolean>,
	): Promise<Message | undefined> {
		const { image, sha256, edited } = replacement;
		const found = await placeOf(image.after).sha256();
		if (found === sha256.before || !(await isMade())) {
			const editedIsThere = (await placeOf(edited).sha256()) === sha256.after;
			return {
				severity: 'info',
				text: replaceMessages.alreadyRestored(nameOf(image.before)),
				buttons: [
					...(editedIsThere ? [] : await this.saveButtons(replacement, 'after')),
					showButton(image.before),
				],
			};
		}
		if (found !== sha256.after) {
			return this.staleMessage(replacement, 'before', image.after);
		}
		if (isRenamed(replacement) && (await uriExists(image.before))) {
			return {
				severity: 'warning',
				text: replaceMessages.nameTaken(nameOf(image.before), nameOf(image.after)),
				buttons: [...(await this.saveButtons(replacement, 'before')), showButton(image.after)],
			};
		}
		return undefined;
	}

	/** Says why an image stays as it is, and offers the one that was wanted in its place. */
	async staleMessage(replacement: Replacement, wanted: Side, at: vscode.Uri): Promise<Message> {
		const found = await placeOf(at).sha256();
		const buttons = await this.saveButtons(replacement, wanted);
		const backup = buttons.length > 0 ? [replaceMessages.hasBackup[wanted]] : [];
		return {
			severity: 'warning',
			text: [changedText(at, found), ...backup].join(' '),
			buttons: found === undefined ? buttons : [...buttons, showButton(at)],
		};
	}

	/** Offers to save one of the images; no button where there is no backup of it any more. */
	async saveButtons({ image, sha256, edited }: Replacement, wanted: Side): Promise<Button[]> {
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
					await swapFile(place, this.backups, await place.sha256(), sha256[wanted]);
					await openImage(target);
				} catch (error) {
					log.error('A backup could not be saved', error);
					await this.tell('error', failedText(target, 'notSaved', error), [button]);
				}
			},
		};
		return (await this.backups.has(sha256[wanted])) ? [button] : [];
	}
}
