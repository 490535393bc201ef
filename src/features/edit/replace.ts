import path from 'node:path';
import * as vscode from 'vscode';
import type { BackupStore } from '../../editor/backupStore.js';
import { placeOf } from '../../editor/filePlaces.js';
import { uriExists } from '../../editor/files.js';
import { runDetached, notify } from '../../editor/messages.js';
import { ChangedError } from '../../editor/swapFiles.js';
import { otherSide, UndoableSwaps, type Side, type SwapStep } from '../../editor/undoableSwaps.js';
import { recipeOfCopy } from '../../generation/imageRecipes.js';
import { openImage } from '../../generation/savedImage.js';
import { BackupOffers } from './backupOffers.js';
import {
	changeAll,
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
	changedText,
	failedMessage,
	nameOf,
	notesMessage,
	showButton,
	type Message,
} from './replacementMessages.js';
import { replaceMessages } from '../messages.js';
import { labels } from '../../generation/messages.js';
import { log } from '../../log.js';

/**
 * Puts edited images in the place of their originals, and takes that back: by the button of a
 * message, and with the editor's own undo and redo. Whatever the order, nothing is removed without a
 * backup, and a file that is not the one expected is left alone.
 */
export class Replacements implements vscode.Disposable {
	readonly #steps: UndoableSwaps;
	readonly #offers: BackupOffers;
	/** Edited images that are being put somewhere: a second click finds one of them gone. */
	readonly #underWay = new Set<string>();

	/**
	 * @param storage our own, absolute
	 * @param tell shows a message
	 */
	constructor(
		private readonly backups: BackupStore,
		storage: string,
		private readonly tell = notify,
	) {
		const endings = { before: 'original', after: 'edited' };
		const folder = path.join(storage, 'replacements');
		this.#steps = new UndoableSwaps(folder, endings, backups, (step, to) => this.#follow(step, to));
		this.#offers = new BackupOffers(backups, tell);
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
	 * @param onReplaced called when it is there and shown, before the message is dealt with
	 */
	async replace(
		original: vscode.Uri,
		edited: vscode.Uri,
		onReplaced: () => void = () => undefined,
	): Promise<void> {
		await this.#tellWhat(
			async () => {
				const target = await chooseName(original, edited, this.tell);
				if (target === undefined || this.#underWay.has(edited.toString())) {
					return undefined;
				}
				this.#underWay.add(edited.toString());
				try {
					const message = await this.#steps.run(() => this.#replace(original, edited, target));
					onReplaced();
					return message;
				} finally {
					this.#underWay.delete(edited.toString());
				}
			},
			(error) => {
				log.error('An image was not replaced', error);
				const again = () => this.replace(original, edited, onReplaced);
				return failedMessage(original, 'notReplaced', error, again, [showButton(original)]);
			},
		);
	}

	async #replace(original: vscode.Uri, edited: vscode.Uri, target: vscode.Uri): Promise<Message> {
		const recipe = await recipeOfCopy(edited);
		const image = { before: original, after: target };
		const sha256 = { before: await this.#backUp(original), after: await this.#backUp(edited) };
		const step = await this.#steps.create(swapsOf({ image, sha256, edited }));
		const replacement = { step, image, sha256, edited };
		const { documents, notes } = await this.#turn(replacement, 'after');
		await this.#show(target, edited);
		return {
			severity: 'info',
			text: replacedText(replacement, documents, recipe === undefined ? notes : [...notes, recipe]),
			buttons: [{ label: labels.undo, run: () => this.#undo(replacement) }],
		};
	}

	/** The Undo of a message. Where things are not as that message left them, nothing is changed. */
	async #undo(replacement: Replacement): Promise<void> {
		const { step, image } = replacement;
		await this.#tellWhat(
			() =>
				this.#steps.run(async () => {
					const stale = await this.#offers.whyNotUndone(replacement, () =>
						this.#steps.isMade(step),
					);
					if (stale !== undefined) {
						return stale;
					}
					const { notes } = await this.#turn(replacement, 'before');
					await this.#show(image.before);
					return notesMessage(notes, image.before);
				}),
			async (error) => {
				log.error('A replaced image was not restored', error);
				return failedMessage(image.before, 'notRestored', error, () => this.#undo(replacement), [
					...(await this.#offers.saveButtons(replacement, 'before')),
					showButton(image.after),
				]);
			},
		);
	}

	/** Does with the images what the editor's undo or redo has done with their names. */
	async #follow(step: SwapStep, to: Side): Promise<void> {
		const replacement = replacementOf(step);
		const message = await this.#swapRenamed(replacement, to).catch((error: unknown) =>
			this.#notFollowed(replacement, to, error),
		);
		if (message !== undefined) {
			runDetached(this.tell(message.severity, message.text, message.buttons));
		}
	}

	async #swapRenamed(replacement: Replacement, to: Side): Promise<Message | undefined> {
		const at = replacement.image[to];
		const notes = await swapImages(replacement, to, at, this.backups);
		const more = isRenamed(replacement)
			? await updateReferences(replacement.image[otherSide(to)], at)
			: [];
		return notesMessage([...notes, ...more], at);
	}

	async #notFollowed(replacement: Replacement, to: Side, error: unknown): Promise<Message> {
		const at = replacement.image[to];
		if (error instanceof ChangedError) {
			return this.#offers.staleMessage(replacement, to, at);
		}
		log.error('The images of an undo or redo were not exchanged', error);
		const again = () => this.#steps.follow(replacement.step.id, to);
		return failedMessage(at, 'notReplaced', error, again, [
			...(await this.#offers.saveButtons(replacement, to)),
			showButton(at),
		]);
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
		const name = nameOf(replacement.image.before);
		const documents = await upToDate(found, here, there).catch(async (error: unknown) => {
			await this.#takeBack(replacement, to);
			throw error;
		});
		const isAdded = await this.#steps.addToEditor(replacement.step, to, {
			label: to === 'after' ? replaceMessages.undoReplace(name) : replaceMessages.undoRestore(name),
			files: [[here, there]],
			change: (edit, metadata) => changeAll(edit, documents, metadata),
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
	async #takeBack(replacement: Replacement, to: Side): Promise<string[]> {
		const [here, there] = [replacement.image[otherSide(to)], replacement.image[to]];
		const isMoved = (await uriExists(there)) && !(await uriExists(here));
		await swapImages(replacement, otherSide(to), isMoved ? there : here, this.backups);
		if (isMoved) {
			await vscode.workspace.fs.rename(there, here);
		}
		return isRenamed(replacement) ? updateReferences(there, here) : [];
	}

	/** Whatever the editor can show, the images are where they should be. */
	async #show(image: vscode.Uri, gone?: vscode.Uri): Promise<void> {
		try {
			await (gone && closeTabs(gone));
			await openImage(image);
		} catch (error) {
			log.error('An image could not be shown', error);
		}
	}

	/** @throws where the image is gone, or its backup cannot be written */
	async #backUp(uri: vscode.Uri): Promise<string> {
		const sha256 = await placeOf(uri).backUp(this.backups);
		if (sha256 === undefined) {
			throw new Error(changedText(uri, undefined));
		}
		return sha256;
	}

	async #tellWhat(
		work: () => Promise<Message | undefined>,
		failed: (error: unknown) => Message | Promise<Message>,
	): Promise<void> {
		// A user who has cancelled needs no message, and nothing was changed.
		const message = await work().catch((error: unknown) =>
			error instanceof SearchCancelledError ? undefined : failed(error),
		);
		if (message !== undefined) {
			await this.tell(message.severity, message.text, message.buttons);
		}
	}
}

/** What shows a file that is gone now would only say that. */
async function closeTabs(uri: vscode.Uri): Promise<void> {
	const tabs = vscode.window.tabGroups.all
		.flatMap((group) => group.tabs)
		.filter(
			({ input }) =>
				(input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText) &&
				input.uri.toString() === uri.toString(),
		);
	await vscode.window.tabGroups.close(tabs, true);
}
