import { posix } from 'node:path';
import * as vscode from 'vscode';
import { EaselError } from '../../easelError.js';
import { registerCommand } from '../../editor/commands.js';
import { assertInside, assertPlace, uriExists } from '../../editor/files.js';
import { foreignText } from '../../editor/foreignText.js';
import { imageMeant } from '../../editor/imageMeant.js';
import { inspectUri } from '../../editor/images.js';
import { inBackground, notify, tellingMistakes } from '../../editor/messages.js';
import { askText } from '../../editor/quickInput.js';
import { saveDocument } from '../../editor/saveDocument.js';
import { asUri } from '../../generation/argument.js';
import type { Choices } from '../../generation/draft.js';
import { askReferences } from '../../generation/questions.js';
import { pathIn, styleFileOf } from '../../generation/styleFile.js';
import { openGuide } from '../../generation/styleQuestions.js';
import {
	longestStyle,
	mostStyleReferences,
	StyleGuideError,
	type StyleGuide,
} from '../../recipes/styleGuide.js';
import { formatStyleGuide, withReference } from '../../recipes/writeStyleGuide.js';

const title = 'Create Style Guide';

/** "Create Style Guide…" and "Add to Style Guide…": a guide is a file like any other. */
export function registerStyle(): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.createStyleGuide', () => tellingMistakes(() => create())),
		registerCommand('easel.useAsStyle', (target) =>
			tellingMistakes(async () => {
				const image = await imageMeant(typeof target === 'string' ? asUri(target) : target);
				if (image === undefined) {
					inBackground(notify('info', 'Open or select the image that others should look like.'));
					return;
				}
				await useAsStyle(image);
			}),
		),
	);
}

/** Asks for words and images, writes the guide, and opens it. One that is there is opened instead. */
async function create(): Promise<void> {
	const folder = await folderAsked();
	const guide = folder && (await guideOf(folder));
	if (folder === undefined || guide === undefined) {
		return;
	}
	if (await uriExists(guide)) {
		await openGuide(guide);
		inBackground(notify('info', `${nameOf(guide)} is the style guide of this folder already.`));
		return;
	}
	const style = await askStyle();
	if (style !== undefined) {
		for (const uri of style.references) {
			await assertUsable(folder, uri);
		}
		const references = style.references.map((uri) => wayTo(uri, guide));
		await write(folder, guide, { text: style.text, references });
		await openGuide(guide);
	}
}

/** Adds an image to the guide of its workspace folder, and begins one where there is none. */
async function useAsStyle(image: vscode.Uri): Promise<void> {
	const folder = vscode.workspace.getWorkspaceFolder(image)?.uri;
	if (folder === undefined) {
		throw new StyleGuideError(
			`${nameOf(image)} lies outside of the workspace. Copy it into the workspace first.`,
		);
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
	inBackground(
		notify(
			'info',
			`${nameOf(image)} is now part of the style guide. Requests are sent as edits, so quality does not apply.`,
			[
				{ label: 'Undo', run: () => undo(guide, before, after) },
				{ label: 'Open Style Guide', run: () => openGuide(guide) },
			],
		),
	);
}

/**
 * Restores a guide, unless it has been changed since.
 *
 * @param before its bytes; `undefined` where there was none
 * @param after its bytes behind the change that is undone
 */
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
			`${nameOf(guide)} has changed since, so it was left as it is.`,
			now === undefined ? [] : [{ label: 'Open Style Guide', run: () => openGuide(guide) }],
		);
	} else if (before === undefined) {
		await vscode.workspace.fs.delete(guide);
	} else {
		await vscode.workspace.fs.writeFile(guide, before);
	}
}

/** What is asked for; `undefined` where that was cancelled. */
async function askStyle(): Promise<
	{ readonly text: string; readonly references: readonly vscode.Uri[] } | undefined
> {
	let text = '';
	const chosen: Pick<Choices, 'references'> = { references: [] };
	for (;;) {
		const answer = await askText({
			title: `${title}: Description`,
			placeholder: 'For example: flat illustration, thick outlines, warm colors, no lettering',
			prompt: 'What all pictures have in common. Leave it empty to choose images alone.',
			text,
			problem: (typed) =>
				typed.length > longestStyle
					? `At most ${longestStyle.toLocaleString('en-US')} characters go with every prompt.`
					: undefined,
		});
		if (answer?.type !== 'value') {
			return undefined;
		}
		text = answer.value.trim();
		if (!(await askReferences(title, chosen))) {
			return undefined;
		}
		const { references } = chosen;
		if (references.length > mostStyleReferences) {
			throw new StyleGuideError(
				`A style has at most ${String(mostStyleReferences)} reference images. Nothing was written.`,
			);
		}
		if (text !== '' || references.length > 0) {
			return { text, references };
		}
	}
}

async function folderAsked(): Promise<vscode.Uri | undefined> {
	const folders = vscode.workspace.workspaceFolders ?? [];
	if (folders.length === 0) {
		await notify('info', 'Open a folder first: a style guide belongs to one.');
		return undefined;
	}
	const folder =
		folders.length === 1
			? folders[0]
			: await vscode.window.showWorkspaceFolderPick({
					placeHolder: 'The workspace folder that gets the style guide',
				});
	return folder?.uri;
}

/** Where the guide of a folder lies or will lie; that there is to be none is told. */
async function guideOf(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
	const guide = await styleFileOf(folder);
	if (guide === undefined) {
		await notify(
			'info',
			'The setting easel.style.file is empty, so there is no style guide. Set it to a path such as .easel/style.md first.',
		);
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
 * Adds an image in the editor's own document, so that it can be undone there, and what is not saved
 * yet stays.
 *
 * @returns the bytes of the guide before, with what was not saved
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
			? new StyleGuideError(`${nameOf(guide)}: ${error.message}`, undefined, error)
			: error;
	}
}

function notWritten(guide: vscode.Uri): StyleGuideError {
	return new StyleGuideError(
		`${nameOf(guide)} cannot be written. Check its permissions and try again.`,
	);
}

/** From the folder of the guide, as it reads it. */
function wayTo(image: vscode.Uri, guide: vscode.Uri): string {
	return pathIn(vscode.Uri.joinPath(guide, '..'), image);
}

function nameOf(uri: vscode.Uri): string {
	return foreignText(vscode.workspace.asRelativePath(uri), 100);
}
