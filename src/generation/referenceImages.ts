import path from 'node:path';
import * as vscode from 'vscode';
import { assertInside, OutsideWorkspaceError, resolveInside } from '../editor/files.js';
import { patiently } from '../files/patiently.js';
import { isNotThere } from '../files/refusal.js';
import { ImageError } from '../images/inspect.js';
import type { ReferenceSource } from '../jobs/createJob.js';
import { ArgumentError } from './argument.js';
import type { Operation } from './order.js';

/**
 * Resolves the references of a command's argument. They are uploaded, so a path out of the
 * workspace would hand out foreign files.
 *
 * @throws {ArgumentError} where one lies outside
 */
export async function referencesFromArgument(
	references: readonly (vscode.Uri | string)[],
	root: vscode.Uri | undefined,
	operation: Operation,
): Promise<vscode.Uri[]> {
	return Promise.all(
		references.map(async (reference, index) => {
			try {
				if (typeof reference === 'string') {
					if (root === undefined) {
						throw new OutsideWorkspaceError('a relative path needs an open folder');
					}
					return await resolveInside(root, reference);
				}
				const folder = vscode.workspace.getWorkspaceFolder(reference);
				if (folder === undefined) {
					throw new OutsideWorkspaceError('it does not lie within a workspace folder');
				}
				await assertInside(folder.uri, reference);
				return reference;
			} catch (error) {
				if (error instanceof OutsideWorkspaceError) {
					throw new ArgumentError(operation, `references[${String(index)}]`, error.message);
				}
				throw error;
			}
		}),
	);
}

/** A reference image as a job fetches it. */
export function referenceSource(uri: vscode.Uri): ReferenceSource {
	return {
		uri: uri.toString(),
		fileName: path.posix.basename(uri.path),
		fetch: (copy) => copyFile(uri, copy),
	};
}

async function copyFile(source: vscode.Uri, copy: string): Promise<void> {
	let found: vscode.FileStat;
	try {
		found = await patiently(async () => vscode.workspace.fs.stat(source));
	} catch (error) {
		throw new ImageError(isNotThere(error) ? 'missing' : 'unreadable', source.path, error);
	}
	if ((found.type & vscode.FileType.Directory) !== 0) {
		throw new ImageError('folder', source.path);
	}
	try {
		await patiently(async () => vscode.workspace.fs.copy(source, vscode.Uri.file(copy)));
	} catch (error) {
		throw new ImageError('unreadable', source.path, error);
	}
}
