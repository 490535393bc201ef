import { posix } from 'node:path';
import * as vscode from 'vscode';
import { inspectUri } from '../../editor/images.js';
import { foreignText, notify } from '../../editor/messages.js';
import { numbered } from '../../images/fileName.js';
import { referencesTo, type DocumentEdits } from './references.js';

/** Extensions that fit the content, in lower case. */
const extensionsOf = {
	png: ['.png'],
	jpeg: ['.jpg', '.jpeg'],
	webp: ['.webp'],
};

/**
 * Puts the edited image in the place of its original, in one step that can be undone. Where the
 * name would say something else than the content is, the user decides between a new name, with the
 * references in documents updated, and the old one.
 */
export async function replaceOriginal(original: vscode.Uri, edited: vscode.Uri): Promise<void> {
	try {
		const target = await chooseName(original, edited);
		if (target !== undefined) {
			await replace(original, edited, target);
		}
	} catch (error) {
		const words = error instanceof Error ? error.message : String(error);
		const name = posix.basename(original.path);
		await notify('error', `“${foreignText(name)}” was not replaced: ${foreignText(words)}`, [
			{ label: 'Try Again', run: () => replaceOriginal(original, edited) },
		]);
	}
}

async function replace(
	original: vscode.Uri,
	edited: vscode.Uri,
	target: vscode.Uri,
): Promise<void> {
	const contents = await vscode.workspace.fs.readFile(edited);
	const before = await vscode.workspace.fs.readFile(original);
	const renamed = target.toString() !== original.toString();
	const documents = renamed ? await referencesTo(original, target) : [];
	const name = foreignText(posix.basename(original.path));
	const metadata = { needsConfirmation: false, label: `Replace ${name}` };

	const edit = new vscode.WorkspaceEdit();
	edit.deleteFile(original, {}, metadata);
	setAll(edit, documents, metadata);
	// VS Code undoes the file operations that follow one another in the order in which they were
	// done, so the original would come back before its successor has gone. A change of text between
	// them, even one of nothing, makes two groups of them, which are undone last one first.
	if (documents.length === 0) {
		edit.insert(stepDocument, new vscode.Position(0, 0), '', metadata);
	}
	edit.createFile(target, { contents }, metadata);
	edit.deleteFile(edited, {}, metadata);
	if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
		throw new Error('the editor refused the change. Both images are where they were.');
	}
	keepSafe(original, edited, before);
	await vscode.commands.executeCommand('vscode.open', target);

	const count = documents.length;
	const updated =
		count === 0
			? ''
			: ` References in ${count === 1 ? '1 document' : `${String(count)} documents`} were updated.`;
	const done = renamed
		? `Replaced ${name} by ${foreignText(posix.basename(target.path))}.${updated}`
		: `Replaced ${name}.`;
	await notify('info', done, [
		{ label: 'Undo', run: () => putBack({ original, edited, target, before, contents }) },
	]);
}

/** Takes a replacement back by its own means, whatever else was done and undone since. */
async function putBack(was: {
	readonly original: vscode.Uri;
	readonly edited: vscode.Uri;
	readonly target: vscode.Uri;
	readonly before: Uint8Array;
	readonly contents: Uint8Array;
}): Promise<void> {
	const { original, edited, target, before, contents } = was;
	const metadata = { needsConfirmation: false, label: 'Put the original back' };
	const edit = new vscode.WorkspaceEdit();
	edit.createFile(original, { overwrite: true, contents: before }, metadata);
	edit.createFile(edited, { overwrite: true, contents }, metadata);
	if (target.toString() !== original.toString()) {
		setAll(edit, await referencesTo(target, original), metadata);
		edit.deleteFile(target, { ignoreIfNotExists: true }, metadata);
	}
	await vscode.workspace.applyEdit(edit, { isRefactoring: true });
	await vscode.commands.executeCommand('vscode.open', original);
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

let safe: vscode.Disposable | undefined;

/**
 * The editor's own undo goes in steps of its own, and one that stops half-way has brought the edited
 * image back without the original. Then the original is put back here. The last replacement counts.
 */
function keepSafe(original: vscode.Uri, edited: vscode.Uri, before: Uint8Array): void {
	safe?.dispose();
	const folder = vscode.Uri.joinPath(edited, '..');
	const pattern = new vscode.RelativePattern(folder, escapeGlob(posix.basename(edited.path)));
	const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, true);
	watcher.onDidCreate(() => {
		setTimeout(() => void restoreIfMissing(original, before), undoneAfterMs);
	});
	safe = watcher;
}

/** Long enough for the rest of an undo, short enough that nobody misses the file. */
const undoneAfterMs = 2000;

async function restoreIfMissing(original: vscode.Uri, before: Uint8Array): Promise<void> {
	try {
		await vscode.workspace.fs.stat(original);
	} catch {
		await vscode.workspace.fs.writeFile(original, before);
	}
}

/** A name in which no sign of a glob means anything. */
function escapeGlob(name: string): string {
	return name.replace(/[[\]{}?*]/g, (sign) => `[${sign}]`);
}

/** The place that the image gets; `undefined` where the user would rather leave it. */
async function chooseName(
	original: vscode.Uri,
	edited: vscode.Uri,
): Promise<vscode.Uri | undefined> {
	const { format, extension } = await inspectUri(edited);
	const old = posix.basename(original.path);
	const oldExtension = posix.extname(old);
	if (extensionsOf[format].includes(oldExtension.toLowerCase())) {
		return original;
	}
	const renamed = await freeName(original, old.slice(0, -oldExtension.length) + extension);
	const name = foreignText(posix.basename(renamed.path));
	return notify<vscode.Uri>(
		'warning',
		`The new image is a ${format.toUpperCase()}, but the name ${foreignText(old)} says something else. It can become ${name}, and documents are changed to show that.`,
		[
			{ label: 'Rename and Update References', run: () => renamed },
			{ label: 'Keep the Name', run: () => original },
		],
	);
}

async function freeName(original: vscode.Uri, name: string): Promise<vscode.Uri> {
	for (let n = 0; ; n += 1) {
		const candidate = vscode.Uri.joinPath(original, '..', n === 0 ? name : numbered(name, n));
		try {
			await vscode.workspace.fs.stat(candidate);
		} catch (error) {
			if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
				return candidate;
			}
			throw error;
		}
	}
}

const stepScheme = 'easel-step';
const stepDocument = vscode.Uri.from({ scheme: stepScheme, path: '/replace' });

/** Serves the empty text that stands between the file operations of one step. */
export function registerStepDocument(): vscode.Disposable {
	return vscode.Disposable.from(
		vscode.workspace.registerTextDocumentContentProvider(stepScheme, {
			provideTextDocumentContent: () => '',
		}),
		{ dispose: () => void safe?.dispose() },
	);
}
