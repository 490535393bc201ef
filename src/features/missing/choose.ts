import path from 'node:path';
import * as vscode from 'vscode';
import { wallAround } from '../../documents/localPath.js';
import { verdictOn } from '../../documents/missing/decide.js';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { commandTitles } from '../../editor/commandTable.js';
import type { Preferences } from '../../editor/preferences.js';
import {
	askPick,
	askPickMany,
	askText,
	inputButton,
	pickLoop,
	type LoopStep,
	type ValueItem,
} from '../../editor/quickInput.js';
import { readSetting } from '../../editor/settings.js';
import { safeText, type PickItem } from '../../editor/untrustedText.js';
import { costOf, maxUnasked, type CostlyImage } from '../../generation/confirmations.js';
import type { Draft } from '../../asking/draft.js';
import { targetIn, knownQuality } from '../../editor/imageRequest.js';
import { documentTextAt } from '../../models/documentText.js';
import { areModelsOn, receiveAnswer } from '../../models/languageModels.js';
import { labels } from '../../messages.js';
import { askForSize, pricedImage, sizeWords } from '../../asking/options.js';
import { draftTask, promptIn } from '../../models/promptTasks.js';
import { askForImages, oneLine, separator } from '../../asking/questions.js';
import { previewButton } from '../../style/requestPreview.js';
import type { Services } from '../../services.js';
import { StyleOption } from '../../asking/styleOption.js';
import type { Styles } from '../../style/styles.js';
import type { Size } from '../../service/contract.js';
import { missingMessages } from '../messages.js';
import { obstacleWords, type Obstructed } from './collect.js';
import { fixLinks, isFixable, workspacePath } from './fixLinks.js';

/** A row of the list: an image that can be generated, one that cannot, or a heading. */
interface Row extends PickItem {
	readonly wanted?: Wanted;
	readonly obstructed?: Obstructed;
	/** The link that may be fixed in it. */
	readonly link?: MissingImage;
}

const promptButton = inputButton('edit', missingMessages.editPrompt);
const draftButton = inputButton('book', commandTitles['easel.draftPrompt']);
const sizeButton = inputButton('symbol-ruler', missingMessages.size);
const sizeForAllButton = inputButton('symbol-ruler', missingMessages.sizeForAll);
const documentButton = inputButton('go-to-file', missingMessages.showInDocument);

const fixButton = inputButton('wrench', missingMessages.fixLink);
const fixAllButton = inputButton('tools', missingMessages.fixAllLinks);

/**
 * Lets the user choose, change prompts and sizes, and fix links to other files. More images than
 * may be asked for without a question are selected by the user alone, so that none has to follow;
 * so are those whose links may mean another file, or nothing.
 *
 * @param all those of `references` that can be generated, each file once
 * @returns one image at least; `undefined` where that was cancelled
 */
export async function chooseImages(
	all: readonly Wanted[],
	obstructed: readonly Obstructed[],
	references: readonly MissingImage[],
	style: WantedStyles,
	{ models, preferences, styles }: Pick<Services, 'models' | 'preferences' | 'styles'>,
): Promise<readonly Wanted[] | undefined> {
	const ready = all.filter(({ prompt, image }) => prompt !== '' && verdictOn(image) === 'missing');
	const isFew = ready.length <= maxUnasked();
	let selected = new Set(isFew ? ready : []);
	let links = references.filter(isFixable);
	const fixed = new Set<string>();
	const isLeft = (image: MissingImage) => !fixed.has(image.path);
	const ask = async () => {
		const left = all.filter(({ image }) => isLeft(image));
		const rest = obstructed.filter(isLeft);
		if (left.length + rest.length === 0) {
			return undefined;
		}
		const isUnsure = (image: MissingImage) => verdictOn(image) === 'unknown';
		const barred = rest.filter((image) => !isElsewhere(image) && !isUnsure(image));
		const missing = left.filter(({ image }) => verdictOn(image) === 'missing');
		const count = isFew ? undefined : left.length;
		return askPickMany<Row>({
			title: missingMessages.title,
			titleFor: (rows) => titleFor(wantedOf(rows), style, preferences),
			placeholder: missingMessages.select(count, {
				...{ links: links.length, missing: missing.length, barred: barred.length },
				unknown: left.filter(({ image }) => isUnsure(image)).length + rest.filter(isUnsure).length,
			}),
			emptyText: '',
			items: Promise.resolve([
				...missing.map(rowOf),
				...section(missingMessages.onlyIfSelected, left.filter(isDoubtful).map(rowOf)),
				...section(missingMessages.existElsewhere, [
					...left.filter(({ image }) => isElsewhere(image)).map(rowOf),
					...rest.filter(isElsewhere).map(withButtons),
				]),
				...section(missingMessages.mayExist, [
					...left.filter(({ image }) => isUnsure(image)).map(rowOf),
					...rest.filter(isUnsure).map(withButtons),
				]),
				...section(missingMessages.cannotBeGenerated, barred.map(withButtons)),
			]),
			selected: ({ wanted }) => wanted !== undefined && selected.has(wanted),
			selectable: ({ wanted }) => wanted !== undefined,
			buttons: [
				...style.buttons,
				...(left.length > 1 ? [sizeForAllButton] : []),
				...(links.length > 0 ? [fixAllButton] : []),
			],
		});
	};
	const fix = async (some: readonly MissingImage[]) => {
		const done = await fixLinks(some);
		for (const { path: file } of done) {
			fixed.add(file);
		}
		links = links.filter((link) => !done.includes(link));
	};
	const pressInTitle = (button: vscode.QuickInputButton) =>
		button === fixAllButton
			? fix(links)
			: button === sizeForAllButton
				? changeSize(all.filter(({ image }) => isLeft(image)))
				: style.press(button, [...selected]);
	return pickLoop(ask, async (answer): Promise<LoopStep<readonly Wanted[]>> => {
		if (answer.type === 'back' || answer.type === 'button') {
			return undefined;
		}
		if (answer.type === 'value') {
			const chosen = wantedOf(answer.value);
			selected = new Set(chosen);
			return (await haveAllPrompts(chosen)) ? { done: chosen } : 'again';
		}
		selected = new Set(wantedOf(answer.selected));
		if (answer.type === 'list') {
			await pressInTitle(answer.button);
			return 'again';
		}
		const { link, wanted } = answer.item;
		switch (answer.button) {
			case fixButton:
				await fix(links.filter(({ path: file }) => file === link?.path));
				return 'again';
			case documentButton:
				await (link && showInDocument(link));
				return undefined;
			case promptButton:
				if (wanted !== undefined && (await changePrompt(wanted))) {
					// An image with a new prompt is wanted.
					selected.add(wanted);
				}
				return 'again';
			case draftButton: {
				const draft = wanted && (await draftPromptOf(wanted, models, styles));
				if (wanted !== undefined && draft && (await changePrompt(wanted, draft))) {
					selected.add(wanted);
				}
				return 'again';
			}
			default:
				await (wanted && changeSize([wanted]));
				return 'again';
		}
	});
}

/** Names images where none of those that are missing can be generated, with the reason of each. */
export async function showObstructed(obstructed: readonly Obstructed[]): Promise<void> {
	const answer = await askPick<Row>({
		title: missingMessages.title,
		placeholder: missingMessages.noneCanBeGenerated(obstructed.length),
		items: obstructed.map(obstructedRow),
		matchOnDescription: true,
	});
	if (answer?.type === 'value' && answer.value.obstructed !== undefined) {
		await showInDocument(answer.value.obstructed);
	}
}

function titleFor(
	selected: readonly Wanted[],
	style: WantedStyles,
	preferences: Preferences,
): string {
	if (selected.length === 0) {
		return missingMessages.noneSelected(missingMessages.title);
	}
	const images = selected.map((wanted) => style.priced(wanted));
	return missingMessages.generateCost(images.length, costOf(images, preferences));
}

function wantedOf(rows: readonly Row[]): Wanted[] {
	return rows.flatMap(({ wanted }) => wanted ?? []);
}

/** Asks for the prompts of those that have none; `false` where the user leaves one of these. */
async function haveAllPrompts(chosen: readonly Wanted[]): Promise<boolean> {
	for (const wanted of chosen) {
		if (wanted.prompt === '' && !(await changePrompt(wanted))) {
			return false;
		}
	}
	return true;
}

function rowOf(wanted: Wanted): Row {
	const { image, prompt, size } = wanted;
	const isElse = isElsewhere(image);
	const doubt = image.doubt === 'example' ? ` · ${missingMessages.looksLikeExample}` : '';
	const why = image.unknown ? ` · ${missingMessages.whyUnknown[image.unknown]}` : '';
	return {
		...(isElse
			? existing(image)
			: prompt === ''
				? speechless(image)
				: { label: oneLine(prompt, 80) }),
		description: workspacePath(image.document),
		detail: `${workspacePath(image.path)} · ${sizeWords(size)}${doubt}${why}`,
		buttons: [
			...(isFixable(image) ? [fixButton] : []),
			...(isElse || image.unknown ? [documentButton] : []),
			...(isThin(image) && areModelsOn() ? [draftButton] : []),
			promptButton,
			sizeButton,
		],
		link: image,
		wanted,
	};
}

function existing({ candidates }: MissingImage) {
	const names = candidates.map(workspacePath);
	return candidates.length === 1
		? { icon: 'wrench', label: missingMessages.existsFixLink(names[0] ?? '') }
		: { icon: 'question', label: missingMessages.exist(names) };
}

function speechless({ reference: { alt } }: MissingImage) {
	const label =
		alt === '' ? missingMessages.noAltText : missingMessages.genericAltText(oneLine(alt, 40));
	return { icon: 'warning', label };
}

/** Returns whether an alt text says too little for a picture: two words at most. */
function isThin(image: MissingImage): boolean {
	const alt = promptOf(image).slice(0, 100);
	const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(alt)];
	return words.filter(({ isWordLike }) => isWordLike).length <= 2;
}

/** Has a language model write a prompt from the section around a link; it is shown, not sent. */
async function draftPromptOf(
	{ image: { document, path: file, reference } }: Wanted,
	models: Services['models'],
	styles: Styles,
): Promise<string | undefined> {
	const open = await vscode.workspace.openTextDocument(vscode.Uri.file(document));
	const at = open.positionAt(reference.span.start);
	const source = await documentTextAt(open, new vscode.Range(at, at));
	const link = oneLine(`${path.basename(file)} ${reference.alt}`);
	const task = await draftTask(source, styles, link);
	const send = await models.ask(task);
	const answer = send && (await receiveAnswer(task.title, send));
	// The field has one line.
	return answer && oneLine(promptIn(answer), answer.length);
}

function isDoubtful({ image }: Wanted): boolean {
	return verdictOn(image) === 'doubtful';
}

function isElsewhere({ candidates }: MissingImage): boolean {
	return candidates.length > 0;
}

function section(words: string, rows: readonly Row[]): Row[] {
	return rows.length === 0 ? [] : [separator(words), ...rows];
}

function withButtons(image: Obstructed): Row {
	return {
		...obstructedRow(image),
		buttons: [...(isFixable(image) ? [fixButton] : []), documentButton],
	};
}

/** The name stands as the document has it: that is what is to be changed there. */
function obstructedRow(image: Obstructed): Row {
	const isElse = isElsewhere(image);
	return {
		...(isElse
			? existing(image)
			: {
					icon: verdictOn(image) === 'unknown' ? 'question' : 'circle-slash',
					label: oneLine(image.reference.destination, 80),
				}),
		description: workspacePath(image.document),
		detail: isElse ? oneLine(image.reference.destination, 80) : obstacleWords(image),
		obstructed: image,
		link: image,
	};
}

/** Selects the image in its document, so that it can be changed there. */
async function showInDocument({ document, reference: { span } }: MissingImage): Promise<void> {
	const open = await vscode.workspace.openTextDocument(vscode.Uri.file(document));
	const selection = new vscode.Range(open.positionAt(span.start), open.positionAt(span.end));
	await vscode.window.showTextDocument(open, { selection });
}

interface FolderStyle {
	readonly option: StyleOption;
	readonly size: Size | undefined;
}

/** The styles of missing images, which may lie in several workspace folders: all have one, or none. */
export class WantedStyles {
	#withoutStyle: Draft['withoutStyle'];

	private constructor(
		private readonly folders: ReadonlyMap<string | undefined, FolderStyle>,
		private readonly styles: Styles,
	) {}

	/** @param documents those of the images, as paths */
	static async of(documents: readonly string[], styles: Styles): Promise<WantedStyles> {
		const uris = new Map(documents.map(folderOf).map((uri) => [uri?.toString(), uri]));
		const folders = new Map<string | undefined, FolderStyle>();
		for (const [key, folder] of uris) {
			const option = await StyleOption.of(folder, styles);
			folders.set(key, { option, size: await styles.sizeFor(folder) });
		}
		return new WantedStyles(folders, styles);
	}

	/** The size that the style of a document's workspace folder names, where it names one. */
	sizeFor(document: string): Size | undefined {
		return this.#styleFor(document).size;
	}

	/** Returns the choices that decide the price of an image. */
	priced(wanted: Wanted): CostlyImage {
		return pricedImage(this.draftOf(wanted), this.#styleFor(wanted.image.document).option);
	}

	/** Returns the draft of an image, with the style or without. */
	draftOf({ image, prompt, size }: Wanted): Draft {
		return { ...draftFor(image, prompt, size), withoutStyle: this.#withoutStyle };
	}

	get buttons(): vscode.QuickInputButton[] {
		// The list has no row for it.
		return [...this.#common.buttons({ withoutStyle: this.#withoutStyle }), previewButton];
	}

	async press(button: vscode.QuickInputButton, all: readonly Wanted[]): Promise<void> {
		const changed = this.#common.toggle(button, { withoutStyle: this.#withoutStyle });
		if (changed !== undefined) {
			this.#withoutStyle = changed.withoutStyle;
			return;
		}
		await this.styles.preview.show(
			all.map((wanted) => {
				const draft = this.draftOf(wanted);
				return [draft, this.#styleFor(wanted.image.document).option.applied(draft)];
			}),
		);
	}

	#styleFor(document: string): FolderStyle {
		return this.folders.get(folderOf(document)?.toString())!;
	}

	/** One that has a style, where one does. */
	get #common(): StyleOption {
		const all = [...this.folders.values()].map(({ option }) => option);
		return all.find(({ isThere }) => isThere) ?? all[0]!;
	}
}

function folderOf(document: string): vscode.Uri | undefined {
	return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(document))?.uri;
}

/** One image of the list, as the user has it now. */
export interface Wanted {
	readonly image: MissingImage;
	prompt: string;
	size: Size;
}

/** Returns what an alt text says of an image; empty where that is nothing. */
export function promptOf({ doubt, reference: { alt } }: MissingImage): string {
	return doubt === 'alt' ? '' : alt;
}

/**
 * Returns what would be asked for, with the settings of the document. The document stays as it is, so
 * nothing is inserted; the file takes the name that it has there.
 */
export function draftFor(
	{ document: documentPath, path: file }: MissingImage,
	prompt: string,
	size: Size | undefined,
): Draft {
	const document = vscode.Uri.file(documentPath);
	const root = vscode.workspace.getWorkspaceFolder(document)?.uri;
	const wall = vscode.Uri.file(wallAround(documentPath, root?.fsPath));
	const stem = path.basename(file).replace(/\.png$/i, '');
	return {
		operation: 'generate',
		prompt,
		size: size ?? readSetting('image.size', document),
		quality: knownQuality(readSetting('image.quality', document)),
		count: 1,
		references: [],
		document: document.toString(),
		workspaceFolder: root?.toString(),
		target: targetIn(vscode.Uri.file(path.dirname(file)), wall, stem),
	};
}

/** Asks for one image; name and folder are those that the document names. */
export async function askForOne(
	image: MissingImage,
	draft: Draft,
	style: StyleOption,
	preferences: Preferences,
): Promise<Draft | undefined> {
	const { alt } = image.reference;
	const contexts = contextsOf(image);
	const asked = await askForImages(draft, {
		title: missingMessages.titleOfOne,
		placeholder: placeholderOf(image),
		verb: labels.generate,
		preferences,
		style,
		options: ['size'],
		isFixed: true,
		more: ({ prompt }) =>
			contexts.length > 0 && prompt === alt && alt !== ''
				? [separator(missingMessages.contexts), ...contexts]
				: [],
	});
	return asked?.draft;
}

/** Prompts that are the alt text of an image with what stands around it. */
function contextsOf({ reference }: MissingImage): ValueItem[] {
	const { alt, heading } = reference;
	// An image alone in its paragraph has nothing around it but its own alt text.
	const paragraph =
		reference.paragraph === alt || reference.paragraph === '' ? undefined : reference.paragraph;
	const row = (label: string, value: string): ValueItem => ({
		icon: 'book',
		label,
		detail: oneLine(value),
		alwaysShow: true,
		value,
	});
	return [
		heading !== undefined &&
			row(missingMessages.heading, missingMessages.withHeading(alt, heading)),
		paragraph !== undefined &&
			row(missingMessages.paragraph, missingMessages.withParagraph(alt, paragraph)),
		heading !== undefined &&
			paragraph !== undefined &&
			row(missingMessages.both, missingMessages.withBoth(alt, heading, paragraph)),
	].filter((item) => item !== false);
}

function placeholderOf(image: MissingImage): string {
	return missingMessages.placeholder(safeText(path.basename(image.path)));
}

/** Lets the user choose another size for images of the list, one at least. */
async function changeSize(all: readonly Wanted[]): Promise<void> {
	const [first] = all;
	const answer = await askForSize(first!.size, {
		title: missingMessages.sizeTitle,
		placeholder:
			all.length === 1 ? path.basename(first!.image.path) : missingMessages.forAll(all.length),
	});
	if (answer?.type === 'value') {
		for (const wanted of all) {
			wanted.size = answer.value;
		}
	}
}

/** Lets the user say what one image of the list shows; returns whether there is a prompt now. */
async function changePrompt(wanted: Wanted, text = wanted.prompt): Promise<boolean> {
	const answer = await askText({
		title: missingMessages.promptTitle,
		canGoBack: true,
		placeholder: placeholderOf(wanted.image),
		text,
		problem: (text) => (text.trim() === '' ? missingMessages.promptEmpty : undefined),
	});
	if (answer?.type === 'value') {
		wanted.prompt = answer.value.trim();
	}
	return wanted.prompt !== '';
}
