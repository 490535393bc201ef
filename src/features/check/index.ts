import * as vscode from 'vscode';
import { settingsFile } from '../../documents/check/settings.js';
import type { ScanResult } from '../../documents/missing/scanDocuments.js';
import { checkFolders } from '../../editor/checkFolders.js';
import { commandButton, registerCommand } from '../../editor/commands.js';
import { notify, runDetached } from '../../editor/messages.js';
import { searchWithProgress } from '../../editor/quickInput.js';
import { selectedUris } from '../../editor/targetImage.js';
import { log } from '../../log.js';
import type { Services } from '../../services.js';
import { checkMessages } from '../messages.js';
import { showFindings } from './list.js';
import { checkWordsOfPictures } from './words.js';

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
	const result = await searchWithProgress(title, searchFor, (show, signal) =>
		checkFolders(local, {
			gallery: deps.history,
			withWords: true,
			onBadSettings: reportBadSettings,
			signal,
			onProgress: ({ documents, images }) => show(checkMessages.found(documents, images)),
		}),
	);
	if (result === undefined) {
		return;
	}
	const { words: pictures = [], others = [] } = Object.groupBy(result.findings, ({ rule }) =>
		rule === 'words' ? rule : 'others',
	);
	const words = await checkWordsOfPictures(pictures, deps);
	const findings = [...others, ...words.findings];
	report({ ...result, findings }, words.unchecked);
	if (findings.length > 0) {
		await showFindings(findings, deps);
	}
}

function reportBadSettings(problem: string): void {
	log.warn(`${settingsFile}: ${problem}`);
	runDetached(
		notify('warning', checkMessages.badSettings(problem), [commandButton('easel.showLog')]),
	);
}

function report(
	{ findings, problems, documents, complete }: ScanResult,
	uncheckedPictures: number,
): void {
	for (const { path, code } of problems) {
		log.warn(`Not checked: ${path} (${code})`);
	}
	const notes = [
		...(findings.length > 0 ? [] : [checkMessages.noFindings(documents)]),
		...(problems.length > 0 ? [checkMessages.unreadableFiles(problems.length)] : []),
		...(uncheckedPictures > 0 ? [checkMessages.wordsNotChecked(uncheckedPictures)] : []),
		...(complete ? [] : [checkMessages.incomplete]),
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
