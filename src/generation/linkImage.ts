import * as vscode from 'vscode';
import { runCommand } from '../editor/commands.js';
import { saveDocument } from '../editor/saveDocument.js';
import { editable } from '../editor/targetImage.js';
import { notify, runDetached, showError, toSafeError, type Button } from '../editor/messages.js';
import { safeName, safeText } from '../editor/untrustedText.js';
import type { Anchors } from './anchors.js';
import type { GalleryImage } from '../jobs/gallery.js';
import { ownReferences, type ImageRequest } from '../jobs/request.js';
import { log } from '../log.js';
import { parseUri, type CommandContext } from '../editor/imageRequest.js';
import { openImage, revealImage, type SavedImage } from './savedImage.js';
import type { GeneratorServices } from './generatorServices.js';
import { labels, messages } from '../messages.js';
import { copyImageLink, insertAtCursor, insertLater, inTurn, type Written } from './writing.js';
import { documentAt } from '../editor/documents.js';

export interface InsertedAt {
	readonly document: vscode.Uri;
	readonly line: number;
}

/** Words and buttons of the notification of a saved image. */
export interface FollowUp {
	readonly inserted?: InsertedAt;
	/** Words in place of those on where it was saved. */
	readonly words?: string;
	readonly note?: string;
	/** Writes the image link, where that was wanted and could not be done. */
	readonly insert?: Button;
	readonly buttons: readonly Button[];
	/** Deletes the image and the link that was written. */
	readonly discard?: Discard;
}

/** @throws the system's error where the image could not be deleted */
type Discard = () => Promise<Discarded>;

interface Discarded {
	/** Words in place of those of the caller, who discards one image. */
	readonly words?: string;
	/** Reason why part of it was not done; missing where all was. */
	readonly note?: string;
	/** Brings both back, and returns what could not be; missing where nothing was deleted. */
	readonly undo?: () => Promise<string[]>;
}

type LinkServices = Pick<GeneratorServices, 'anchors' | 'deletedImages' | 'gallery' | 'linkPair'>;

/**
 * Writes the image link where the command was given, or offers to. An edit gets no link: it is
 * offered to be compared with its original.
 *
 * @returns words and buttons for the notification
 */
export async function linkImage(
	saved: SavedImage,
	request: ImageRequest,
	services: LinkServices,
): Promise<FollowUp> {
	const light = parseUri(request.darkOf);
	if (light !== undefined) {
		return stepsOfDark(saved, light, request, services);
	}
	// What was pasted has no name, and nothing to take the place of.
	const { operation, regeneratedFrom } = request;
	const original = editable(parseUri(regeneratedFrom ?? ownReferences(request)[0]?.source));
	if (request.origin !== undefined && request.insertion !== undefined) {
		return insertForAgent(saved, request, services);
	}
	return operation === 'edit' || regeneratedFrom !== undefined
		? stepsBesideOriginal(saved, original, request, services)
		: stepsAfterInsertion(saved, request, services, isDraft(request));
}

/**
 * Writes the link of an agent's image, and saves the document, because the agent reads its file.
 * One that the user is changing is left to the user to save.
 */
async function insertForAgent(
	saved: SavedImage,
	request: ImageRequest,
	services: LinkServices,
): Promise<FollowUp> {
	const uri = services.anchors.documentOf(request);
	const document = uri && (await documentAt(uri));
	const wasDirty = document?.isDirty ?? true;
	const isOneOfMany = (request.round?.count ?? 1) > 1;
	const followUp = await stepsAfterInsertion(saved, request, services, isOneOfMany);
	if (document !== undefined && !wasDirty && followUp.inserted !== undefined) {
		await saveDocument(document).catch((error: unknown) => {
			log.error('The document of an agent could not be saved', error);
		});
	}
	return followUp;
}

/**
 * Returns whether the image is one of several for one place in a document, of which the user
 * chooses one.
 */
export function isDraft({ operation, insertion, regeneratedFrom, round }: ImageRequest): boolean {
	return (
		operation === 'generate' &&
		regeneratedFrom === undefined &&
		insertion?.places.length === 1 &&
		(round?.count ?? 1) > 1
	);
}

async function stepsAfterInsertion(
	saved: SavedImage,
	context: CommandContext,
	services: LinkServices,
	isOneOfMany: boolean,
): Promise<FollowUp> {
	const { anchors } = services;
	// The document may get another name before a button is pressed.
	const now = () => ({ ...context, document: anchors.documentOf(context)?.toString() });
	const open = openButton(saved);
	const copy = { label: labels.copyImageLink, run: () => copyImageLink(saved, now()) };
	const reveal = { label: labels.revealInExplorer, run: () => revealImage(saved.uri) };
	const discardLater =
		(written?: Written): Discard =>
		() =>
			discardImage(saved, now(), services, written);
	const discard = discardLater();
	if (context.insertion === undefined) {
		return { buttons: [open, copy, reveal, discardButton(saved, discard)], discard };
	}
	const result = await anchors.insert(saved, context, isOneOfMany);
	switch (result) {
		case 'draft': {
			const run = () => runCommand('easel.chooseDraft', saved.uri);
			return {
				buttons: [{ label: labels.chooseDraft, run }, open, discardButton(saved, discard)],
				discard,
			};
		}
		case 'deleted':
			return {
				note: messages.placeDeleted,
				insert: { label: labels.insertAtCursor, run: () => insertAtCursor(saved, now()) },
				buttons: [copy, open],
				discard,
			};
		case 'away':
			return {
				insert: { label: labels.insert, run: () => insertLater(saved, now()) },
				buttons: [copy, open],
				discard,
			};
		default: {
			const inserted = insertedAt(context, anchors);
			const show = inserted && { label: labels.show, run: () => showLine(inserted) };
			const edit = {
				label: labels.edit,
				run: async () => {
					await runCommand('easel.editWithPrompt', saved.uri);
				},
			};
			const remove = discardLater(result);
			const buttons = [...(show ? [show] : []), edit, discardButton(saved, remove)];
			return { inserted, buttons, discard: remove };
		}
	}
}

/** The last link of those that were written: a place that is followed moves behind its link. */
function insertedAt({ insertion }: CommandContext, anchors: Anchors): InsertedAt | undefined {
	const followed = insertion && anchors.find(insertion);
	const end = followed?.anchors.at(-1)?.start;
	if (followed === undefined || end === undefined) {
		return undefined;
	}
	const { document } = followed;
	const { length } = document.getText().slice(0, end).trimEnd();
	return { document: document.uri, line: document.positionAt(length).line + 1 };
}

async function showLine({ document, line }: InsertedAt): Promise<void> {
	const position = new vscode.Position(line - 1, 0);
	await vscode.window.showTextDocument(document, {
		selection: new vscode.Range(position, position),
	});
}

function openButton({ uri }: SavedImage): Button {
	return { label: labels.openFile, run: () => openImage(uri) };
}

function stepsBesideOriginal(
	saved: SavedImage,
	original: vscode.Uri | undefined,
	context: CommandContext,
	services: LinkServices,
): FollowUp {
	const { answer } = saved;
	const discard: Discard = async () => {
		const one = await discardImage(saved, context, services);
		// Both are this one draft. The first one can be brought back, whatever happens to the second.
		const other =
			answer &&
			(await discardImage(answer, context, services).catch((error: unknown): Discarded => ({
				note: toSafeError(error).message,
			})));
		return other === undefined ? one : bothDiscarded(one, other);
	};
	if (original === undefined) {
		const insert = { label: labels.insert, run: () => insertAtCursor(saved, context) };
		return { buttons: [openButton(saved), insert, discardButton(saved, discard)], discard };
	}
	const path = safeText(vscode.workspace.asRelativePath(saved.uri));
	const compare = {
		label: labels.compare,
		run: () => runCommand('easel.compareImages', original, saved.uri),
	};
	const use = { label: labels.useNew, run: () => runCommand('easel.replaceImage', saved.uri) };
	const useWhole =
		answer === undefined
			? []
			: [{ label: labels.useWhole, run: () => useAnswer(saved, answer, context, services) }];
	return {
		words: messages.newDraft(safeName(original), path),
		buttons: [compare, use, ...useWhole, discardButton(saved, discard)],
		discard,
	};
}

/** Has documents show an image on dark pages in the place of `light`. */
async function stepsOfDark(
	saved: SavedImage,
	light: vscode.Uri,
	context: CommandContext,
	services: LinkServices,
): Promise<FollowUp> {
	const dark = saved.published ?? saved.uri;
	const folderOf = (uri: vscode.Uri) => vscode.Uri.joinPath(uri, '..').toString();
	const links =
		folderOf(dark) === folderOf(light) ? await services.linkPair(light, dark) : undefined;
	const pathsOf = (documents: readonly string[]) =>
		documents.map((one) => safeText(vscode.workspace.asRelativePath(vscode.Uri.parse(one, true))));
	/** Returns why links stay. */
	const unlink = async () => {
		const changed = (await links?.undo()) ?? [];
		return changed.length === 0 ? undefined : messages.darkLinksStay(pathsOf(changed));
	};
	const discard: Discard = async () => {
		const note = await unlink();
		const discarded = await discardImage(saved, context, services);
		const undo = async () => {
			const left = (await discarded.undo?.()) ?? [];
			const again =
				links && links.documents.length > 0 ? await services.linkPair(light, dark) : links;
			return [...left, ...(again?.notes ?? [])];
		};
		return {
			...discarded,
			...(discarded.undo !== undefined && { undo }),
			...(note !== undefined && { note }),
		};
	};
	const undo = async () => {
		const note = await unlink();
		await (note === undefined ? undefined : notify('warning', note));
	};
	const compare = {
		label: labels.compare,
		run: () => runCommand('easel.compareImages', light, dark),
	};
	const { documents = [], left = [], notes = [] } = links ?? {};
	const path = safeText(vscode.workspace.asRelativePath(dark));
	const note = [
		...(links === undefined ? [messages.darkElsewhere] : notes),
		...(left.length === 0 ? [] : [messages.darkNotLinked(pathsOf(left))]),
	];
	return {
		words: messages.darkSaved(path, documents.length, safeName(light)),
		...(note.length > 0 && { note: note.join(' ') }),
		buttons: [
			compare,
			...(documents.length > 0 ? [{ label: labels.undo, run: undo }] : []),
			discardButton(saved, discard),
		],
		discard,
	};
}

function bothDiscarded(one: Discarded, other: Discarded): Discarded {
	const notes = [one.note, other.note].filter((note) => note !== undefined);
	const undos = [other.undo, one.undo].filter((undo) => undo !== undefined);
	const undo = async () => (await Promise.all(undos.map((each) => each()))).flat();
	return { ...(notes.length > 0 && { note: notes.join(' ') }), ...(undos.length > 0 && { undo }) };
}

/** Deletes the image that was made of an answer, and goes on with the answer; one Undo brings it back. */
async function useAnswer(
	saved: SavedImage,
	answer: SavedImage,
	context: CommandContext,
	services: LinkServices,
): Promise<void> {
	const { note, undo } = await discardImage(saved, context, services);
	const path = safeText(vscode.workspace.asRelativePath(answer.uri));
	const replace = () => runCommand('easel.replaceImage', answer.uri);
	await notify('info', [messages.wholeUsed(path), note].filter(Boolean).join(' '), [
		openButton(answer),
		{ label: labels.useNew, run: replace },
		...(undo === undefined ? [] : [{ label: labels.undo, run: () => undoAll([undo]) }]),
	]);
}

function discardButton({ uri }: SavedImage, discard: Discard): Button {
	return {
		label: labels.discard,
		run: async () => {
			await discardImages([discard], messages.discarded(safeName(uri)));
		},
	};
}

/**
 * Discards an image where it lies, with its link where one is given; returns whether it is gone.
 */
export function discardKnown(
	image: GalleryImage,
	services: Pick<LinkServices, 'anchors' | 'deletedImages'>,
	link?: { readonly document: vscode.Uri; readonly text: string },
): Promise<boolean> {
	const written = link && { text: link.text, replaced: '' };
	const words = messages.discarded(safeName(vscode.Uri.parse(image.target, true)));
	const context = link === undefined ? {} : { document: link.document.toString() };
	return discardImages([() => removeWithLink(image, context, services, written)], words);
}

/**
 * Discards images, and says so once; one Undo brings all of them back, with their links. Returns whether
 * any is gone.
 */
export async function discardImages(discards: readonly Discard[], words: string): Promise<boolean> {
	const done: Discarded[] = [];
	for (const discard of discards) {
		// What is deleted already can be undone, whatever happens to the next one.
		await discard().then((one) => done.push(one), showError);
	}
	const shown = (done.length === 1 ? done[0]!.words : undefined) ?? words;
	const undos = done.flatMap(({ undo }) => undo ?? []);
	const notes = done.flatMap(({ note }) => note ?? []);
	if (undos.length > 0) {
		const button = { label: labels.undo, run: () => undoAll(undos) };
		runDetached(notify('info', [shown, ...notes].join(' '), [button]));
	} else if (notes.length > 0) {
		runDetached(notify('warning', notes.join(' ')));
	}
	return undos.length > 0;
}

/** Brings back what was deleted, the last one first, and says what could not be. */
async function undoAll(undos: readonly NonNullable<Discarded['undo']>[]): Promise<void> {
	const left: string[] = [];
	for (const undo of undos.toReversed()) {
		left.push(...(await undo()));
	}
	if (left.length > 0) {
		await notify('info', left.join(' '));
	}
}

/** Deletes an image that has just arrived, and its link. */
async function discardImage(
	saved: SavedImage,
	context: CommandContext,
	services: LinkServices,
	written?: Written,
): Promise<Discarded> {
	const file = saved.uri.toString();
	const known = (await services.gallery.list()).find(({ target }) => target === file);
	return known === undefined
		? { note: messages.movedNotDeleted(safeName(saved.uri)) }
		: removeWithLink(known, context, services, written);
}

async function removeWithLink(
	known: GalleryImage,
	context: CommandContext,
	{ anchors, deletedImages }: Pick<LinkServices, 'anchors' | 'deletedImages'>,
	written: Written | undefined,
): Promise<Discarded> {
	const name = safeName(vscode.Uri.parse(known.target, true));
	// An agent can have another export of what was paid for.
	const { origin, published } = known;
	const left = origin === undefined ? undefined : published;
	await (left === undefined ? deletedImages.remove(known) : deletedImages.removeExport(known));
	const removed = written && (await removeLink(written, context, anchors));
	const undo = async () => {
		const note = await deletedImages.restore(known.id);
		const isBack = removed === undefined || (await restoreLink(removed));
		return [note ?? [], isBack ? [] : messages.linkNotRestored(name)].flat();
	};
	const original = safeText(vscode.workspace.asRelativePath(vscode.Uri.parse(known.target, true)));
	return {
		undo,
		...(left !== undefined && {
			words: messages.exportDiscarded(safeName(vscode.Uri.parse(left, true)), original),
		}),
		...(written !== undefined && removed === undefined && { note: messages.linkChanged }),
	};
}

interface RemovedLink {
	readonly document: vscode.TextDocument;
	readonly start: number;
	readonly text: string;
	/** Text before it, as far as it is needed to find the place again. */
	readonly before: string;
}

/** Length of the text before a link that marks its place, in UTF-16 code units. */
const contextLength = 80;

async function removeLink(
	{ text: link, replaced }: Written,
	context: CommandContext,
	anchors: Anchors,
): Promise<RemovedLink | undefined> {
	const uri = anchors.documentOf(context);
	const document = uri && (await documentAt(uri));
	if (document === undefined) {
		return undefined;
	}
	return inTurn(document, async () => {
		const now = document.getText();
		const text = document.eol === vscode.EndOfLine.CRLF ? link.replaceAll('\n', '\r\n') : link;
		const end = context.insertion && anchors.find(context.insertion)?.anchors.at(-1)?.start;
		const followed = (end ?? 0) - text.length;
		const isFollowed = followed >= 0 && now.startsWith(text, followed);
		const start = isFollowed ? followed : now.indexOf(text);
		if (start < 0 || !(await replaceText(document, start, text.length, replaced))) {
			return undefined;
		}
		return { document, start, text, before: now.slice(Math.max(0, start - contextLength), start) };
	});
}

/** Returns whether the place was found again. */
async function restoreLink({ document, start, text, before }: RemovedLink): Promise<boolean> {
	return inTurn(document, async () => {
		const now = document.getText();
		const isThere = now.startsWith(before, start - before.length);
		const at = isThere ? start - before.length : now.indexOf(before);
		return at >= 0 && !document.isClosed && replaceText(document, at + before.length, 0, text);
	});
}

function replaceText(
	document: vscode.TextDocument,
	start: number,
	length: number,
	text: string,
): Thenable<boolean> {
	const edit = new vscode.WorkspaceEdit();
	const range = new vscode.Range(document.positionAt(start), document.positionAt(start + length));
	edit.replace(document.uri, range, text);
	return vscode.workspace.applyEdit(edit);
}
