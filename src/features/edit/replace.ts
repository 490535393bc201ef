import { posix } from 'node:path';
import * as vscode from 'vscode';
import { inspectUri } from '../../editor/images.js';
import { foreignText, notify } from '../../editor/messages.js';
import { numbered } from '../../images/fileName.js';
import { referencesTo } from './references.js';

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
	for (const { uri, edits } of documents) {
		edit.set(
			uri,
			edits.map((one): [vscode.TextEdit, vscode.WorkspaceEditEntryMetadata] => [one, metadata]),
		);
	}
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
		{
			label: 'Undo',
			run: async () => {
				// The editor that shows the file is the one whose undo takes the step back.
				await vscode.commands.executeCommand('vscode.open', target);
				await vscode.commands.executeCommand('undo');
				await restoreIfMissing(original, before);
			},
		},
	]);
}

/** The editor's undo is not ours to vouch for: whatever it did, the original has to be there. */
async function restoreIfMissing(original: vscode.Uri, before: Uint8Array): Promise<void> {
	try {
		await vscode.workspace.fs.stat(original);
	} catch {
		await vscode.workspace.fs.writeFile(original, before);
	}
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
	return vscode.workspace.registerTextDocumentContentProvider(stepScheme, {
		provideTextDocumentContent: () => '',
	});
}
