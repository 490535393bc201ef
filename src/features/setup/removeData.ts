import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { confirm, notify, withStatus } from '../../editor/messages.js';
import { isNotFound } from '../../files/fsErrors.js';
import { isFinished, isListedFailure, isOver } from '../../jobs/state.js';
import { log } from '../../log.js';
import type { Services } from '../../services.js';
import { setupMessages } from '../messages.js';

/** The places that VS Code gives to Easel. */
export type OwnStorage = Pick<
	vscode.ExtensionContext,
	'globalState' | 'workspaceState' | 'globalStorageUri' | 'storageUri'
>;

/**
 * Removes all that Easel has stored on this machine after a question: keys, journal, ledger, gallery,
 * backups, thumbnails, and what it remembers. Images in folders of the user and settings stay. As long
 * as an image is under way or not saved, nothing is removed.
 */
export async function removeAllData(
	{ journal, keys }: Services,
	{ globalState, workspaceState, globalStorageUri, storageUri }: OwnStorage,
): Promise<void> {
	const open = (await journal.readable()).filter(
		({ state }) => !isOver(state) || !(isFinished(state) || isListedFailure(state)),
	);
	if (open.length > 0) {
		const showStudio = {
			label: setupMessages.showStudio,
			run: () => runCommand('easel.openStudio'),
		};
		await notify('warning', setupMessages.dataInUse(open.length), [showStudio]);
		return;
	}
	const { removeDataQuestion, removeDataDetail, removeData } = setupMessages;
	if (!(await confirm(removeDataQuestion, removeDataDetail, removeData))) {
		return;
	}
	await withStatus(
		setupMessages.removingData,
		(async () => {
			await keys.removeAll();
			for (const state of [globalState, workspaceState]) {
				for (const key of state.keys()) {
					await state.update(key, undefined);
				}
			}
			for (const uri of [globalStorageUri, storageUri]) {
				await (uri && empty(uri.fsPath));
			}
		})(),
	);
	log.info('All data of Easel was removed.');
	// What this window has in memory would be written again.
	await notify('info', setupMessages.dataRemoved, [
		{
			label: setupMessages.reload,
			run: async () => {
				await vscode.commands.executeCommand('workbench.action.reloadWindow');
			},
		},
	]);
}

/** Removes what lies in a folder; VS Code makes the folder itself. */
async function empty(folder: string): Promise<void> {
	try {
		for (const name of await readdir(folder)) {
			await rm(path.join(folder, name), { recursive: true, force: true });
		}
	} catch (error) {
		if (!isNotFound(error)) {
			throw error;
		}
	}
}
