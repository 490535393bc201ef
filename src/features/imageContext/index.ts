import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { languages } from '../../documents/languages.js';
import { imageExtensions } from '../../editor/images.js';
import { imageNamePattern } from '../../images/fileName.js';
import { runDetached } from '../../editor/messages.js';
import { findWorkspaceFiles } from '../../editor/searchExcludes.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import { log } from '../../log.js';
import type { Generator } from '../../generation/generator.js';
import { lacksRest } from '../../library/galleryLookup.js';
import type { History } from '../../library/history.js';

/** In more files no folders are distinguished: all of them have the menu. */
const maxFiles = 20_000;

/**
 * Keeps the context keys by which menus know files, each an object whose keys are paths as
 * `resourcePath` has them (when-clause contexts, `in` operator): `easel.madeImages`, and `easel.folders`
 * for folders that have images or documents below. Menus offer everything while a key is not set, but
 * for `easel.markedImages`, edits with marks whose rest can be kept: few workspaces have any.
 */
export function followImageContext(history: History, generator: Generator): vscode.Disposable {
	const uriOf = ({ target }: GalleryImage) => vscode.Uri.parse(target, true);
	const updateImages = inTurn(async () => {
		const images = [...(await history.list()), ...history.files];
		await setPaths('easel.madeImages', images.map(uriOf));
		const restored = images.filter(({ keptRest }) => keptRest !== undefined);
		const lacking = await Promise.all(images.map((image) => lacksRest(image, restored)));
		await setPaths('easel.markedImages', images.filter((_, at) => lacking[at]).map(uriOf));
	});
	/** Reports images that are found anew as a change. */
	const findImages = inTurn(() => history.untilKnown());
	const extensions = [...imageExtensions, ...languages.flatMap((language) => language.extensions)];
	let folders: Map<string, vscode.Uri> | undefined;
	const updateFolders = inTurn(() => setPaths('easel.folders', folders && [...folders.values()]));
	const findFolders = inTurn(async () => {
		const files = await findWorkspaceFiles(extensions, maxFiles);
		folders = files.length < maxFiles ? new Map() : undefined;
		files.forEach((file) => addFolders(file, folders));
		updateFolders();
	});
	const files = vscode.workspace.createFileSystemWatcher(
		`**/*.{${extensions.join(',')}}`,
		...([false, true, true] as const),
	);
	runDetached(
		history.untilKnown().then(() => {
			updateImages();
			findFolders();
		}),
	);
	return vscode.Disposable.from(
		files,
		files.onDidCreate((file) => {
			addFolders(file, folders);
			updateFolders();
			// It may be a copy, which says itself how it was made.
			if (imageNamePattern.test(file.path)) {
				findImages();
			}
		}),
		history.onDidChange(updateImages),
		generator.onArrived(updateImages),
		vscode.workspace.onDidRenameFiles(() => {
			updateImages();
			findFolders();
		}),
		vscode.workspace.onDidDeleteFiles(() => {
			updateImages();
			findFolders();
		}),
		vscode.workspace.onDidChangeWorkspaceFolders(findFolders),
	);
}

/** Runs a task whenever it is called for, one run at a time; calls during a run are one more. */
function inTurn(task: () => Promise<void>): () => void {
	const runs = new PQueue({ concurrency: 1 });
	return () => {
		if (runs.size === 0) {
			runs.add(task).catch((error: unknown) => {
				log.error('The menus could not be brought up to date', error);
			});
		}
	};
}

async function setPaths(key: string, uris: readonly vscode.Uri[] | undefined): Promise<void> {
	const paths =
		uris &&
		Object.fromEntries(uris.map((uri) => [uri.scheme === 'file' ? uri.fsPath : uri.path, true]));
	await vscode.commands.executeCommand('setContext', key, paths);
}

/** Adds the folders of the workspace that a file lies in. */
function addFolders(file: vscode.Uri, folders: Map<string, vscode.Uri> | undefined): void {
	const root = vscode.workspace.getWorkspaceFolder(file)?.uri.path;
	let folder = vscode.Uri.joinPath(file, '..');
	while (
		root !== undefined &&
		folder.path.startsWith(root) &&
		folders?.has(folder.path) === false
	) {
		folders.set(folder.path, folder);
		folder = vscode.Uri.joinPath(folder, '..');
	}
}
