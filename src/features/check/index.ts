import * as vscode from 'vscode';
import type { Finding } from '../../documents/check/finding.js';
import { settingsFile } from '../../documents/check/settings.js';
import { scanDocuments, type ScanResult } from '../../documents/missing/scanDocuments.js';
import { readCheckSettings } from '../../editor/checkSettings.js';
import { commandButton, registerCommand } from '../../editor/commands.js';
import { readerScript } from '../../editor/documentReader.js';
import { notify, runDetached } from '../../editor/messages.js';
import { searchWithProgress } from '../../editor/quickInput.js';
import { foldersOnDisk, scanRoots } from '../../editor/searchExcludes.js';
import { selectedUris } from '../../editor/targetImage.js';
import { log } from '../../log.js';
import type { Services } from '../../services.js';
import { checkMessages } from '../messages.js';
import { showFindings } from './list.js';

/** "Check Images…": what the rules find in documents, with what mends it. */
export function registerCheck(deps: Services): vscode.Disposable {
	return registerCommand('easel.checkImages', (target, selected) =>
		checkImages(rootsOf(target, selected), deps),
	);
}

async function checkImages(roots: readonly vscode.Uri[], deps: Services): Promise<void> {
	const local = roots.filter(({ scheme }) => scheme === 'file');
	if (local.length === 0) {
		await notify('info', checkMessages.needsLocalFolder);
		return;
	}
	const { title, searchFor } = checkMessages;
	const collections = await searchWithProgress(title, searchFor, (show, signal) =>
		collect(local, show, signal),
	);
	if (collections === undefined) {
		return;
	}
	const findings = collections.flatMap((collection) => collection.findings);
	report(collections, findings);
	if (findings.length > 0) {
		await showFindings(findings, deps);
	}
}

/** Checks what lies in each workspace folder by the settings of that. */
async function collect(
	roots: readonly vscode.Uri[],
	show: (found: string) => void,
	signal: AbortSignal,
): Promise<ScanResult[]> {
	const folders = Map.groupBy(roots, (root) => vscode.workspace.getWorkspaceFolder(root));
	const collections: ScanResult[] = [];
	for (const [folder, inside] of folders) {
		const { settings } = await readCheckSettings(folder?.uri, (problem) => {
			log.warn(`${settingsFile}: ${problem}`);
			runDetached(
				notify('warning', checkMessages.badSettings(problem), [commandButton('easel.showLog')]),
			);
		});
		const exclude = Object.fromEntries(settings.exclude.map((glob) => [glob, true]));
		const search = scanRoots(inside).map((root) => ({
			...root,
			publicFolder: settings.publicFolder ?? root.publicFolder,
			exclude: { ...root.exclude, [settingsFile]: exclude },
		}));
		collections.push(
			await scanDocuments(readerScript(), search, {
				folders: foldersOnDisk(),
				signal,
				check: settings,
				threads: 2,
				onProgress: ({ documents, images }) => show(checkMessages.found(documents, images)),
			}),
		);
	}
	return collections;
}

function report(collections: readonly ScanResult[], findings: readonly Finding[]): void {
	const problems = collections.flatMap((collection) => collection.problems);
	for (const { path, code } of problems) {
		log.warn(`Not checked: ${path} (${code})`);
	}
	const documents = collections.reduce((sum, one) => sum + one.documents, 0);
	const notes = [
		...(findings.length > 0 ? [] : [checkMessages.noFindings(documents)]),
		...(problems.length > 0 ? [checkMessages.unreadableFiles(problems.length)] : []),
		...(collections.every(({ complete }) => complete) ? [] : [checkMessages.incomplete]),
	];
	if (notes.length > 0) {
		const words = notes.join(' ');
		runDetached(
			problems.length > 0
				? notify('warning', words, [commandButton('easel.showLog')])
				: notify('info', words),
		);
	}
}

/** Returns the folders and documents that a menu names, else the whole workspace. */
function rootsOf(target: vscode.Uri | undefined, selected: unknown): readonly vscode.Uri[] {
	const uris = selectedUris(selected);
	return uris.length > 0
		? uris
		: target instanceof vscode.Uri
			? [target]
			: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
}
