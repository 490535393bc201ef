import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { assertInside, OutsideWorkspaceError, resolveInside } from '../files.js';
import { sha256Of } from '../../images/hash.js';
import { ImageError, inspectImage } from '../../images/inspect.js';
import type { Reference } from '../../jobs/request.js';
import { RequestError } from '../../service/errors.js';
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

/**
 * Copies the references into the job's folder before the first attempt: a file that changed
 * between two attempts would make the second one another request.
 *
 * @throws {RequestError} naming the file that cannot be used
 */
export async function copyReferences(
	references: readonly vscode.Uri[],
	jobFolder: string,
): Promise<Reference[]> {
	const copies: Reference[] = [];
	for (const [index, source] of references.entries()) {
		const fileName = path.posix.basename(source.path);
		// A folder for each, so that two files of one name keep it.
		const folder = path.join(jobFolder, 'references', String(index + 1));
		const copy = path.join(folder, fileName);
		try {
			await mkdir(folder, { recursive: true });
			await copyFile(source, copy);
			const { contentType, width, height, bytes } = await inspectImage(copy);
			copies.push({
				path: copy,
				source: source.toString(),
				fileName,
				contentType,
				width,
				height,
				bytes,
				sha256: await sha256Of(copy),
			});
		} catch (error) {
			if (error instanceof ImageError) {
				throw new RequestError(
					`references[${String(index)}]`,
					`${error.message} Nothing was sent.`,
					error,
				);
			}
			throw error;
		}
	}
	return copies;
}

async function copyFile(source: vscode.Uri, copy: string): Promise<void> {
	let found: vscode.FileStat;
	try {
		found = await vscode.workspace.fs.stat(source);
	} catch (error) {
		throw new ImageError('missing', source.path, error);
	}
	if ((found.type & vscode.FileType.Directory) !== 0) {
		throw new ImageError('folder', source.path);
	}
	try {
		await vscode.workspace.fs.copy(source, vscode.Uri.file(copy), { overwrite: false });
	} catch (error) {
		throw new ImageError('unreadable', source.path, error);
	}
}
