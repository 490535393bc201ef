import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { safeText } from '../editor/untrustedText.js';
import { withImageFile } from '../editor/images.js';
import { besideName } from '../recipes/beside.js';
import { PngError } from '../recipes/chunks.js';
import { readProvenance, readProvenanceBeside, type Provenance } from '../recipes/provenance.js';
import { findTraces } from '../recipes/traces.js';
import { messages } from '../messages.js';

/**
 * Reads how an image was made, wherever it lies; of a virtual file system not what lies beside it.
 *
 * @throws {PngError} where it is a PNG with too much in it; {@link ImageError} where it is no image, or
 *   cannot be fetched; both name the file. {@link UnfitFileError}; the system's error
 */
export function provenanceOf(uri: vscode.Uri): Promise<Provenance> {
	return withImageFile(uri, async (file) => {
		try {
			return await readProvenance(file);
		} catch (error) {
			if (!(error instanceof PngError)) {
				throw error;
			}
			if (error.kind === 'notPng') {
				return readProvenanceBeside(file);
			}
			throw new PngError(error.kind, safeText(posix.basename(uri.path)));
		}
	});
}

/**
 * Returns the words of a message about a copy of an image on its recipe; nothing where it has none.
 */
export async function recipeOfCopy(uri: vscode.Uri): Promise<string | undefined> {
	// What is no image, or cannot be read, has nothing that could be lost.
	const traces = await withImageFile(uri, findTraces).catch(() => undefined);
	if (traces?.inImage) {
		return messages.recipeInCopy;
	}
	return traces?.beside
		? messages.recipeNotCopied(safeText(besideName(posix.basename(uri.path))))
		: undefined;
}
