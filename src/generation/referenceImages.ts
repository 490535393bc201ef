import { chmod, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { inWords } from '../easelError.js';
import { retryTransient } from '../files/retryTransient.js';
import { copyFlushed } from '../files/copyFlushed.js';
import { isNotFound } from '../files/fsErrors.js';
import { UnfitFileError } from '../files/boundedRead.js';
import { privateFile } from '../files/writeWhole.js';
import { sha256Of } from '../images/hash.js';
import { ImageError, maxImageBytes } from '../images/inspect.js';
import type { ReferenceSource } from '../jobs/createJob.js';
import { ownReferences, type ImageRequest, type Operation } from '../jobs/request.js';
import { StyleGuideError } from '../recipes/styleGuide.js';
import { resolveField } from './argument.js';
import { forgetHashes } from './styleFile.js';
import { messages } from './messages.js';

/**
 * Resolves the references of a command's argument.
 *
 * @throws {ArgumentError} where one lies outside the workspace
 */
export async function referencesFromArgument(
	references: readonly (vscode.Uri | string)[],
	root: vscode.Uri | undefined,
	operation: Operation,
): Promise<vscode.Uri[]> {
	return Promise.all(
		references.map(async (reference, index) => {
			const field = `references[${String(index)}]`;
			return (await resolveField(operation, field, reference, root)).uri;
		}),
	);
}

/** Returns the reference images of a request as a job fetches them. */
export function sourcesOf(request: ImageRequest): ReferenceSource[] {
	const own = ownReferences(request).length;
	return request.references.map(({ source }, index) => {
		const uri = vscode.Uri.parse(source, true);
		const sha256 = request.style?.references[index - own];
		return sha256 === undefined ? referenceSource(uri) : styleSource(uri, sha256);
	});
}

/** What the user has agreed to is sent, and nothing else that lies there by now. */
function styleSource(uri: vscode.Uri, sha256: string): ReferenceSource {
	const source = referenceSource(uri);
	return {
		...source,
		fetch: async (copy) => {
			await source.fetch(copy);
			if ((await sha256Of(copy)) !== sha256) {
				forgetHashes();
				throw new StyleGuideError(inWords(messages.styleReferenceChanged(source.fileName)));
			}
		},
	};
}

export function referenceSource(uri: vscode.Uri): ReferenceSource {
	return {
		uri: uri.toString(),
		fileName: path.posix.basename(uri.path),
		fetch: (copy) => copyFile(uri, copy),
	};
}

/** What a link leads to is copied, as it is now: the job has the bytes, whatever becomes of it. */
async function copyFile(source: vscode.Uri, copy: string): Promise<void> {
	let found: vscode.FileStat;
	try {
		found = await retryTransient(async () => vscode.workspace.fs.stat(source));
	} catch (error) {
		throw new ImageError(isNotFound(error) ? 'missing' : 'unreadable', source.path, error);
	}
	if ((found.type & vscode.FileType.Directory) !== 0) {
		throw new ImageError('folder', source.path);
	}
	if (found.size > maxImageBytes) {
		throw new ImageError('tooLarge', source.path);
	}
	try {
		await retryTransient(async () => {
			if (source.scheme === 'file') {
				// What another attempt has left.
				await rm(copy, { force: true });
				await copyFlushed(source.fsPath, copy, { mode: privateFile, maxBytes: maxImageBytes });
			} else {
				await vscode.workspace.fs.copy(source, vscode.Uri.file(copy), { overwrite: true });
				await chmod(copy, privateFile);
			}
		});
	} catch (error) {
		const tooLarge = error instanceof UnfitFileError && error.code === 'TooLarge';
		throw new ImageError(tooLarge ? 'tooLarge' : 'unreadable', source.path, error);
	}
}
