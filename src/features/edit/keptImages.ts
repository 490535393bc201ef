import { posix } from 'node:path';
import * as vscode from 'vscode';
import { exchange, putNew } from '../../editor/exchange.js';
import { placeOf } from '../../editor/filePlaces.js';
import { uriExists } from '../../editor/files.js';
import type { KeptFiles } from '../../editor/keptFiles.js';
import type { Log } from '../../editor/log.js';
import type { Button, notify } from '../../editor/messages.js';
import { openImage } from '../../generation/savedImage.js';
import { freeName } from './replacedName.js';
import {
	changedText,
	failedText,
	nameOf,
	showButton,
	type Message,
} from './replacementMessages.js';
import { isRenamed, type Replacement, type Shown } from './replacementRecords.js';
import { replaceMessages } from '../messages.js';

/** Offers the images of replacements that are kept, where their files are not as they were left. */
export class KeptImages {
	/** @param tell shows a message */
	constructor(
		private readonly kept: KeptFiles,
		private readonly log: Pick<Log, 'error'>,
		private readonly tell: typeof notify,
	) {}

	/**
	 * What stands in the way of the Undo of a message; `undefined` where nothing does.
	 *
	 * @param isShown whether the editor's list of steps says that the edited image is shown
	 */
	async whyNotUndone(
		replacement: Replacement,
		isShown: () => Promise<boolean>,
	): Promise<Message | undefined> {
		const { original, target, edited, originalSha256, editedSha256 } = replacement;
		const found = await placeOf(target).sha256();
		if (found === originalSha256 || !(await isShown())) {
			const editedIsThere = (await placeOf(edited).sha256()) === editedSha256;
			return {
				severity: 'info',
				text: replaceMessages.alreadyRestored(nameOf(original)),
				buttons: [
					...(editedIsThere ? [] : await this.saveButtons(replacement, 'edited')),
					showButton(original),
				],
			};
		}
		if (found !== editedSha256) {
			return this.staleMessage(replacement, 'original', target, found);
		}
		if (isRenamed(replacement) && (await uriExists(original))) {
			return {
				severity: 'warning',
				text: replaceMessages.nameTaken(nameOf(original), nameOf(target)),
				buttons: [...(await this.saveButtons(replacement, 'original')), showButton(target)],
			};
		}
		return undefined;
	}

	/**
	 * Says why an image stays as it is, and offers the one that was wanted in its place.
	 *
	 * @param found SHA-256 of what is there; `undefined` where nothing is
	 */
	async staleMessage(
		replacement: Replacement,
		wanted: Shown,
		at: vscode.Uri,
		found: string | undefined,
	): Promise<Message> {
		const buttons = await this.saveButtons(replacement, wanted);
		const backup = buttons.length > 0 ? [replaceMessages.hasBackup[wanted]] : [];
		return {
			severity: 'warning',
			text: [changedText(at, found), ...backup].join(' '),
			buttons: found === undefined ? buttons : [...buttons, showButton(at)],
		};
	}

	/** Offers to save an image; no button where it is not kept any more. */
	async saveButtons(replacement: Replacement, wanted: Shown): Promise<Button[]> {
		const { original, edited, originalSha256, editedSha256 } = replacement;
		const [label, sha256, suggested] =
			wanted === 'original'
				? [replaceMessages.saveOriginal, originalSha256, original]
				: [replaceMessages.saveEdited, editedSha256, edited];
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
					await this.#save(sha256, target);
					await openImage(target);
				} catch (error) {
					this.log.error('A backup could not be saved', error);
					await this.tell('error', failedText(target, 'notSaved', error), [button]);
				}
			},
		};
		return (await this.kept.holds(sha256)) ? [button] : [];
	}

	/** Over another file, too: the dialog has asked. What was there is kept. */
	async #save(sha256: string, target: vscode.Uri): Promise<void> {
		const place = placeOf(target);
		const there = await place.keep(this.kept);
		if (there === undefined) {
			await putNew(place, this.kept, sha256);
		} else if (there !== sha256) {
			await exchange(place, this.kept, there, sha256);
		}
	}
}
