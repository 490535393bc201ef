import path from 'node:path';
import * as vscode from 'vscode';
import type { BackupStore } from '../../editor/backupStore.js';
import { placeOf } from '../../editor/filePlaces.js';
import { uriExists } from '../../editor/files.js';
import { notify, runDetached } from '../../editor/messages.js';
import { ChangedError } from '../../editor/swapFiles.js';
import { otherSide, UndoableSwaps, type Side, type SwapStep } from '../../editor/undoableSwaps.js';
import { safeName } from '../../editor/untrustedText.js';
import { recipeOfCopy } from '../../generation/imageRecipes.js';
import { labels } from '../../generation/messages.js';
import { openImage } from '../../generation/savedImage.js';
import { log } from '../../log.js';
import { replaceMessages } from '../messages.js';
import {
	changeReferences,
	referencesTo,
	SearchCancelledError,
	updateReferences,
	upToDate,
} from './references.js';
import { chooseName } from './replacedName.js';
import {
	isRenamed,
	replacedText,
	replacementOf,
	swapImages,
	swapsOf,
	type Replacement,
} from './replacement.js';
import {
	failedText,
	notesMessage,
	saveButtons,
	showButton,
	staleMessage,
	whyNotUndone,
	type Message,
} from './replacementMessages.js';

/**
 * Puts edited images in the place of their originals, and takes that back: by the button of a
 * message, and with the editor's own undo and redo. Whatever the order, nothing is removed without a
 * backup, and a file that is not the one expected is left alone.
 */
export class Replacements implements vscode.Disposable {
	readonly #steps: UndoableSwaps;
	/** Edited images that are being put somewhere: a second click finds one of them gone. */
	readonly #underWay = new Set<string>();

	/** @param storage our own, absolute */
	constructor(
		private readonly backups: BackupStore,
		storage: string,
		private readonly show = notify,
	) {
		const endings = { before: 'original', after: 'edited' };
		const folder = path.join(storage, 'replacements');
		this.#steps = new UndoableSwaps(folder, endings, backups, (step, to) => this.#follow(step, to));
	}

	dispose(): void {
		this.#steps.dispose();
	}

	/** Resolves when no step is under way. */
	settled(): Promise<void> {
		return this.#steps.settled();
	}

	/**
	 * Puts the edited image in the place of its original. Where the name would say something else
	 * than the content is, the user decides between a new name, with the references in documents
	 * updated, and the old one. Shows what has become of it.
	 *
	 * @returns whether it is there
	 */
	async replace(original: vscode.Uri, edited: vscode.Uri): Promise<boolean> {
		const key = edited.toString();
		try {
			const target = await chooseName(original, edited, this.show);
			if (target === undefined || this.#underWay.has(key)) {
				return false;
			}
			this.#underWay.add(key);
			try {
				await this.#steps.run(() => this.#replace(original, edited, target));
			} finally {
				this.#underWay.delete(key);
			}
			return true;
		} catch (error) {
			if (error instanceof SearchCancelledError) {
				return false;
			}
			log.error('An image was not replaced', error);
			const text = failedText(original, 'notReplaced', error);
			const retry = { label: labels.retry, run: () => this.replace(original, edited) };
			return (await this.show<unknown>('error', text, [retry, showButton(original)])) === true;
		}
	}

	async #replace(original: vscode.Uri, edited: vscode.Uri, target: vscode.Uri): Promise<void> {
		const recipe = await recipeOfCopy(edited);
		// VS Code closes it by itself when its file is gone.
		const isShown = tabsOf(edited).length > 0;
		const image = { before: original, after: target };
		const sha256 = { before: await this.#backUp(original), after: await this.#backUp(edited) };
		const step = await this.#steps.create(swapsOf({ image, sha256, edited }));
		const replacement = { step, image, sha256, edited };
		const { documents, notes } = await this.#turn(replacement, 'after');
		if (isShown) {
			await open(target, edited);
		}
		this.#showDetached({
			severity: 'info',
			text: replacedText(replacement, documents, recipe === undefined ? notes : [...notes, recipe]),
			buttons: [{ label: labels.undo, run: () => this.#undo(replacement) }],
		});
	}

	/** The Undo of a message. Where things are not as that message left them, nothing is changed. */
	async #undo(replacement: Replacement): Promise<void> {
		const { step, image } = replacement;
		const undo = async (): Promise<Message | undefined> => {
			const isMade = await this.#steps.isMade(step);
			const stale = await whyNotUndone(replacement, isMade, this.backups);
			if (stale !== undefined) {
				return stale;
			}
			const { notes } = await this.#turn(replacement, 'before');
			await open(image.before);
			return notesMessage(notes, image.before);
		};
		try {
			this.#showDetached(await this.#steps.run(undo));
		} catch (error) {
			if (error instanceof SearchCancelledError) {
				return;
			}
			log.error('A replaced image was not restored', error);
			this.#showDetached({
				severity: 'error',
				text: failedText(image.before, 'notRestored', error),
				buttons: [
					{ label: labels.retry, run: () => this.#undo(replacement) },
					...(await saveButtons(replacement, 'before', this.backups)),
					showButton(image.after),
				],
			});
		}
	}

	/** Does with the images what the editor's undo or redo has done with their names. */
	async #follow(step: SwapStep, to: Side): Promise<void> {
		const replacement = replacementOf(step);
		const [from, at] = [replacement.image[otherSide(to)], replacement.image[to]];
		try {
			const notes = await swapImages(replacement, to, at, this.backups);
			const more = isRenamed(replacement) ? (await updateReferences(from, at)).notes : [];
			this.#showDetached(notesMessage([...notes, ...more], at));
		} catch (error) {
			if (error instanceof ChangedError) {
				this.#showDetached(await staleMessage(replacement, to, at, this.backups));
				return;
			}
			log.error('The images of an undo or redo were not exchanged', error);
			this.#showDetached({
				severity: 'error',
				text: failedText(at, 'notReplaced', error),
				buttons: [
					{ label: labels.retry, run: () => this.#steps.follow(step.id, to) },
					...(await saveButtons(replacement, to, this.backups)),
					showButton(at),
				],
			});
		}
	}

	/**
	 * Exchanges the images, and then adds the step to the editor's list, with the new name where there
	 * is one.
	 *
	 * @throws {ChangedError} where there is another image than expected; nothing was changed then
	 */
	async #turn(
		replacement: Replacement,
		to: Side,
	): Promise<{ readonly documents: number; readonly notes: readonly string[] }> {
		const [here, there] = [replacement.image[otherSide(to)], replacement.image[to]];
		const found = isRenamed(replacement) ? await referencesTo(here, there) : [];
		const notes = await swapImages(replacement, to, here, this.backups);
		const name = safeName(replacement.image.before);
		const documents = await upToDate(found, here, there).catch(async (error: unknown) => {
			await this.#takeBack(replacement, to);
			throw error;
		});
		const isAdded = await this.#steps.addToEditor(replacement.step, to, {
			label: to === 'after' ? replaceMessages.undoReplace(name) : replaceMessages.undoRestore(name),
			files: [[here, there]],
			change: (edit, metadata) => changeReferences(edit, documents, metadata),
		});
		if (!isAdded) {
			const more = await this.#takeBack(replacement, to);
			throw new Error([replaceMessages.refused, ...more].join(' '));
		}
		return { documents: documents.length, notes };
	}

	/**
	 * After a step that cannot be made, or that the editor has refused, which may have changed
	 * documents and names before it came upon what it could not do.
	 *
	 * @returns what the user should know of it
	 */
	async #takeBack(replacement: Replacement, to: Side): Promise<readonly string[]> {
		const [here, there] = [replacement.image[otherSide(to)], replacement.image[to]];
		const isMoved = (await uriExists(there)) && !(await uriExists(here));
		await swapImages(replacement, otherSide(to), isMoved ? there : here, this.backups);
		if (isMoved) {
			await vscode.workspace.fs.rename(there, here);
		}
		return isRenamed(replacement) ? (await updateReferences(there, here)).notes : [];
	}

	/** @throws where the image is gone, or its backup cannot be written */
	async #backUp(uri: vscode.Uri): Promise<string> {
		const sha256 = await placeOf(uri).backUp(this.backups);
		if (sha256 === undefined) {
			throw new Error(replaceMessages.missing(safeName(uri)));
		}
		return sha256;
	}

	#showDetached(message: Message | undefined): void {
		if (message !== undefined) {
			runDetached(this.show(message.severity, message.text, message.buttons));
		}
	}
}

/** Opens an image, and closes the tabs of one that is gone. Where that fails, nothing is lost. */
async function open(image: vscode.Uri, gone?: vscode.Uri): Promise<void> {
	try {
		await (gone && vscode.window.tabGroups.close(tabsOf(gone), true));
		await openImage(image);
	} catch (error) {
		log.error('An image could not be shown', error);
	}
}

function tabsOf(uri: vscode.Uri): vscode.Tab[] {
	return vscode.window.tabGroups.all
		.flatMap((group) => group.tabs)
		.filter(
			({ input }) =>
				(input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText) &&
				input.uri.toString() === uri.toString(),
		);
}
