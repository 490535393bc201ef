import { posix } from 'node:path';
import * as vscode from 'vscode';
import { wordsOf } from '../../editor/errorTexts.js';
import { EaselError, inWords } from '../../easelError.js';
import { registerCommand } from '../../editor/commands.js';
import { assertInside, assertPlace, uriExists } from '../../editor/files.js';
import { safeText } from '../../editor/untrustedText.js';
import { inspectUri } from '../../editor/images.js';
import { runDetached, notify } from '../../editor/messages.js';
import { askText, pickLoop } from '../../editor/quickInput.js';
import { saveDocument } from '../../editor/saveDocument.js';
import { imageOfArgument } from '../../asking/argument.js';
import { askReferences } from '../../asking/options.js';
import { pathIn, styleFileOf } from '../../style/styleFile.js';
import { openStyleGuide } from '../../style/styles.js';
import {
	maxStyleLength,
	maxStyleReferences,
	StyleGuideError,
	type StyleGuide,
} from '../../recipes/styleGuide.js';
import { formatStyleGuide, withReference } from '../../recipes/writeStyleGuide.js';
import { styleMessages } from '../messages.js';
import { labels } from '../../messages.js';
import type { Services } from '../../services.js';

const { title } = styleMessages;

/** "Create Style Guide…" and "Add to Style Guide…": a guide is a file like any other. */
export function registerStyle(deps: Pick<Services, 'styles'>): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.createStyleGuide', () => create(deps)),
		registerCommand('easel.useAsStyle', async (target) => {
			const image = await imageOfArgument(target, styleMessages.selectImage);
			await (image && useAsStyle(image));
		}),
	);
}

/** Asks for words and images, writes the guide, and opens it. One that is there is opened instead. */
async function create({ styles }: Pick<Services, 'styles'>): Promise<void> {
	const folder = await folderAsked();
	const guide = folder && (await guideOf(folder));
	if (folder === undefined || guide === undefined) {
		return;
	}
	if (await uriExists(guide)) {
		await openStyleGuide(guide);
		runDetached(notify('info', styleMessages.exists(nameOf(guide))));
		return;
	}
	const style = await askStyle();
	if (style === undefined) {
		return;
	}
	for (const uri of style.references) {
		await assertUsable(folder, uri);
	}
	const references = style.references.map((uri) => wayTo(uri, guide));
	await write(folder, guide, { text: style.text, references });
	const written = await styles.look(folder);
	if (written !== undefined && !(written instanceof EaselError)) {
		// The user has just said what is in it.
		await styles.agree(folder, written);
	}
	await openStyleGuide(guide);
}

/** Adds an image to the guide of its workspace folder, and begins one where there is none. */
async function useAsStyle(image: vscode.Uri): Promise<void> {
	const folder = vscode.workspace.getWorkspaceFolder(image)?.uri;
	if (folder === undefined) {
		throw new StyleGuideError(inWords(styleMessages.outsideWorkspace(nameOf(image))));
	}
	await assertUsable(folder, image);
	const guide = await guideOf(folder);
	if (guide === undefined) {
		return;
	}
	const way = wayTo(image, guide);
	let before: Uint8Array | undefined;
	if (await uriExists(guide)) {
		before = await add(way, guide);
	} else {
		await write(folder, guide, { text: '', references: [way] });
	}
	const after = await vscode.workspace.fs.readFile(guide);
	runDetached(
		notify('info', styleMessages.added(nameOf(image)), [
			{ label: labels.undo, run: () => undo(guide, before, after) },
			{ label: labels.openStyleGuide, run: () => openStyleGuide(guide) },
		]),
	);
}

/** Restores the bytes that a guide had, if any, unless it is another one than after the change. */
async function undo(
	guide: vscode.Uri,
	before: Uint8Array | undefined,
	after: Uint8Array,
): Promise<void> {
	const isUnsaved = vscode.workspace.textDocuments.some(
		({ uri, isDirty }) => isDirty && uri.toString() === guide.toString(),
	);
	const now = (await uriExists(guide)) ? await vscode.workspace.fs.readFile(guide) : undefined;
	if (isUnsaved || now === undefined || Buffer.compare(now, after) !== 0) {
		await notify(
			'info',
			styleMessages.changed(nameOf(guide)),
			now === undefined ? [] : [{ label: labels.openStyleGuide, run: () => openStyleGuide(guide) }],
		);
	} else if (before === undefined) {
		await vscode.workspace.fs.delete(guide);
	} else {
		await vscode.workspace.fs.writeFile(guide, before);
	}
}

/** Asks for words and images until there is something of either; `undefined` for cancel. */
async function askStyle(): Promise<
	{ readonly text: string; readonly references: readonly vscode.Uri[] } | undefined
> {
	let text = '';
	let references: readonly vscode.Uri[] = [];
	const askDescription = () =>
		askText({
			title: styleMessages.descriptionTitle,
			placeholder: styleMessages.example,
			prompt: styleMessages.prompt,
			text,
			problem: (typed) =>
				typed.length > maxStyleLength ? styleMessages.tooLong(maxStyleLength) : undefined,
		});
	return pickLoop(askDescription, async (answer) => {
		if (answer.type !== 'value') {
			return undefined;
		}
		text = answer.value.trim();
		const chosen = await askReferences(title, references, [], styleMessages.references);
		if (chosen === undefined) {
			return undefined;
		}
		references = chosen;
		if (references.length > maxStyleReferences) {
			throw new StyleGuideError(inWords(styleMessages.tooManyReferences(maxStyleReferences)));
		}
		return text === '' && references.length === 0 ? 'again' : { done: { text, references } };
	});
}

async function folderAsked(): Promise<vscode.Uri | undefined> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	if (folders.length === 0) {
		await notify('info', styleMessages.openFolder);
		return undefined;
	}
	const { workspaceFolder: placeHolder } = styleMessages;
	const [folder, another] = folders;
	return another === undefined
		? folder?.uri
		: (await vscode.window.showWorkspaceFolderPick({ placeHolder }))?.uri;
}

/**
 * Returns the file of a folder's guide, whether it exists or not; says so where the settings want
 * none.
 */
async function guideOf(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
	const guide = await styleFileOf(folder);
	if (guide === undefined) {
		await notify('info', styleMessages.noFile);
	}
	return guide;
}

/** @throws {EaselError} where it lies elsewhere, or is no image that can be sent */
async function assertUsable(folder: vscode.Uri, image: vscode.Uri): Promise<void> {
	await assertInside(folder, image);
	await inspectUri(image);
}

/** Never over one that is there. */
async function write(folder: vscode.Uri, guide: vscode.Uri, style: StyleGuide): Promise<void> {
	await assertPlace(folder, vscode.Uri.joinPath(guide, '..'), posix.basename(guide.path));
	const edit = new vscode.WorkspaceEdit();
	edit.createFile(guide, { contents: Buffer.from(formatStyleGuide(style)), overwrite: false });
	if (!(await vscode.workspace.applyEdit(edit))) {
		throw notWritten(guide);
	}
}

/**
 * Adds an image in the editor's own document, so that it can be undone there. Returns the bytes of
 * the guide before, with what was not saved.
 */
async function add(way: string, guide: vscode.Uri): Promise<Uint8Array> {
	const document = await vscode.workspace.openTextDocument(guide);
	// A guide that cannot be used is refused before anything is saved.
	let content = contentWith(way, guide, document);
	if (document.isDirty) {
		if (!(await saveDocument(document))) {
			throw notWritten(guide);
		}
		content = contentWith(way, guide, document);
	}
	const before = await vscode.workspace.fs.readFile(guide);
	const edit = new vscode.WorkspaceEdit();
	const all = new vscode.Range(0, 0, document.lineCount, 0);
	edit.replace(guide, document.validateRange(all), content);
	if (!(await vscode.workspace.applyEdit(edit)) || !(await saveDocument(document))) {
		throw notWritten(guide);
	}
	return before;
}

/** @throws {StyleGuideError} naming the guide */
function contentWith(way: string, guide: vscode.Uri, document: vscode.TextDocument): string {
	try {
		return withReference(document.getText(), way);
	} catch (error) {
		throw error instanceof EaselError
			? new StyleGuideError(inWords(`${nameOf(guide)}: ${wordsOf(error)}`), { cause: error })
			: error;
	}
}

function notWritten(guide: vscode.Uri): StyleGuideError {
	return new StyleGuideError(inWords(styleMessages.notWritten(nameOf(guide))));
}

/** From the folder of the guide, as it reads it. */
function wayTo(image: vscode.Uri, guide: vscode.Uri): string {
	return pathIn(vscode.Uri.joinPath(guide, '..'), image);
}

function nameOf(uri: vscode.Uri): string {
	return safeText(vscode.workspace.asRelativePath(uri), 100);
}
