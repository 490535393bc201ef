import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ImageError, inspectImage, maxImageBytes, type ImageFacts } from '../images/inspect.js';
import { nameProblem } from '../files/nameProblem.js';
import { isNotFound } from '../files/fsErrors.js';
import { isUnknownImage } from './files.js';
import { findWorkspaceFiles } from './searchExcludes.js';

export interface ImageItem extends vscode.QuickPickItem {
	readonly uri: vscode.Uri;
}

/** More would make the list slow. */
const maxListed = 5000;

/** Extensions of images, in small letters. */
export const imageExtensions = ['png', 'jpg', 'jpeg', 'webp'];

/**
 * Lists the images of the workspace by their names, sorted by their paths: what the user would look
 * for, so not what the settings hide, nor what lies in packages.
 */
export async function imagesOfWorkspace(): Promise<ImageItem[]> {
	const found = await findWorkspaceFiles(imageExtensions, maxListed);
	return found
		.map((uri) => ({ ...imageItem(uri), path: vscode.workspace.asRelativePath(uri) }))
		.sort((a, b) => a.path.localeCompare(b.path));
}

/** An image as a pick shows it, wherever it lies. */
export function imageItem(uri: vscode.Uri): ImageItem {
	const relative = vscode.workspace.asRelativePath(uri);
	const cut = relative.lastIndexOf('/') + 1;
	return {
		label: relative.slice(cut),
		description: relative.slice(0, cut),
		iconPath: uri,
		uri,
	};
}

/** Reads format, dimensions and size. @throws {ImageError} for whatever is wrong with the file */
export async function inspectUri(uri: vscode.Uri): Promise<ImageFacts> {
	return withImageFile(uri, inspectImage);
}

/**
 * Reads an image on this machine's disks; one of a virtual file system is fetched first.
 *
 * @param read is given the absolute path, which counts until it has ended
 * @throws {ImageError} where it cannot be fetched; the error of `read`
 */
export async function withImageFile<T>(
	uri: vscode.Uri,
	read: (file: string) => Promise<T>,
): Promise<T> {
	if (isUnknownImage(uri)) {
		throw new ImageError('missing', uri.path);
	}
	if (uri.scheme === 'file') {
		return read(uri.fsPath);
	}
	const folder = await mkdtemp(path.join(tmpdir(), 'easel-'));
	try {
		// A name of another system may be none here, or lead elsewhere.
		const name = path.posix.basename(uri.path);
		const copy = path.join(folder, nameProblem(name, 'win32') === undefined ? name : 'image');
		await fetchTo(copy, uri);
		return await read(copy);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function fetchTo(copy: string, uri: vscode.Uri): Promise<void> {
	try {
		const { size } = await vscode.workspace.fs.stat(uri);
		if (size > maxImageBytes) {
			throw new ImageError('tooLarge', uri.path);
		}
		await vscode.workspace.fs.copy(uri, vscode.Uri.file(copy));
	} catch (error) {
		if (error instanceof ImageError) {
			throw error;
		}
		throw new ImageError(isNotFound(error) ? 'missing' : 'unreadable', uri.path, error);
	}
}
