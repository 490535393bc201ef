import * as vscode from 'vscode';
import { settingsFile } from '../documents/check/settings.js';
import {
	scanDocuments,
	type ScanOptions,
	type ScanResult,
} from '../documents/missing/scanDocuments.js';
import { readCheckSettings } from './checkSettings.js';
import { readerScript } from './documentReader.js';
import { foldersOnDisk, scanRoots } from './searchExcludes.js';

/**
 * Checks what lies below folders and documents of local disks, by the settings of the workspace folder
 * that each of them lies in.
 *
 * @param onBadSettings called with each mistake in these, in one line
 * @throws what `scanDocuments` throws
 */
export async function checkFolders(
	uris: readonly vscode.Uri[],
	onBadSettings: (problem: string) => void,
	{ onProgress, signal }: Pick<ScanOptions, 'onProgress' | 'signal'>,
): Promise<ScanResult> {
	let sum: ScanResult = { documents: 0, images: [], findings: [], problems: [], complete: true };
	const folders = Map.groupBy(uris, (uri) => vscode.workspace.getWorkspaceFolder(uri));
	for (const [folder, inside] of folders) {
		const { settings } = await readCheckSettings(folder?.uri, onBadSettings);
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
