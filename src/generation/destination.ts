import { posix } from 'node:path';
import * as vscode from 'vscode';
import { confirm, notify, runDetached, showError } from '../editor/messages.js';
import { isFileOf, isFolderGone } from '../files/exists.js';
import { codeOf, isNotFound } from '../files/fsErrors.js';
import { candidateNames } from '../images/fileName.js';
import { deliver, removeFiles, type Destination, type SavedFileLookup } from '../jobs/deliver.js';
import { diskDestination } from '../jobs/diskDestination.js';
import { now, readState, windowLease, type JobEntry } from '../jobs/jobFolder.js';
import { persistState } from '../jobs/persistState.js';
import type { StateNamed } from '../jobs/state.js';
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
import { targetFile, fileStem } from '../editor/imageRequest.js';
import { assertTarget } from './target.js';
import type { GeneratorServices } from './generatorServices.js';
import type { UnsavedImage } from './jobList.js';
import { labels, messages } from '../messages.js';

export const savedFileLookup: SavedFileLookup = {
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
	destinationFor({ id, target }, { extension }) {
		const folder = vscode.Uri.parse(target.folder, true);
		const name = fileStem(target) + extension;
		const names = () => candidateNames(name);
		const destination =
			folder.scheme === 'file'
				? diskDestination(folder.fsPath, {
						names,
						id,
						toUri: (file) => vscode.Uri.file(file).toString(),
						toPath: (uri) => vscode.Uri.parse(uri, true).fsPath,
					})
				: inEditor(folder, names, id);
		return {
			...destination,
			...savedFileLookup,
			async put(file, onReserve) {
				try {
					await assertTarget(target, extension);
					return await destination.put(file, onReserve);
				} catch (error) {
					throw error instanceof OutsideWorkspaceError
						? error
						: new SaveError(
								vscode.Uri.joinPath(folder, name),
								messages.cannotSave(folderLabel(folder), refusalWords(error)),
								error,
							);
				}
			},
		};
	},
};

/** Returns the file that the user has chosen, and whose replacing the user has confirmed. */
function chosenDestination(target: vscode.Uri): Destination {
	return {
		folder: vscode.Uri.joinPath(target, '..').toString(),
		find: () => Promise.resolve(undefined),
		put: async (file) => (await saveAs(vscode.Uri.file(file), target)).toString(),
		putBeside,
		...savedFileLookup,
		tidy: () => Promise.resolve(),
	};
}

/** A file system of another extension: it can rename without writing over, and nothing more. */
function inEditor(folder: vscode.Uri, names: () => Iterable<string>, id: string): Destination {
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
		...savedFileLookup,
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

/** Asks where an unsaved image is to be saved; `undefined` where the user cancels. */
export async function askForTarget({
	entry,
	state,
}: UnsavedImage): Promise<vscode.Uri | undefined> {
	const { target } = entry.request;
	const { extension } = state.result;
	return vscode.window.showSaveDialog({
		title: labels.saveImageAs,
		// The folder is what did not work, so another one is suggested.
		defaultUri: targetFile({ ...target, folder: target.root ?? target.folder }, extension),
		filters: { Images: [extension.slice(1)] },
	});
}

/** Saves an unsaved image; returns its new state, `undefined` where another window has it. */
export async function deliverUnsaved(
	{ entry, state }: UnsavedImage,
	services: GeneratorServices,
	chosen?: vscode.Uri,
): Promise<StateNamed<'saved' | 'received'> | undefined> {
	const destination =
		chosen === undefined
			? destinations.destinationFor(entry.request, state.result)
			: chosenDestination(chosen);
	return whileOwned(entry, services, () => deliver(entry, state, services, destination));
}

export async function discardUnsaved(
	{ entry, state }: UnsavedImage,
	services: GeneratorServices,
): Promise<void> {
	const { folder, request } = entry;
	const name = posix.basename(fileStem(request.target));
	if (!(await confirm(messages.discardImage(name), messages.discardImageDetail, labels.discard))) {
		return;
	}
	const isDiscarded = await whileOwned(entry, services, async () => {
		const { attempts } = state;
		const end = { state: 'discarded', attempts, changedAt: now(), notified: true } as const;
		if (await persistState(folder, end)) {
			await removeFiles({ ...entry, state });
		}
		return true;
	});
	if (isDiscarded) {
		services.jobs.forget(request.id);
		runDetached(services.finished.remove(folder));
	}
}

/**
 * Does what only one window may do with an unsaved image, and what a reload waits for.
 *
 * @returns `undefined` where another window has the image, which is shown
 */
async function whileOwned<T>(
	{ folder, request }: JobEntry,
	{ jobs, leases }: GeneratorServices,
	task: () => Promise<T>,
): Promise<T | undefined> {
	try {
		const lease = await leases.acquire(folder, windowLease);
		if (lease === 'held' || lease === 'unknown') {
			await notify('info', messages.otherWindow);
			return undefined;
		}
		if ((await readState(folder)).state === 'received') {
			return await leases.during(task);
		}
	} catch (error) {
		// Another window was quicker; by now it may have removed the job.
		if (!(await isFolderGone(error, folder))) {
			showError(error);
			return undefined;
		}
	}
	jobs.forget(request.id);
	await notify('info', messages.savedElsewhere);
	return undefined;
}
