import * as vscode from 'vscode';
import { ChangedError } from '../../editor/exchange.js';
import { placeOf } from '../../editor/filePlaces.js';
import { isThere } from '../../editor/files.js';
import type { KeptFiles } from '../../editor/keptFiles.js';
import type { Log } from '../../editor/log.js';
import { inBackground, notify, type Button } from '../../editor/messages.js';
import { exchangeImages } from './exchangeImages.js';
import { referencesTo, type DocumentEdits } from './references.js';
import { chooseName } from './replacedName.js';
import {
	changedText,
	failedText,
	nameOf,
	notesMessage,
	openInFront,
	replacedText,
	showButton,
	type Message,
} from './replacementMessages.js';
import {
	isRenamed,
	ReplacementRecords,
	type Replacement,
	type Shown,
} from './replacementRecords.js';
import { saveButtons } from './saveKept.js';

/**
 * Puts edited images in the place of their originals, and takes that back: by the button of a
 * message, and with the editor's own undo and redo. Whatever the order, nothing is removed that is
 * not kept, and a file that is not the one expected is left alone.
 */
export class Replacements implements vscode.Disposable {
	readonly #records: ReplacementRecords;
	readonly #following: vscode.Disposable;
	/** Those whose step of the editor is ours, so that it is not followed. */
	readonly #ours = new Set<string>();
	#underWay: Promise<unknown> = Promise.resolve();

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
		this.#following = vscode.workspace.onDidRenameFiles(({ files }) => {
			for (const { newUri } of files) {
				const step = this.#records.shownBy(newUri);
				if (step !== undefined && !this.#ours.has(step.id)) {
					inBackground(this.#follow(step.id, step.shown));
				}
			}
		});
	}

	dispose(): void {
		this.#following.dispose();
	}

	/** Resolves when no step is under way. */
	async settled(): Promise<void> {
		for (let last: unknown; last !== this.#underWay;) {
			last = this.#underWay;
			await last;
		}
	}

	/**
	 * Puts the edited image in the place of its original. Where the name would say something else
	 * than the content is, the user decides between a new name, with the references in documents
	 * updated, and the old one. Tells what has become of it.
	 */
	async replace(original: vscode.Uri, edited: vscode.Uri): Promise<void> {
		await this.#tellWhat(
			async () => {
				const target = await chooseName(original, edited, this.tell);
				return target && this.#inTurn(() => this.#replace(original, edited, target));
			},
			(error) => {
				this.log.error('An image was not replaced', error);
				const again = { label: 'Try Again', run: () => this.replace(original, edited) };
				return {
					severity: 'error',
					text: failedText(original, 'replaced', error),
					buttons: [again, showButton(original)],
				};
			},
		);
	}

	async #replace(original: vscode.Uri, edited: vscode.Uri, target: vscode.Uri): Promise<Message> {
		const replacement = await this.#records.create({
			original,
			edited,
			target,
			originalSha256: await this.#keep(original),
			editedSha256: await this.#keep(edited),
		});
		const { documents, notes } = await this.#turn(replacement, 'edited');
		await this.#show(target, edited);
		void Promise.all([this.kept.tidy(), this.#records.tidy()]).catch((error: unknown) => {
			this.log.error('Kept images could not be tidied', error);
		});
		return {
			severity: 'info',
			text: replacedText(replacement, documents, notes),
			buttons: [{ label: 'Undo', run: () => this.#undo(replacement) }],
		};
	}

	/** The Undo of a message. Where things are not as that message left them, nothing is changed. */
	async #undo(replacement: Replacement): Promise<void> {
		const { original, target } = replacement;
		await this.#tellWhat(
			() =>
				this.#inTurn(async () => {
					const stale = await this.#whyStale(replacement);
					if (stale !== undefined) {
						return stale;
					}
					const { notes } = await this.#turn(replacement, 'original');
					await this.#show(original);
					return notesMessage(notes, original);
				}),
			async (error) => {
				this.log.error('A replaced image was not put back', error);
				return {
					severity: 'error',
					text: failedText(original, 'put back', error),
					buttons: [
						{ label: 'Try Again', run: () => this.#undo(replacement) },
						...(await this.#saveButtons(replacement, 'original')),
						showButton(target),
					],
				};
			},
		);
	}

	/** What stands in the way of the Undo of a message; `undefined` where nothing does. */
	async #whyStale(replacement: Replacement): Promise<Message | undefined> {
		const { original, target, edited, originalSha256, editedSha256 } = replacement;
		const found = await placeOf(target).sha256();
		if (found === originalSha256 || !(await this.#records.isShown(replacement, 'edited'))) {
			const editedIsThere = (await placeOf(edited).sha256()) === editedSha256;
			return {
				severity: 'info',
				text: `${nameOf(original)} was put back already.`,
				buttons: [
					...(editedIsThere ? [] : await this.#saveButtons(replacement, 'edited')),
					showButton(original),
				],
			};
		}
		if (found !== editedSha256) {
			return this.#staleMessage(replacement, 'original', target, found);
		}
		if (isRenamed(replacement) && (await isThere(original))) {
			return {
				severity: 'warning',
				text: `Another file has the name ${nameOf(original)} now, so ${nameOf(target)} stays as it is.`,
				buttons: [...(await this.#saveButtons(replacement, 'original')), showButton(target)],
			};
		}
		return undefined;
	}

	/** Does with the images what the editor's undo or redo has done with their names. */
	async #follow(id: string, shown: Shown): Promise<void> {
		await this.#tellWhat(
			() =>
				this.#inTurn(async () => {
					const replacement = await this.#records.read(id, shown);
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
			notes.push(...(await this.#updateReferences(replacement, from, to)));
			return notesMessage(notes, to);
		} catch (error) {
			if (error instanceof ChangedError) {
				return this.#staleMessage(replacement, shown, to, await placeOf(to).sha256());
			}
			this.log.error('The images of an undo or redo were not exchanged', error);
			return {
				severity: 'error',
				text: failedText(to, 'exchanged', error),
				buttons: [
					{ label: 'Try Again', run: () => this.#follow(replacement.id, shown) },
					...(await this.#saveButtons(replacement, shown)),
					showButton(to),
				],
			};
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
		const documents = isRenamed(replacement) ? await referencesTo(here, there) : [];
		const notes = await exchangeImages(replacement, to, here, this.kept);
		if (!(await this.#noteDown(replacement, to, documents))) {
			await exchangeImages(replacement, otherThan(to), here, this.kept);
			throw new Error('The editor refused the change.');
		}
		return { documents: documents.length, notes };
	}

	/**
	 * Puts the step into the editor's list of what can be undone. Nothing but names change by it: VS
	 * Code removes what it has created when that is undone, whatever it is by then, so it gets no file
	 * to create or to delete. An image that keeps its name is renamed to the same one, which does
	 * nothing, and yet is undone where that image is in front.
	 */
	async #noteDown(
		replacement: Replacement,
		to: Shown,
		documents: readonly DocumentEdits[],
	): Promise<boolean> {
		const { id, original } = replacement;
		const name = nameOf(original);
		const label = to === 'edited' ? `Replace ${name}` : `Put ${name} back`;
		const metadata = { needsConfirmation: false, label };
		const edit = new vscode.WorkspaceEdit();
		// First, so that nothing is renamed where a document cannot be changed.
		setAll(edit, documents, metadata);
		edit.renameFile(...namesOf(replacement, to), {}, metadata);
		edit.renameFile(
			this.#records.uri(replacement, otherThan(to)),
			this.#records.uri(replacement, to),
			{},
			metadata,
		);
		this.#ours.add(id);
		try {
			return await vscode.workspace.applyEdit(edit, { isRefactoring: true });
		} finally {
			this.#ours.delete(id);
		}
	}

	/**
	 * The editor's undo leaves out documents that it does not have in memory any more.
	 *
	 * @returns what people should know of it
	 */
	async #updateReferences(
		replacement: Replacement,
		from: vscode.Uri,
		to: vscode.Uri,
	): Promise<string[]> {
		const documents = isRenamed(replacement) ? await referencesTo(from, to) : [];
		if (documents.length === 0) {
			return [];
		}
		const edit = new vscode.WorkspaceEdit();
		setAll(edit, documents, { needsConfirmation: false, label: `Show ${nameOf(to)}` });
		return (await vscode.workspace.applyEdit(edit, { isRefactoring: true }))
			? []
			: [`References to ${nameOf(from)} could not be updated to ${nameOf(to)}.`];
	}

	/** Whatever the editor can show, the images are where they should be. */
	async #show(image: vscode.Uri, gone?: vscode.Uri): Promise<void> {
		try {
			await (gone && closeTabs(gone));
			await openInFront(image);
		} catch (error) {
			this.log.error('An image could not be shown', error);
		}
	}

	async #staleMessage(
		replacement: Replacement,
		wanted: Shown,
		at: vscode.Uri,
		found: string | undefined,
	): Promise<Message> {
		const buttons = await this.#saveButtons(replacement, wanted);
		const image = wanted === 'original' ? 'The original' : 'The edited image';
		const kept = buttons.length > 0 ? ` ${image} is kept.` : '';
		return {
			severity: 'warning',
			text: changedText(at, found) + kept,
			buttons: found === undefined ? buttons : [...buttons, showButton(at)],
		};
	}

	#saveButtons(replacement: Replacement, wanted: Shown): Promise<Button[]> {
		return saveButtons(this.kept, replacement, wanted, async (target, error, again) => {
			this.log.error('A kept image was not saved', error);
			await this.tell('error', failedText(target, 'saved', error), [again]);
		});
	}

	/** @throws where the image is gone, or its copy cannot be written */
	async #keep(uri: vscode.Uri): Promise<string> {
		const sha256 = await placeOf(uri).keep(this.kept);
		if (sha256 === undefined) {
			throw new Error(changedText(uri, undefined));
		}
		return sha256;
	}

	/** One step after the other: the editor's undo comes in quick succession. */
	#inTurn<T>(work: () => Promise<T>): Promise<T> {
		const result = this.#underWay.then(work);
		this.#underWay = result.catch(() => undefined);
		return result;
	}

	async #tellWhat(
		work: () => Promise<Message | undefined>,
		failed: (error: unknown) => Message | undefined | Promise<Message>,
	): Promise<void> {
		const message = await work().catch(failed);
		if (message !== undefined) {
			await this.tell(message.severity, message.text, message.buttons);
		}
	}
}

/** The name that the image has before a step, and after it. */
function namesOf({ original, target }: Replacement, to: Shown): [vscode.Uri, vscode.Uri] {
	return to === 'edited' ? [original, target] : [target, original];
}

function otherThan(shown: Shown): Shown {
	return shown === 'edited' ? 'original' : 'edited';
}

function setAll(
	edit: vscode.WorkspaceEdit,
	documents: readonly DocumentEdits[],
	metadata: vscode.WorkspaceEditEntryMetadata,
): void {
	for (const { uri, edits } of documents) {
		edit.set(
			uri,
			edits.map((one): [vscode.TextEdit, vscode.WorkspaceEditEntryMetadata] => [one, metadata]),
		);
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
