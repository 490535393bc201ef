import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { ChangedError } from '../../editor/exchange.js';
import { placeOf } from '../../editor/filePlaces.js';
import { uriExists } from '../../editor/files.js';
import type { KeptFiles } from '../../editor/keptFiles.js';
import type { Log } from '../../editor/log.js';
import { notify } from '../../editor/messages.js';
import { UndoSteps } from '../../editor/undoSteps.js';
import { recipeOfCopy } from '../../generation/imageRecipes.js';
import { openImage } from '../../generation/savedImage.js';
import { exchangeImages } from './exchangeImages.js';
import { KeptImages } from './keptImages.js';
import {
	changeAll,
	referencesTo,
	SearchCancelledError,
	updateReferences,
	upToDate,
} from './references.js';
import { chooseName } from './replacedName.js';
import {
	changedText,
	failedMessage,
	nameOf,
	notesMessage,
	replacedText,
	showButton,
	type Message,
} from './replacementMessages.js';
import {
	isRenamed,
	namesOf,
	otherThan,
	ReplacementRecords,
	type Replacement,
	type Shown,
} from './replacementRecords.js';
import { replaceMessages } from '../messages.js';
import { labels } from '../../generation/messages.js';

/**
 * Puts edited images in the place of their originals, and takes that back: by the button of a
 * message, and with the editor's own undo and redo. Whatever the order, nothing is removed that is
 * not kept, and a file that is not the one expected is left alone.
 */
export class Replacements implements vscode.Disposable {
	readonly #records: ReplacementRecords;
	readonly #undoSteps: UndoSteps<Shown>;
	readonly #keptImages: KeptImages;
	/** One step after the other: the editor's undo comes in quick succession. */
	readonly #queue = new PQueue({ concurrency: 1 });
	/** Edited images that are being put somewhere: a second click finds one of them gone. */
	readonly #underWay = new Set<string>();

	/**
	 * @param storage our own, absolute
	 * @param tell shows a message
	 */
	constructor(
		private readonly kept: KeptFiles,
		storage: string,
		private readonly log: Pick<Log, 'error'>,
		private readonly tell = notify,
	) {
		this.#records = new ReplacementRecords(storage);
		this.#undoSteps = new UndoSteps(this.#records, (id, shown) => this.#follow(id, shown));
		this.#keptImages = new KeptImages(kept, log, tell);
	}

	dispose(): void {
		this.#undoSteps.dispose();
	}

	/** Resolves when no step is under way. */
	async settled(): Promise<void> {
		await this.#queue.onIdle();
	}

	/**
	 * Puts the edited image in the place of its original. Where the name would say something else
	 * than the content is, the user decides between a new name, with the references in documents
	 * updated, and the old one. Tells what has become of it.
	 *
	 * @param onReplaced called when it is there and shown, before anybody has dealt with the message
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
					const message = await this.#queue.add(() => this.#replace(original, edited, target));
					onReplaced();
					return message;
				} finally {
					this.#underWay.delete(edited.toString());
				}
			},
			(error) => {
				this.log.error('An image was not replaced', error);
				const again = () => this.replace(original, edited, onReplaced);
				return failedMessage(original, 'notReplaced', error, again, [showButton(original)]);
			},
		);
	}

	async #replace(original: vscode.Uri, edited: vscode.Uri, target: vscode.Uri): Promise<Message> {
		const recipe = await recipeOfCopy(edited);
		const replacement = await this.#records.add({
			original,
			edited,
			target,
			originalSha256: await this.#keep(original),
			editedSha256: await this.#keep(edited),
		});
		const { documents, notes } = await this.#turn(replacement, 'edited');
		await this.#show(target, edited);
		void Promise.all([this.kept.tidy(), this.#records.tidy()]).catch((error: unknown) => {
			this.log.error('Old backups could not be removed', error);
		});
		return {
			severity: 'info',
			text: replacedText(replacement, documents, recipe === undefined ? notes : [...notes, recipe]),
			buttons: [{ label: labels.undo, run: () => this.#undo(replacement) }],
		};
	}

	/** The Undo of a message. Where things are not as that message left them, nothing is changed. */
	async #undo(replacement: Replacement): Promise<void> {
		const { original, target } = replacement;
		await this.#tellWhat(
			() =>
				this.#queue.add(async () => {
					const stale = await this.#keptImages.whyNotUndone(replacement, () =>
						this.#records.isIn(replacement.id, 'edited'),
					);
					if (stale !== undefined) {
						return stale;
					}
					const { notes } = await this.#turn(replacement, 'original');
					await this.#show(original);
					return notesMessage(notes, original);
				}),
			async (error) => {
				this.log.error('A replaced image was not restored', error);
				return failedMessage(original, 'notRestored', error, () => this.#undo(replacement), [
					...(await this.#keptImages.saveButtons(replacement, 'original')),
					showButton(target),
				]);
			},
		);
	}

	/** Does with the images what the editor's undo or redo has done with their names. */
	async #follow(id: string, shown: Shown): Promise<void> {
		await this.#tellWhat(
			() =>
				this.#queue.add(async () => {
					const replacement = await this.#records.find(id, shown);
					return replacement && this.#followStep(replacement, shown);
				}),
			(error) => {
				this.log.error('An undo or redo of the editor could not be followed', error);
				return undefined;
			},
		);
	}

	async #followStep(replacement: Replacement, shown: Shown): Promise<Message | undefined> {
		const [from, to] = namesOf(replacement, shown);
		try {
			const notes = await exchangeImages(replacement, shown, to, this.kept);
			const more = isRenamed(replacement) ? await updateReferences(from, to) : [];
			return notesMessage([...notes, ...more], to);
		} catch (error) {
			if (error instanceof ChangedError) {
				const found = await placeOf(to).sha256();
				return this.#keptImages.staleMessage(replacement, shown, to, found);
			}
			this.log.error('The images of an undo or redo were not exchanged', error);
			return failedMessage(to, 'notReplaced', error, () => this.#follow(replacement.id, shown), [
				...(await this.#keptImages.saveButtons(replacement, shown)),
				showButton(to),
			]);
		}
	}

	/**
	 * Exchanges the images, and then has the editor note down the step, with the new name where there
	 * is one.
	 *
	 * @throws {ChangedError} where there is another image than expected; nothing was changed then
	 */
	async #turn(
		replacement: Replacement,
		to: Shown,
	): Promise<{ readonly documents: number; readonly notes: readonly string[] }> {
		const [here, there] = namesOf(replacement, to);
		const found = isRenamed(replacement) ? await referencesTo(here, there) : [];
		const notes = await exchangeImages(replacement, to, here, this.kept);
		const name = nameOf(replacement.original);
		const documents = await upToDate(found, here, there).catch(async (error: unknown) => {
			await this.#takeBack(replacement, to);
			throw error;
		});
		const isNotedDown = await this.#undoSteps.noteDown({
			id: replacement.id,
			to,
			label:
				to === 'edited' ? replaceMessages.undoReplace(name) : replaceMessages.undoRestore(name),
			files: [[here, there]],
			change: (edit, metadata) => changeAll(edit, documents, metadata),
		});
		if (!isNotedDown) {
			const more = await this.#takeBack(replacement, to);
			throw new Error([replaceMessages.refused, ...more].join(' '));
		}
		return { documents: documents.length, notes };
	}

	/**
	 * After a step that cannot be made, or that the editor has refused, which may have changed
	 * documents and names before it came upon what it could not do.
	 *
	 * @returns what people should know of it
	 */
	async #takeBack(replacement: Replacement, to: Shown): Promise<string[]> {
		const [here, there] = namesOf(replacement, to);
		const isMoved = (await uriExists(there)) && !(await uriExists(here));
		const at = isMoved ? there : here;
		await exchangeImages(replacement, otherThan(to), at, this.kept);
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
			this.log.error('An image could not be shown', error);
		}
	}

	/** @throws where the image is gone, or its copy cannot be written */
	async #keep(uri: vscode.Uri): Promise<string> {
		const sha256 = await placeOf(uri).keep(this.kept);
		if (sha256 === undefined) {
			throw new Error(changedText(uri, undefined));
		}
		return sha256;
	}

	async #tellWhat(
		work: () => Promise<Message | undefined>,
		failed: (error: unknown) => Message | undefined | Promise<Message>,
	): Promise<void> {
		// Who has cancelled knows it, and nothing was changed.
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
