import * as vscode from 'vscode';
import { imagePathsFor } from '../../documents/writeImageLink.js';
import {
	commandButton,
	registerCommand,
	registerHoverLink,
	registerProvider,
	runCommand,
} from '../../editor/commands.js';
import { commandTitles } from '../../editor/commandTable.js';
import { documentImageAt } from '../../editor/documentImages.js';
import { ageWords } from '../../editor/expectation.js';
import { mayExist } from '../../editor/files.js';
import { notify, runDetached, showError } from '../../editor/messages.js';
import { imagePathAt, languageOf } from '../../editor/nearImage.js';
import { askPick } from '../../editor/quickInput.js';
import { richText, type CommandLink, type Paragraph } from '../../editor/richText.js';
import { safeName, safeText, shortened } from '../../editor/untrustedText.js';
import { findCommandContext } from '../../asking/argument.js';
import {
	masterOf,
	galleryImageAt,
	originalOf,
	type KnownImages,
} from '../../library/galleryLookup.js';
import { discardKnown } from '../../generation/linkImage.js';
import { draftLinks } from '../../generation/placeNote.js';
import { areModelsOn } from '../../models/languageModels.js';
import { insertAtCursor } from '../../generation/writing.js';
import { labels } from '../../messages.js';
import { oneLine } from '../../asking/questions.js';
import { savedImageOf } from '../../generation/savedImage.js';
import type { Services } from '../../services.js';
import { linkContextOf } from '../../editor/documents.js';
import { readableDimensions } from '../../images/readableSize.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { documentMessages } from '../messages.js';

/** Registers what documents show of Easel's images: hovers, completions, and their list. */
export function registerImageLanguageFeatures(deps: Services): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.insertImage', () => insertImage(deps)),
		registerHoverLinks(deps),
		registerProvider('hover', (document: vscode.TextDocument, position: vscode.Position) =>
			hoverOver(document, position, deps),
		),
		registerProvider('completions', (document: vscode.TextDocument, position: vscode.Position) =>
			completeImages(document, position, deps.history),
		),
	);
}

/** Longest side of the picture in a hover, in pixels. */
const maxSidePixels = 180;

/** Longest prompt in a hover, in graphemes: it leaves room for the picture. */
const maxPromptLength = 160;

/** An image where a hover has shown it. */
interface SeenImage {
	/** It may have taken the place of another one since. */
	readonly uri: vscode.Uri;
	readonly document: vscode.Uri;
	/** The link, with the empty line before it where it is a paragraph of its own. */
	readonly link: string;
}

/** Actions of the links of a hover with an image of the gallery. No menu has them. */
const links = {
	edit: (uri: vscode.Uri) => runCommand('easel.editWithPrompt', uri),
	regenerate: (uri: vscode.Uri) => runCommand('easel.regenerateImage', uri),
	altText: (uri: vscode.Uri) => runCommand('easel.proposeAltText', uri),
	howMade: (uri: vscode.Uri) => runCommand('easel.showProvenance', uri),
	open: (uri: vscode.Uri) => vscode.commands.executeCommand('vscode.open', uri),
	compare: async (uri: vscode.Uri, image: GalleryImage) => {
		const original = originalOf(image);
		await (original && runCommand('easel.compareImages', original, uri));
	},
};

const seenAt = new Map<string, SeenImage>();

/** The image under the pointer, its prompt and what can be done; only for images of Easel. */
async function hoverOver(
	document: vscode.TextDocument,
	position: vscode.Position,
	{ history, newDrafts }: Pick<Services, 'history' | 'newDrafts'>,
): Promise<vscode.MarkdownString | undefined> {
	const at = await documentImageAt(document, position);
	const image = at && (await galleryImageAt(at.uri, history));
	const master = at && (await masterOf(at.uri, history)).toString();
	const ofDrafts = newDrafts.all
		.filter((draft) => draft.type === 'new' && draft.original.toString() === master)
		.flatMap((draft): Paragraph[] => [
			{
				type: 'text',
				text: documentMessages.newDraftOf(safeName(vscode.Uri.parse(draft.images[0].target))),
			},
			draftLinks(draft),
		]);
	if (at === undefined || image === undefined) {
		return ofDrafts.length === 0 ? undefined : richText(ofDrafts);
	}
	const { uri, isOnPath, isRelative } = at;
	const { id, prompt, savedAt, width, height } = image;
	seenAt.set(id, { uri, document: document.uri, link: linkAround(document, at.span) });
	const exists = await mayExist(uri);
	const original = originalOf(image);
	const isBeside = original !== undefined && original.toString() !== uri.toString();
	const scale = Math.min(1, maxSidePixels / Math.max(width, height));
	const link = (
		name: keyof typeof links | 'discard',
		label: string,
		isOffered = true,
	): CommandLink[] => (isOffered ? [{ label, command: `_easel.image.${name}`, id }] : []);
	return richText([
		...ofDrafts,
		// On a relative path VS Code's own Markdown shows the picture already.
		...(exists && !(isOnPath && isRelative && document.languageId === 'markdown')
			? [
					{
						type: 'picture',
						uri,
						width: Math.round(width * scale),
						height: Math.round(height * scale),
					} as const,
				]
			: []),
		{ type: 'text', text: shortened(prompt, maxPromptLength) },
		{ type: 'text', text: `${readableDimensions(image)} · ${ageWords(new Date(savedAt))}` },
		{
			type: 'links',
			links: [
				...link('edit', commandTitles['easel.editWithPrompt'], exists),
				...link('regenerate', commandTitles['easel.regenerateImage']),
				...link('compare', labels.compare, exists && isBeside),
				...link('altText', commandTitles['easel.proposeAltText'], exists && areModelsOn()),
				...link('howMade', commandTitles['easel.showProvenance']),
				...link('open', labels.openFile, exists),
				...link('discard', labels.discard, exists),
			],
		},
	]);
}

/** Returns a link with the empty line before it where it is a paragraph of its own. */
function linkAround(
	document: vscode.TextDocument,
	{ start, end }: { readonly start: number; readonly end: number },
): string {
	const text = document.getText();
	const link = text.slice(start, end);
	const line = document.lineAt(document.positionAt(start));
	const before =
		line.text.trim() === link
			? /(?:\r?\n[ \t]*){0,2}$/.exec(text.slice(Math.max(0, start - 200), start))?.[0]
			: '';
	return `${before ?? ''}${link}`.replaceAll('\r\n', '\n');
}

/** Registers what the links do. They take the identifier of the image, and nothing else. */
function registerHoverLinks(deps: Services): vscode.Disposable {
	const all = {
		...links,
		discard: async (uri: vscode.Uri, image: GalleryImage) => {
			const seen = seenAt.get(image.id);
			const link = seen && { document: seen.document, text: seen.link };
			// Documents may show its export.
			const target = uri.toString() === image.published ? image.target : uri.toString();
			await discardKnown({ ...image, target }, deps, link);
		},
	};
	return vscode.Disposable.from(
		...Object.entries(all).map(([name, run]) =>
			registerHoverLink(`_easel.image.${name}`, async (id) => {
				try {
					const image = (await deps.history.list()).find((one) => one.id === id);
					if (image === undefined) {
						runDetached(notify('info', documentMessages.notInGallery));
						return undefined;
					}
					const uri = seenAt.get(image.id)?.uri ?? vscode.Uri.parse(image.target, true);
					return await run(uri, image);
				} catch (error) {
					// A user has followed the link, although it has an argument.
					showError(error);
					return undefined;
				}
			}),
		),
	);
}

const maxOffered = 20;

/** Offers the latest images where a document is about to name one. */
async function completeImages(
	document: vscode.TextDocument,
	position: vscode.Position,
	known: KnownImages,
): Promise<vscode.CompletionItem[]> {
	const typed = imagePathAt(document, position);
	if (typed === undefined) {
		return [];
	}
	const range = new vscode.Range(position.translate(0, -typed.typed.length), position);
	const images = await latestImages(known, maxOffered);
	const textBefore = document.getText(range.with(new vscode.Position(0, 0), range.start));
	const context = await linkContextOf(document.uri, textBefore);
	const pathOf = imagePathsFor(languageOf(document), context);
	return images.map(({ uri, prompt, savedAt }, index) => {
		const path = pathOf(uri);
		const item = new vscode.CompletionItem(
			{ label: safeText(path), description: ageWords(new Date(savedAt)) },
			vscode.CompletionItemKind.File,
		);
		item.insertText = typed.write(path);
		item.range = range;
		item.filterText = `${item.insertText} ${prompt}`;
		item.sortText = String(index).padStart(3, '0');
		item.detail = safeText(prompt);
		item.documentation = richText([{ type: 'picture', uri, width: 240 }]);
		return item;
	});
}

/** Number of images that are listed; older ones lie in the explorer. */
const maxListed = 100;

/** "Insert Generated Image…": one of the latest images goes to the cursor. */
async function insertImage({ history, annotations }: Services): Promise<void> {
	// In a fresh clone they are known by their files alone, which are read first.
	await history.untilKnown();
	const images = await latestImages(history, maxListed);
	if (images.length === 0) {
		await notify('info', documentMessages.noImages, [commandButton('easel.generateImage')]);
		return;
	}
	const answer = await askPick({
		title: documentMessages.insertTitle,
		placeholder: documentMessages.insertPlaceholder,
		items: images.map((image) => ({
			label: oneLine(image.prompt, 80),
			description: ageWords(new Date(image.savedAt)),
			detail: `${vscode.workspace.asRelativePath(image.uri)} · ${readableDimensions(image)}`,
			iconPath: image.uri,
			image,
		})),
		matchOnDescription: true,
	});
	const context = answer?.type === 'value' ? await findCommandContext() : undefined;
	if (answer?.type === 'value' && context !== undefined) {
		const saved = await savedImageOf(answer.value.image, await history.list(), annotations);
		await insertAtCursor(saved, context);
	}
}

/** The latest images of this workspace whose files are still there, newest first. */
async function latestImages(known: KnownImages, max: number) {
	const found = new Map<string, GalleryImage & { readonly uri: vscode.Uri }>();
	for (const image of await known.list()) {
		if (found.size === max) {
			break;
		}
		const uri = vscode.Uri.parse(image.target, true);
		const isHere = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
		if (!found.has(image.target) && isHere && (await mayExist(uri))) {
			found.set(image.target, { ...image, uri });
		}
	}
	return [...found.values()];
}
