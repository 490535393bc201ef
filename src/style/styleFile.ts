import { posix } from 'node:path';
import * as vscode from 'vscode';
import { EaselError, inWords } from '../easelError.js';
import { WordedError, wordsOf } from '../editor/errorTexts.js';
import { assertInside, uriExists, OutsideWorkspaceError, resolveInside } from '../editor/files.js';
import { inspectUri, withImageFile } from '../editor/images.js';
import { readSetting, readSettingIfSet, SettingError } from '../editor/settings.js';
import { readBounded, UnfitFileError } from '../files/boundedRead.js';
import { sha256Of } from '../images/hash.js';
import { maxImageBytes } from '../images/inspect.js';
import { isEmptyStyle, styleHash } from '../recipes/applyStyle.js';
import {
	maxGuideBytes,
	parseStyleGuide,
	StyleGuideError,
	tooLargeGuide,
} from '../recipes/styleGuide.js';
import type { Size } from '../service/contract.js';
import { messages } from '../messages.js';

/** A reference image that a style guide names, as it was when the guide was read. */
export interface StyleReference {
	readonly uri: vscode.Uri;
	/** SHA-256 of its bytes, hexadecimal: others are not sent. */
	readonly sha256: string;
}

/** A style guide with all that it applies, as it lies on the disk now. */
export interface ReadStyle {
	readonly uri: vscode.Uri;
	/** Relative to the workspace folder. */
	readonly path: string;
	readonly text: string;
	readonly size: Size | undefined;
	readonly references: readonly StyleReference[];
	/** SHA-256 of all that it applies, hexadecimal. */
	readonly sha256: string;
}

/** A style guide that cannot be used; nothing is sent then. */
export class UnusableStyleError extends WordedError {
	override readonly name = 'UnusableStyleError';

	/** From 1, where it is one. */
	readonly line: number | undefined;

	constructor(
		readonly uri: vscode.Uri,
		cause: EaselError,
	) {
		const name = vscode.workspace.asRelativePath(uri);
		super(messages.unusableStyleNamed(name, wordsOf(cause)), { cause });
		this.line = cause instanceof StyleGuideError ? cause.line : undefined;
	}
}

/**
 * Returns the file of a folder's style guide, whether it exists or not; `undefined` where there is
 * to be none.
 *
 * @throws {SettingError} where the setting leads out of the folder, symbolic links included
 */
export async function styleFileOf(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
	const setting = readSetting('style.file', folder).trim();
	try {
		return setting === '' ? undefined : await resolveInside(folder, setting);
	} catch (error) {
		throw error instanceof OutsideWorkspaceError
			? new SettingError('easel.style.file', error.message)
			: error;
	}
}

/**
 * Reads the style guide of a folder with its reference images; `undefined` where there is none.
 *
 * @throws {UnusableStyleError} where it is there and cannot be used
 * @throws {SettingError} where the setting names none that can be
 */
export async function readStyle(folder: vscode.Uri): Promise<ReadStyle | undefined> {
	const uri = await styleFileOf(folder);
	if (uri === undefined) {
		return undefined;
	}
	try {
		const content = await contentOf(uri);
		if (content === undefined) {
			// Who has named a guide does not want images without it.
			if (readSettingIfSet('style.file', folder) !== undefined) {
				throw new SettingError('easel.style.file', messages.styleMissing);
			}
			return undefined;
		}
		const { text, size, references: paths } = parseStyleGuide(content);
		const references: StyleReference[] = [];
		for (const path of paths) {
			references.push(await referenceAt(path, uri, folder));
		}
		const applied = { text, references: references.map(({ sha256 }) => sha256) };
		const guide = size === undefined ? applied : { ...applied, size };
		return isEmptyStyle(guide)
			? undefined
			: { uri, path: pathIn(folder, uri), text, size, references, sha256: styleHash(guide) };
	} catch (error) {
		throw error instanceof EaselError && !(error instanceof SettingError)
			? new UnusableStyleError(uri, error)
			: error;
	}
}

/** `undefined` where there is no such file. */
async function contentOf(uri: vscode.Uri): Promise<string | undefined> {
	try {
		const bytes = await withImageFile(uri, (file) =>
			readBounded(file, { maxBytes: maxGuideBytes }),
		);
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch (error) {
		if (!(await uriExists(uri).catch(() => true))) {
			return undefined;
		}
		if (error instanceof TypeError) {
			throw new StyleGuideError(inWords(messages.styleNotText), { cause: error });
		}
		const isUnfit = error instanceof UnfitFileError;
		throw new StyleGuideError(
			isUnfit && error.code === 'TooLarge'
				? tooLargeGuide
				: inWords(isUnfit ? messages.styleNotAFile : messages.styleUnreadable),
			{ cause: error },
		);
	}
}

/** @param path as the guide has it: from its own folder, or with `/` from that of the workspace */
async function referenceAt(
	path: string,
	guide: vscode.Uri,
	folder: vscode.Uri,
): Promise<StyleReference> {
	const way = path.replaceAll('\\', '/');
	const uri = way.startsWith('/')
		? vscode.Uri.joinPath(folder, way)
		: vscode.Uri.joinPath(guide, '..', way);
	await assertInside(folder, uri);
	await inspectUri(uri);
	return { uri, sha256: await hashOf(uri) };
}

/** The hash of an image that looks as it did, so that it is not read with every key that is pressed. */
async function hashOf(uri: vscode.Uri): Promise<string> {
	const { mtime, size } = await vscode.workspace.fs.stat(uri);
	const key = `${String(mtime)} ${String(size)} ${uri.toString()}`;
	const known = hashes.get(key);
	const sha256 = known ?? (await withImageFile(uri, (file) => sha256Of(file, maxImageBytes)));
	if (hashes.size >= maxHashes) {
		hashes.clear();
	}
	hashes.set(key, sha256);
	return sha256;
}

/** An image is another one although it looks as it did: all are read again. */
export function forgetHashes(): void {
	hashes.clear();
}

/** Hashes by file version; before a file is sent it is hashed anew. */
const hashes = new Map<string, string>();
const maxHashes = 100;

/** The way from a folder to a file in it. */
export function pathIn(folder: vscode.Uri, uri: vscode.Uri): string {
	return posix.relative(folder.path, uri.path);
}
