import * as vscode from 'vscode';
import type { MadeImages } from '../documents/check/imageFiles.js';
import type { CheckSettings } from '../documents/check/rules.js';
import { settingsFile } from '../documents/check/settings.js';
import {
	scanDocuments,
	type ScanOptions,
	type ScanResult,
} from '../documents/missing/scanDocuments.js';
import type { Gallery } from '../jobs/gallery.js';
import { readCheckSettings } from './checkSettings.js';
import { readerScript } from './documentReader.js';
import { foldersOnDisk, scanRoots } from './searchExcludes.js';

interface CheckOptions extends Pick<ScanOptions, 'onProgress' | 'signal'> {
	/** Images that Easel has saved on this machine. */
	readonly gallery: Pick<Gallery, 'list'>;
	/** True for a finding of the rule `words` for each image that it wants read; none is read here. */
	readonly withWords?: boolean;
	/** Called with each mistake in a settings file, in one line. */
	readonly onBadSettings: (problem: string) => void;
}

/**
 * Checks what lies below folders and documents of local disks, by the settings of the workspace folder
 * that each of them lies in.
 *
 * @throws what `scanDocuments` throws
 */
export async function checkFolders(
	uris: readonly vscode.Uri[],
	{ onProgress, signal, gallery, withWords = false, onBadSettings }: CheckOptions,
): Promise<ScanResult> {
	let sum: ScanResult = { documents: 0, images: [], findings: [], problems: [], complete: true };
	const folders = Map.groupBy(uris, (uri) => vscode.workspace.getWorkspaceFolder(uri));
	for (const [folder, inside] of folders) {
		const read = await readCheckSettings(folder?.uri, onBadSettings);
		const settings = withWords ? read.settings : withoutWords(read.settings);
		const exclude = Object.fromEntries(settings.exclude.map((glob) => [glob, true]));
		const roots = scanRoots(inside).map((root) => ({
			...root,
			publicFolder: settings.publicFolder ?? root.publicFolder,
			exclude: { ...root.exclude, [settingsFile]: exclude },
		}));
		const { documents, images, findings, problems, complete } = sum;
		const found = await scanDocuments(readerScript(), roots, {
			folders: foldersOnDisk(),
			...(signal && { signal }),
			check: settings,
			made: settings.rules.recipe === 'off' ? undefined : await madeImages(gallery),
			threads: 2,
			onProgress: (so) =>
				onProgress?.({
					documents: documents + so.documents,
					images: images.length + findings.length + so.images,
				}),
		});
		sum = {
			documents: documents + found.documents,
			images: [...images, ...found.images],
			findings: [...findings, ...found.findings],
			problems: [...problems, ...found.problems],
			complete: complete && found.complete,
		};
	}
	return sum;
}

function withoutWords(settings: CheckSettings): CheckSettings {
	return { ...settings, rules: { ...settings.rules, words: 'off' } };
}

async function madeImages(gallery: Pick<Gallery, 'list'>): Promise<MadeImages> {
	// What cannot be read proves nothing.
	const images = await gallery.list().catch(() => []);
	const made = new Map<number, string[]>();
	for (const { bytes, sha256 } of images) {
		if (sha256 !== undefined) {
			made.set(bytes, [...(made.get(bytes) ?? []), sha256]);
		}
	}
	return made;
}
