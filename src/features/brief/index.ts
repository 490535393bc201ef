import path from 'node:path';
import * as vscode from 'vscode';
import { linkText } from '../../documents/imageLink.js';
import { imageLinkFor } from '../../documents/writeImageLink.js';
import { BackupStore } from '../../editor/backupStore.js';
import { placeOf } from '../../editor/filePlaces.js';
import { SaveError, refusalWords } from '../../editor/files.js';
import { inspectUri } from '../../editor/images.js';
import { copyText, notify, runDetached } from '../../editor/messages.js';
import { askPickMany, askText, pickLoop } from '../../editor/quickInput.js';
import { restoreUnderFreeName } from '../../editor/swapFiles.js';
import { safeText } from '../../editor/untrustedText.js';
import type { ReadAnnotations } from '../../library/annotations.js';
import { parseUri } from '../../editor/imageRequest.js';
import { belongsHere, nameOfOriginal, originalOf } from '../../library/galleryLookup.js';
import { registerRequestCommand, type Overlay } from '../../asking/requestCommands.js';
import { Lineage, madeFrom, roundsOf, type RoundSlot } from '../../library/rounds.js';
import { openImage } from '../../generation/savedImage.js';
import type { Services } from '../../services.js';
import { insideFolder } from '../../editor/documents.js';
import { candidateNames } from '../../images/fileName.js';
import { isNamedByFormat, type ImageFacts } from '../../images/inspect.js';
import { firstClause } from '../../images/altText.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { briefMessages } from '../messages.js';
import { briefText, type LinkedImage, type Step } from './brief.js';

/** Registers "Write Brief…": a text beside an image, for a colleague or a coding agent. */
export function registerBrief(deps: Services): vscode.Disposable {
	return vscode.Disposable.from(
		...(['generate', 'edit'] as const).map((operation) =>
			registerRequestCommand('writeBrief', operation, (image, others = [], overlay) =>
				writeBrief(image, others, overlay, deps),
			),
		),
	);
}

/**
 * @throws {ImageError} where the file of the image cannot be read
 * @throws {SaveError} where the brief cannot be written
 */
async function writeBrief(
	image: GalleryImage,
	others: readonly GalleryImage[],
	overlay: Overlay | undefined,
	deps: Services,
): Promise<void> {
	const uri = vscode.Uri.parse(image.target, true);
	const facts = await inspectUri(uri);
	const { marks, slot, steps, alternatives } = await lineageOf(image, others, deps);
	const answers = await askForBrief(alternatives, marks);
	if (answers === undefined) {
		return;
	}
	/** @param at the file that the links are relative to */
	const textAt = (at: vscode.Uri): string => {
		const linked = (one: SavedSlot) => linkedAt(at, one, marks.ofImage(one.id).title);
		return briefText({
			image: linked(slot),
			purpose: answers.purpose,
			note: marks.ofImage(image.id).note ?? '',
			steps,
			sizeAsked: image.size,
			facts,
			alternatives: answers.alternatives.map(linked),
			...(overlay && { overlay: { ...overlay, image: linkTo(at, overlay.uri) } }),
		});
	};
	const brief = await saveBrief(uri, textAt(uri), deps.storage);
	const root = insideFolder(vscode.workspace.getWorkspaceFolder(uri)?.uri);
	const attachFiles = [
		...[brief, await namedByFormat(uri, facts, deps.storage)],
		...(overlay === undefined ? [] : [overlay.uri]),
	];
	const hasChat = (await vscode.commands.getCommands(true)).includes(openChat);
	// Nothing is sent: the user says what is to be done.
	const chat = { query: '', isPartialQuery: true, attachFiles };
	const openInChat = () => vscode.commands.executeCommand(openChat, chat);
	runDetached(
		notify<unknown>(
			'info',
			briefMessages.written(safeText(vscode.workspace.asRelativePath(brief))),
			[
				{ label: briefMessages.open, run: () => openImage(brief) },
				// Wherever it is pasted, its links are relative to the workspace folder.
				{
					label: briefMessages.copy,
					run: () => copyText(textAt(root ?? uri), briefMessages.copied),
				},
				...(hasChat ? [{ label: briefMessages.openInChat, run: openInChat }] : []),
			],
		),
	);
}

/** Returns the image, or a copy where its name says another format than it has: chats go by names. */
async function namedByFormat(
	image: vscode.Uri,
	facts: ImageFacts,
	storage: string,
): Promise<vscode.Uri> {
	if (isNamedByFormat(image.path, facts)) {
		return image;
	}
	const name = path.posix.parse(image.path).name + facts.extension;
	const copy = vscode.Uri.joinPath(vscode.Uri.file(storage), 'briefs', crypto.randomUUID(), name);
	await vscode.workspace.fs.copy(image, copy);
	return copy;
}

function linkedAt(at: vscode.Uri, { image }: SavedSlot, title = ''): LinkedImage {
	const uri = vscode.Uri.parse(image.target, true);
	// The prompt of an edit says what to change, not what the image shows.
	const words = image.operation === 'edit' ? undefined : firstClause(image.prompt);
	return { ...linkTo(at, uri, title || words), title: title || undefined };
}

/** @param alt the words of its name by default */
function linkTo(at: vscode.Uri, image: vscode.Uri, alt?: string): LinkedImage {
	const { name, base } = path.posix.parse(image.path);
	const words = alt ?? name.replace(/[\s_-]+/g, ' ').trim();
	const link = imageLinkFor('markdown', { document: at, image, alt: words });
	return { name: base, title: undefined, link: linkText(link) };
}

/** No public command: editors without a chat, and some others, do not have it. */
const openChat = 'workbench.action.chat.open';

/** Asks what the image is for, and which of the other drafts belong to it; `undefined` for cancel. */
async function askForBrief(
	alternatives: readonly SavedSlot[],
	marks: ReadAnnotations,
): Promise<{ purpose: string; alternatives: readonly SavedSlot[] } | undefined> {
	const { title } = briefMessages;
	const steps = alternatives.length === 0 ? undefined : 2;
	let text = '';
	const askPurpose = () =>
		askText({
			title,
			step: steps && 1,
			totalSteps: steps,
			prompt: briefMessages.purpose,
			placeholder: briefMessages.purposeExample,
			text,
		});
	return pickLoop(askPurpose, async (purpose) => {
		if (purpose.type !== 'value') {
			return undefined;
		}
		text = purpose.value;
		if (alternatives.length === 0) {
			return { done: { purpose: text.trim(), alternatives } };
		}
		const chosen = await askPickMany({
			title,
			step: 2,
			totalSteps: 2,
			canGoBack: true,
			placeholder: briefMessages.alternatives,
			emptyText: '',
			items: Promise.resolve(alternatives.map((slot) => itemOf(slot, marks))),
			selected: () => true,
		});
		if (chosen?.type === 'value') {
			const slots = chosen.value.map(({ slot }) => slot);
			return { done: { purpose: text.trim(), alternatives: slots } };
		}
		return chosen?.type === 'back' ? 'again' : undefined;
	});
}

function itemOf(slot: SavedSlot, marks: ReadAnnotations) {
	const uri = vscode.Uri.parse(slot.image.target, true);
	const { title = '' } = marks.ofImage(slot.id);
	return {
		label: title === '' ? slot.label : `${slot.label} · ${title}`,
		description: path.posix.basename(uri.path),
		iconPath: uri,
		slot,
	};
}

/** An image with its place among the rounds. */
type SavedSlot = RoundSlot & { readonly image: GalleryImage };

/**
 * Looks up where an image comes from, its own step last, and other images that were selected, or
 * have a star and are of its round or those that it comes from.
 *
 * @throws the system's error where the gallery cannot be read
 */
async function lineageOf(
	image: GalleryImage,
	others: readonly GalleryImage[],
	{ history, jobs, annotations: annotations }: Services,
) {
	const [images, marks] = await Promise.all([history.list(), annotations.read()]);
	const rounds = roundsOf(images.filter(belongsHere), jobs.requests);
	const slots = rounds.flatMap((round) => round.slots);
	const selected = new Set(others.map(({ id }) => id));
	const slot = slots.find(({ id }) => id === image.id) ?? { ...unknown, id: image.id, image };
	const lineage = new Lineage(rounds);
	const way = [...lineage.chainOf(slot), slot].filter(isSaved);
	const ofWay = rounds.filter((round) =>
		round.slots.some(({ id }) => way.some((one) => one.id === id)),
	);
	return {
		marks,
		slot: { ...slot, image },
		steps: way.map((step): Step => {
			const edited = parseUri(madeFrom(step)?.edited);
			const parent = lineage.parentOf(step)?.image;
			const from = parent ? fileNameOf(parent) : edited && nameOfOriginal(edited);
			const { prompt, marks, keptRest } = step.image;
			const original = keptRest && originalOf(step.image);
			const restOf = original && nameOfOriginal(original);
			return { name: fileNameOf(step.image), prompt, from, marks, restOf };
		}),
		alternatives: (selected.size > 0 ? rounds : ofWay)
			.flatMap((round) => round.slots)
			.filter(isSaved)
			.filter(({ id }) => {
				const isMeant =
					selected.size > 0 ? selected.has(id) : marks.ofImage(id).isFavorite === true;
				return id !== image.id && isMeant;
			}),
	};
}

function fileNameOf({ target }: GalleryImage): string {
	return path.posix.basename(vscode.Uri.parse(target, true).path);
}

/** Slot of an image that the gallery has just forgotten. */
const unknown = { label: 'This picture', request: undefined };

function isSaved(slot: RoundSlot): slot is SavedSlot {
	return slot.image !== undefined;
}

/**
 * Writes a brief beside its image: `harbor.brief.md`, or a numbered name where that one is taken.
 * Nothing is written over, and no name that people see ever holds half a brief.
 *
 * @throws {SaveError} where it cannot be written
 */
async function saveBrief(image: vscode.Uri, text: string, storage: string): Promise<vscode.Uri> {
	const backups = new BackupStore(storage);
	try {
		const sha256 = await backups.add(Buffer.from(text));
		const name = await restoreUnderFreeName(placeOf(image), backups, sha256, briefNames(image));
		return vscode.Uri.joinPath(image, '..', name);
	} catch (error) {
		throw new SaveError(image, briefMessages.notSaved(refusalWords(error)), error);
	}
}

function* briefNames(image: vscode.Uri): Iterable<string> {
	const { name } = path.posix.parse(image.path);
	for (const numbered of candidateNames(`${name}.md`)) {
		yield numbered.replace(/\.md$/, '.brief.md');
	}
}
