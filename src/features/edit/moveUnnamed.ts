import { posix } from 'node:path';
import * as vscode from 'vscode';
import { uriExists } from '../../editor/files.js';
import { candidateNames } from '../../images/fileName.js';
import { replaceMessages } from '../messages.js';
import { mentionsOfAll, SearchCancelledError } from './references.js';

/**
 * Moves images to a folder under free names, in one step to undo. Those that a file of the workspace
 * still names stay.
 *
 * @returns those that were moved; `undefined` where the user has cancelled
 * @throws {SearchStalledError} where a pattern of the settings takes too long
 */
export async function moveUnnamed(
	images: readonly vscode.Uri[],
	folder: vscode.Uri,
): Promise<readonly vscode.Uri[] | undefined> {
	try {
		const mentions = await mentionsOfAll(images);
		const free = images.filter(
			(_image, index) => mentions[index]!.shown.length + mentions[index]!.left.length === 0,
		);
		const edit = new vscode.WorkspaceEdit();
		const taken = new Set<string>();
		for (const image of free) {
			const to = await freePlace(folder, posix.basename(image.path), taken);
			edit.renameFile(image, to, {}, { needsConfirmation: false, label: replaceMessages.move });
		}
		const isMoved = free.length > 0 && (await vscode.workspace.applyEdit(edit));
		return isMoved ? free : [];
	} catch (error) {
		if (error instanceof SearchCancelledError) {
			return undefined;
		}
		throw error;
	}
}

async function freePlace(
	folder: vscode.Uri,
	wanted: string,
	taken: Set<string>,
): Promise<vscode.Uri> {
	for (const name of candidateNames(wanted)) {
		const place = vscode.Uri.joinPath(folder, name);
		if (!taken.has(name.toLowerCase()) && !(await uriExists(place))) {
			taken.add(name.toLowerCase());
			return place;
		}
	}
	throw new Error('no name is free');
}
