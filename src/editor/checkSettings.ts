import * as vscode from 'vscode';
import { defaultSettings, type CheckSettings } from '../documents/check/rules.js';
import { maxSettingsBytes, parseCheckSettings, settingsFile } from '../documents/check/settings.js';
import { isNotFound } from '../files/fsErrors.js';
import { readBounded } from '../files/boundedRead.js';

/**
 * Reads the settings of a folder's check; the default where it has none.
 *
 * @param onProblem called with each mistake, in one line
 * @returns `undefined` where it has a file of them that cannot be used
 */
export async function readCheckSettings(
	folder: vscode.Uri | undefined,
	onProblem: (problem: string) => void,
): Promise<{ readonly settings: CheckSettings; readonly isOwn: boolean }> {
	if (folder?.scheme !== 'file') {
		return { settings: defaultSettings, isOwn: false };
	}
	const file = vscode.Uri.joinPath(folder, settingsFile).fsPath;
	try {
		const text = (await readBounded(file, { maxBytes: maxSettingsBytes })).toString('utf8');
		return { settings: parseCheckSettings(text, onProblem), isOwn: true };
	} catch (error) {
		if (!isNotFound(error)) {
			onProblem(String(error));
		}
		return { settings: defaultSettings, isOwn: false };
	}
}
