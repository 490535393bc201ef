import * as vscode from 'vscode';
import { verdictOn } from '../../documents/missing/decide.js';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { isNotebook } from '../../documents/notebook.js';
import { destinationFor } from '../../documents/writeImageLink.js';
import { commandTitles } from '../../editor/commandTable.js';
import { fileOfDocument } from '../../editor/documentImages.js';
import { documentReader } from '../../editor/documentReader.js';
import { notify, runDetached, showStatus } from '../../editor/messages.js';
import { readSetting } from '../../editor/settings.js';
import { safeText } from '../../editor/untrustedText.js';
import { linkContextOf } from '../../editor/documents.js';
import { missingMessages } from '../messages.js';
import { isObstructed, missingInDocument, obstacleWords } from './collect.js';

/** Returns whether the link of an image means one file that is there. */
export function isFixable(image: MissingImage): boolean {
	return verdictOn(image) === 'fix';
}

/** The path of a file as the user knows it. */
export function workspacePath(file: string): string {
	return vscode.workspace.asRelativePath(vscode.Uri.file(file));
}

/**
 * Makes the links of images mean the files that are there, all of them in one step to undo; says how
 * many they were. Several are shown before, in the editor's preview of refactorings, where each is
 * ticked. A link that stands elsewhere by now, or would not mean its file, is left as it is.
 *
 * @returns those whose links mean their files now
 */
export async function fixLinks(images: readonly MissingImage[]): Promise<readonly MissingImage[]> {
	const edit = new vscode.WorkspaceEdit();
	const changes: LinkChange[] = [];
	for (const image of images) {
		const document = await vscode.workspace.openTextDocument(vscode.Uri.file(image.document));
		const change = await linkChange(document, image, image.candidates[0] ?? '');
		if (change !== undefined) {
			edit.replace(document.uri, change.range, change.newText, {
				needsConfirmation: images.length > 1,
				label: missingMessages.fixLinks,
			});
			const start = document.offsetAt(change.range.start);
			changes.push({ image, document, start, newText: change.newText });
		}
	}
	const isApplied =
		changes.length > 0 && (await vscode.workspace.applyEdit(edit, { isRefactoring: true }));
	const fixed = isApplied ? made(changes) : [];
	if (changes.length < images.length) {
		const words = missingMessages.someLinksFixed(fixed.length, images.length);
		runDetached(notify('warning', words));
	} else if (fixed.length > 0) {
		showStatus(missingMessages.linksFixed(fixed.length), 'check');
	}
	return fixed;
}

interface LinkChange {
	readonly image: MissingImage;
	readonly document: vscode.TextDocument;
	/** In UTF-16 code units. */
	readonly start: number;
	readonly newText: string;
}

/** Returns the images of those changes that the user has let happen, in the order of their places. */
function made(changes: readonly LinkChange[]): MissingImage[] {
	const shifts = new Map<vscode.TextDocument, number>();
	return changes.flatMap(({ image, document, start, newText }) => {
		const shift = shifts.get(document) ?? 0;
		const at = document.positionAt(start + shift);
		const end = document.positionAt(start + shift + newText.length);
		if (document.getText(new vscode.Range(at, end)) !== newText) {
			return [];
		}
		shifts.set(document, shift + newText.length - image.reference.raw.length);
		return [image];
	});
}

/**
 * The change of a link; `undefined` where it does not stand there any more, or would not mean the
 * file.
 */
async function linkChange(
	document: vscode.TextDocument,
	{ reference }: MissingImage,
	file: string,
): Promise<vscode.TextEdit | undefined> {
	const { start, end } = reference.destinationSpan;
	const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
	if (document.getText(range) !== reference.raw) {
		return undefined;
	}
	const textBefore = document.getText(range.with(new vscode.Position(0, 0), range.start));
	const context = await linkContextOf(document.uri, textBefore);
	const image = vscode.Uri.file(file);
	const written = destinationFor(reference, { ...context, image });
	// A cell has its notebook's place.
	const place = fileOfDocument(document.uri);
	const isMended = await documentReader().read('mended', {
		...{ kind: reference.kind, written, file, document: place.fsPath },
		workspaceFolder: vscode.workspace.getWorkspaceFolder(place)?.uri.fsPath,
		publicFolder: readSetting('documents.publicFolder', place),
	});
	if (!isMended) {
		return undefined;
	}
	// There, all text stands in strings of JSON.
	const newText = isNotebook(document.uri.path) ? JSON.stringify(written).slice(1, -1) : written;
	return vscode.TextEdit.replace(range, newText);
}

/** Among more of them the one that is meant is not found. */
const maxFixes = 5;

/** The quick fixes on an image of a document whose file does not exist: other files come first. */
export async function quickFixes(
	document: vscode.TextDocument,
	range: vscode.Range,
	context: vscode.CodeActionContext,
): Promise<vscode.CodeAction[]> {
	const offset = document.offsetAt(range.start);
	const [image] = await missingInDocument(
		document,
		({ reference: { span } }) => span.start <= offset && offset <= span.end,
	);
	if (image === undefined) {
		return [];
	}
	// That of the built-in link validation, where it is on.
	const diagnostics = context.diagnostics.filter(({ source }) => source === 'markdown');
	const newAction = (words: string) => {
		const action = new vscode.CodeAction(words, vscode.CodeActionKind.QuickFix);
		action.diagnostics = diagnostics;
		return action;
	};
	const actions: vscode.CodeAction[] = [];
	for (const file of image.candidates.slice(0, maxFixes)) {
		const change = await linkChange(document, image, file);
		if (change !== undefined) {
			const action = newAction(missingMessages.fixLinkTo(safeText(workspacePath(file))));
			action.edit = new vscode.WorkspaceEdit();
			action.edit.set(document.uri, [change]);
			action.isPreferred = isFixable(image);
			actions.push(action);
		}
	}
	const generate = newAction(
		verdictOn(image) === 'unknown'
			? missingMessages.generateAnyway
			: missingMessages.generateMissing,
	);
	if (isObstructed(image)) {
		generate.disabled = { reason: obstacleWords(image) };
	} else {
		generate.command = {
			command: 'easel.generateMissingImages',
			title: commandTitles['easel.generateMissingImages'],
			arguments: [document.uri, image.path],
		};
	}
	return [...actions, generate];
}
