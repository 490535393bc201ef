import * as vscode from 'vscode';
import { isFileOf } from '../files/exists.js';
import { codeOf, isNotFound } from '../files/fsErrors.js';
import { candidateNames } from '../images/fileName.js';
import type { Destination, SavedImages } from '../jobs/deliver.js';
import { diskDestination } from '../jobs/diskDestination.js';
import {
	folderLabel,
	uriExists,
	OutsideWorkspaceError,
	refusalWords,
	removeQuietly,
	saveAs,
	SaveError,
} from '../editor/files.js';
import type { Destinations } from '../jobs/makeImage.js';
import { nameOf, targetOf, type Target } from './draft.js';
import { assertTarget } from './target.js';
import { messages } from './messages.js';

export const savedImages: SavedImages = {
	async holds(target, bytes) {
		const uri = vscode.Uri.parse(target, true);
		if (uri.scheme === 'file') {
			return isFileOf(uri.fsPath, bytes);
		}
		try {
			// Not every virtual file system knows how large its files are.
			return (await vscode.workspace.fs.readFile(uri)).length === bytes;
		} catch (error) {
			if (isNotFound(error)) {
				return false;
			}
			throw error;
		}
	},
};

/** The folders that requests name. */
export const destinations: Destinations = {
	destinationFor: ({ id, target }, { extension }) => destinationOf(targetOf(target), extension, id),
};

/** Returns the file that the user has chosen, and whose replacing the user has confirmed. */
export function chosenDestination(target: vscode.Uri): Destination {
	return {
		folder: vscode.Uri.joinPath(target, '..').toString(),
		find: () => Promise.resolve(undefined),
		put: async (file) => (await saveAs(vscode.Uri.file(file), target)).toString(),
		putBeside,
		...savedImages,
		tidy: () => Promise.resolve(),
	};
}

/**
 * The folder that gets an image, as the job needs it.
 *
 * @param extension of the image, with its dot
 * @param id that of the job
 */
function destinationOf(target: Target, extension: string, id: string): Destination {
	const name = nameOf(target) + extension;
	const names = () => candidateNames(name);
	const destination =
		target.folder.scheme === 'file'
			? diskDestination(target.folder.fsPath, {
					names,
					id,
					toUri: (file) => vscode.Uri.file(file).toString(),
					toPath: (uri) => vscode.Uri.parse(uri, true).fsPath,
				})
			: inEditor(target.folder, names, id);
	return {
		find: (file, reserved) => destination.find(file, reserved),
		async put(file, onReserve) {
			try {
				await assertTarget(target, extension);
				return await destination.put(file, onReserve);
			} catch (error) {
				throw error instanceof OutsideWorkspaceError
					? error
					: new SaveError(
							vscode.Uri.joinPath(target.folder, name),
							messages.cannotSave(folderLabel(target.folder), refusalWords(error)),
							error,
						);
			}
		},
		putBeside: (file, image, suffix) => destination.putBeside(file, image, suffix),
		...savedImages,
		tidy: () => destination.tidy(),
	};
}

type Names = () => Iterable<string>;

/** A file system of another extension: it can rename without writing over, and nothing more. */
function inEditor(folder: vscode.Uri, names: Names, id: string): Destination {
	const { fs } = vscode.workspace;
	const part = vscode.Uri.joinPath(folder, `.easel-${id}.part`);
	return {
		async find(file, reserved) {
			const uri = reserved === undefined ? undefined : vscode.Uri.parse(reserved, true);
			return uri !== undefined && (await haveSameBytes(vscode.Uri.file(file), uri))
				? reserved
				: undefined;
		},
		async put(file, onReserve) {
			await fs.createDirectory(folder);
			await fs.copy(vscode.Uri.file(file), part, { overwrite: true });
			for (const name of names()) {
				const target = vscode.Uri.joinPath(folder, name);
				if (!(await uriExists(target))) {
					await onReserve(target.toString());
					try {
						await fs.rename(part, target, { overwrite: false });
						return target.toString();
					} catch (error) {
						if (codeOf(error) !== 'FileExists') {
							throw error;
						}
					}
				}
			}
			throw new Error('no file name is free');
		},
		putBeside,
		...savedImages,
		tidy: () => removeQuietly(part),
	};
}

async function putBeside(file: string, image: string, suffix: string): Promise<void> {
	const uri = vscode.Uri.parse(image, true);
	const beside = uri.with({ path: `${uri.path}${suffix}` });
	const source = vscode.Uri.file(file);
	if (!(await haveSameBytes(source, beside))) {
		await vscode.workspace.fs.copy(source, beside, { overwrite: false });
	}
}

/** `false` where one of them is not there. */
async function haveSameBytes(one: vscode.Uri, other: vscode.Uri): Promise<boolean> {
	try {
		const [first, second] = await Promise.all([
			vscode.workspace.fs.readFile(one),
			vscode.workspace.fs.readFile(other),
		]);
		return Buffer.from(first).equals(second);
	} catch (error) {
		if (isNotFound(error)) {
			return false;
		}
		throw error;
	}
}
