import path from 'node:path';
import * as vscode from 'vscode';
import { Serial } from '../../files/serial.js';
import type { BackupStore } from '../../editor/backupStore.js';
import { placeOf } from '../../editor/filePlaces.js';
import { refusalSentence, uriExists } from '../../editor/files.js';
import { inspectUri } from '../../editor/images.js';
import { notify, runDetached, showError, type Button } from '../../editor/messages.js';
import { askPick, pickLoop } from '../../editor/quickInput.js';
import {
	ChangedError,
	isSwapped,
	otherSide,
	restoreUnderFreeName,
	swapFile,
	type SwapSide,
} from '../../editor/swapFiles.js';
import { safeName, safeText, type PickItem } from '../../editor/untrustedText.js';
import { recipeOfCopy } from '../../library/imageRecipes.js';
import { labels } from '../../messages.js';
import { openImage } from '../../generation/savedImage.js';
import { candidateNames } from '../../images/fileName.js';
import { isNamedByFormat } from '../../images/inspect.js';
import { log } from '../../log.js';
import { replaceMessages } from '../messages.js';
import {
	SearchCancelledError,
	changeReferences,
	mentionsOf,
	referencesTo,
	upToDate,
	updateReferences,
	type Mentions,
} from './references.js';

/**
 * Puts edited images in the place of their originals, and takes that back by the button of a message.
 * Nothing is removed without a backup, and a file that is not the one expected is left alone.
 */
export class Replacements {
	/** One step after the other. */
	readonly #queue = new Serial();
	/** Edited images that are being put somewhere: a second click finds one of them gone. */
	readonly #underWay = new Set<string>();

	/** @param refresh brings what documents show of an image up to date */
	constructor(
		private readonly backups: BackupStore,
		private readonly show = notify,
		private readonly refresh: (image: vscode.Uri) => Promise<void> = () => Promise.resolve(),
	) {}

	/**
	 * Puts the edited image in the place of its original; returns whether it is there.
	 *
	 * @param notes sentences for the user, behind those on what was done
	 */
	async replace(
		original: vscode.Uri,
		edited: vscode.Uri,
		notes: readonly string[] = [],
	): Promise<boolean> {
		const key = edited.toString();
		try {
			const target = await chooseName(original, edited, this.show);
			if (target === undefined || this.#underWay.has(key)) {
				return false;
			}
			this.#underWay.add(key);
			try {
				await this.#queue.run(() => this.#replace(original, edited, target, notes));
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
			const retry = { label: labels.retry, run: () => this.replace(original, edited, notes) };
			return (await this.show<unknown>('error', text, [retry, showButton(original)])) === true;
		}
	}

	async #replace(
		original: vscode.Uri,
		edited: vscode.Uri,
		target: vscode.Uri,
		more: readonly string[],
	): Promise<void> {
		const recipe = await recipeOfCopy(edited);
		// VS Code closes it by itself when its file is gone.
		const isShown = tabsOf(edited).length > 0;
		const sha256 = { before: await this.#backUp(original), after: await this.#backUp(edited) };
		const image = { before: original, after: target };
		const replacement = new Replacement(image, edited, sha256, this.backups);
		this.backups.prune().catch((error: unknown) => {
			log.error('Backups could not be pruned', error);
		});
		const { documents, notes } = await this.#turn(replacement, 'after');
		await this.#refresh(target, edited);
		if (isShown) {
			await open(target, edited);
		}
		this.#showDetached({
			severity: 'info',
			text: replacement.words(documents, [...notes, ...(recipe ? [recipe] : []), ...more]),
			buttons: [{ label: labels.undo, run: () => this.#undo(replacement) }],
		});
	}

	/** The Undo of a message. Where things are not as that message left them, nothing is changed. */
	async #undo(replacement: Replacement): Promise<void> {
		const { image } = replacement;
		const undo = async (): Promise<Message | undefined> => {
			const stale = await replacement.whyNotUndone();
			if (stale !== undefined) {
				return stale;
			}
			const { notes } = await this.#turn(replacement, 'before');
			await this.#refresh(image.before, replacement.edited);
			return notesMessage(notes, image.before);
		};
		try {
			this.#showDetached(await this.#queue.run(undo));
		} catch (error) {
			if (!(error instanceof SearchCancelledError)) {
				log.error('A replaced image was not restored', error);
				const text = failedText(image.before, 'notRestored', error);
				const retry = () => this.#undo(replacement);
				this.#showDetached({
					severity: 'error',
					text,
					buttons: [
						{ label: labels.retry, run: retry },
						...(await replacement.saveButtons('before')),
						showButton(image.after),
					],
				});
			}
		}
	}

	/**
	 * Exchanges the images, and gives the image its new name, also in the documents, where it gets one.
	 *
	 * @throws {ChangedError} where there is another image than expected; nothing was changed then
	 */
	async #turn(
		replacement: Replacement,
		to: SwapSide,
	): Promise<{ readonly documents: number; readonly notes: readonly string[] }> {
		const [here, there] = [replacement.image[otherSide(to)], replacement.image[to]];
		if (!replacement.isRenamed) {
			return { documents: 0, notes: await replacement.swap(to, here) };
		}
		const found = await referencesTo([{ from: here, to: there }]);
		const notes = await replacement.swap(to, here);
		const documents = await upToDate(found).catch(async (error: unknown) => {
			await this.#takeBack(replacement, to);
			throw error;
		});
		const label = replaceMessages.undoReferences([safeName(there)]);
		const metadata = { needsConfirmation: false, label };
		const edit = new vscode.WorkspaceEdit();
		// First, so that nothing is renamed where a document cannot be changed.
		changeReferences(edit, documents, metadata);
		edit.renameFile(here, there, {}, metadata);
		if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
			const more = await this.#takeBack(replacement, to);
			throw new Error([replaceMessages.refused, ...more].join(' '));
		}
		return { documents: documents.length, notes };
	}

	/**
	 * Takes back a step that the editor has refused, perhaps after it changed documents and names.
	 * Returns sentences for the user.
	 */
	async #takeBack(replacement: Replacement, to: SwapSide): Promise<readonly string[]> {
		const [here, there] = [replacement.image[otherSide(to)], replacement.image[to]];
		const isMoved = (await uriExists(there)) && !(await uriExists(here));
		await replacement.swap(otherSide(to), isMoved ? there : here);
		if (isMoved) {
			await vscode.workspace.fs.rename(there, here);
		}
		return replacement.isRenamed ? (await updateReferences([{ from: there, to: here }])).notes : [];
	}

	/** The images are where they belong, whatever becomes of what documents show of them. */
	async #refresh(...images: readonly vscode.Uri[]): Promise<void> {
		for (const image of images) {
			await this.refresh(image).catch(showError);
		}
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

/** An image that takes the place of the one that it was made from: the edited image. */
class Replacement {
	/**
	 * @param image its place before the step and after it: perhaps under another name
	 * @param edited place of the edited image before the step
	 * @param sha256 of the original, and of the edited image, hexadecimal
	 */
	constructor(
		readonly image: Readonly<Record<SwapSide, vscode.Uri>>,
		readonly edited: vscode.Uri,
		private readonly sha256: Readonly<Record<SwapSide, string>>,
		private readonly backups: BackupStore,
	) {}

	get isRenamed(): boolean {
		return this.image.before.toString() !== this.image.after.toString();
	}

	/**
	 * Puts one of the two images where the other one is, if that is still there; the edited image comes
	 * back to its own place, or goes from there. Where it is so already, nothing is done.
	 *
	 * @param at the place, which may have the name of the original or the new one
	 * @returns sentences for the user
	 * @throws {ChangedError} where there is another file, or none; nothing was changed then
	 */
	async swap(to: SwapSide, at: vscode.Uri): Promise<string[]> {
		const { backups, edited, sha256 } = this;
		const place = placeOf(at);
		const notes: string[] = [];
		if (to === 'before' && !(await isSwapped(place, sha256.after, sha256.before))) {
			const name = await restoreUnderFreeName(placeOf(edited), backups, sha256.after);
			if (name !== path.posix.basename(edited.path)) {
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

	words(documents: number, notes: readonly string[]): string {
		const by = this.isRenamed ? this.image.after : this.edited;
		const updated = documents === 0 ? [] : [replaceMessages.updated(documents)];
		const replaced = replaceMessages.replaced(safeName(this.image.before), safeName(by));
		return [replaced, ...updated, ...notes].join(' ');
	}

	/** Returns the message for an Undo that cannot be done; `undefined` where it can. */
	async whyNotUndone(): Promise<Message | undefined> {
		const { before, after } = this.image;
		const found = await placeOf(after).sha256();
		if (found === this.sha256.before) {
			const isEditedThere = (await placeOf(this.edited).sha256()) === this.sha256.after;
			const saving = isEditedThere ? [] : await this.saveButtons('after');
			const text = replaceMessages.alreadyRestored(safeName(before));
			return { severity: 'info', text, buttons: [...saving, showButton(before)] };
		}
		if (found !== this.sha256.after) {
			return this.staleMessage('before', after);
		}
		if (this.isRenamed && (await uriExists(before))) {
			const text = replaceMessages.nameTaken(safeName(before), safeName(after));
			const buttons = [...(await this.saveButtons('before')), showButton(after)];
			return { severity: 'warning', text, buttons };
		}
		return undefined;
	}

	/** Says why an image stays as it is, and offers the one that was wanted in its place. */
	async staleMessage(wanted: SwapSide, at: vscode.Uri): Promise<Message> {
		const found = await placeOf(at).sha256();
		const buttons = await this.saveButtons(wanted);
		const text = replaceMessages[found === undefined ? 'missing' : 'changed'](safeName(at));
		const backup = buttons.length > 0 ? [replaceMessages.hasBackup[wanted]] : [];
		return {
			severity: 'warning',
			text: [text, ...backup].join(' '),
			buttons: found === undefined ? buttons : [...buttons, showButton(at)],
		};
	}

	/** Offers to save one of the images; no button where there is no backup of it any more. */
	async saveButtons(wanted: SwapSide): Promise<Button[]> {
		const sha256 = this.sha256[wanted];
		const [label, suggested] =
			wanted === 'before'
				? [replaceMessages.saveOriginal, this.image.before]
				: [replaceMessages.saveEdited, this.edited];
		const button: Button = {
			label,
			run: async () => {
				const target = await vscode.window.showSaveDialog({
					title: label.slice(0, -1),
					defaultUri: await freeName(suggested),
					filters: { Images: [path.posix.extname(suggested.path).slice(1)] },
				});
				if (target === undefined) {
					return;
				}
				try {
					// Over another file, too: the dialog has asked.
					const place = placeOf(target);
					await swapFile(place, this.backups, await place.sha256(), sha256);
					await openImage(target);
				} catch (error) {
					log.error('A backup could not be saved', error);
					await notify('error', failedText(target, 'notSaved', error), [button]);
				}
			},
		};
		return (await this.backups.has(sha256)) ? [button] : [];
	}
}

/**
 * The place that the edited image gets: that of the original, or, where its name would say something
 * else than the content is, what the user decides. `undefined` where the user would rather leave it.
 *
 * @throws {ImageError} where the edited image cannot be read
 */
async function chooseName(
	original: vscode.Uri,
	edited: vscode.Uri,
	ask: typeof notify,
): Promise<vscode.Uri | undefined> {
	const facts = await inspectUri(edited);
	const { format, extension } = facts;
	const old = path.posix.basename(original.path);
	if (isNamedByFormat(old, facts)) {
		return original;
	}
	const oldExtension = path.posix.extname(old);
	const renamed = await freeName(
		vscode.Uri.joinPath(original, '..', old.slice(0, -oldExtension.length) + extension),
	);
	const mentions = await mentionsOf(original).catch(() => undefined);
	const names = [format.toUpperCase(), safeName(original), safeName(renamed)] as const;
	const text = [
		replaceMessages.wrongExtension(...names),
		...(mentions === undefined ? [] : wordsOf(mentions, original)),
	].join(' ');
	const files = mentions === undefined ? [] : rowsOf(mentions);
	const askName = () =>
		ask<vscode.Uri | 'list'>('warning', text, [
			{ label: replaceMessages.rename, run: () => renamed },
			{ label: replaceMessages.keepName, run: () => original },
			...(files.length === 0
				? []
				: [{ label: replaceMessages.showFiles, run: () => 'list' as const }]),
		]);
	return pickLoop(askName, async (answer) => {
		if (answer !== 'list') {
			return { done: answer };
		}
		await showFiles(`${safeName(original)} → ${safeName(renamed)}`, files);
		return 'again';
	});
}

/** Returns sentences on the files that a new name changes, and that it cannot change. */
function wordsOf({ shown, left }: Mentions, original: vscode.Uri): string[] {
	const namesOf = (files: readonly vscode.Uri[]) => files.map((uri) => safeName(uri));
	const changes = replaceMessages.changes(namesOf(shown));
	return left.length === 0
		? [changes]
		: [changes, replaceMessages.leaves(namesOf(left), safeName(original))];
}

interface FileRow extends PickItem {
	readonly uri?: vscode.Uri;
}

function rowsOf({ shown, left }: Mentions): FileRow[] {
	const section = (label: string, icon: string, files: readonly vscode.Uri[]): FileRow[] =>
		files.length === 0
			? []
			: [
					{ label, kind: vscode.QuickPickItemKind.Separator },
					...files.map((uri) => ({
						icon,
						label: path.posix.basename(uri.path),
						description: vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..')),
						uri,
					})),
				];
	return [
		...section(replaceMessages.changedFiles, 'edit', shown),
		...section(replaceMessages.leftFiles, 'circle-slash', left),
	];
}

async function showFiles(title: string, items: readonly FileRow[]): Promise<void> {
	const answer = await askPick<FileRow>({
		title,
		placeholder: replaceMessages.lookAtFile,
		items,
		matchOnDescription: true,
	});
	if (answer?.type === 'value' && answer.value.uri !== undefined) {
		await vscode.window.showTextDocument(answer.value.uri, { preview: true });
	}
}

interface Message {
	readonly severity: 'info' | 'warning' | 'error';
	readonly text: string;
	readonly buttons: readonly Button[];
}

/** Returns a message for a step that needs none otherwise. */
function notesMessage(notes: readonly string[], image: vscode.Uri): Message | undefined {
	return notes.length === 0
		? undefined
		: { severity: 'warning', text: notes.join(' '), buttons: [showButton(image)] };
}

function failedText(
	image: vscode.Uri,
	what: 'notReplaced' | 'notRestored' | 'notSaved',
	error: unknown,
): string {
	return replaceMessages[what](safeName(image), refusalSentence(error));
}

function showButton(image: vscode.Uri): Button {
	return { label: replaceMessages.showImage, run: () => openImage(image) };
}

/** Returns this place, or the first one with a number in its name where nothing is. */
export async function freeName(wanted: vscode.Uri): Promise<vscode.Uri> {
	for (const name of candidateNames(path.posix.basename(wanted.path))) {
		const candidate = vscode.Uri.joinPath(wanted, '..', name);
		if (!(await uriExists(candidate))) {
			return candidate;
		}
	}
	return wanted;
}
