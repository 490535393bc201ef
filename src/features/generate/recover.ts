import * as vscode from 'vscode';
import { notify } from '../../editor/messages.js';
import { sweepEndpoints } from '../../jobs/endpoint.js';
import { readEntry, type JobEntry } from '../../jobs/journal.js';
import { isOver } from '../../jobs/state.js';
import type { Parts, Runner } from './runner.js';

/**
 * When a window opens: takes up the jobs of its workspace that no living window has. Images that
 * arrived meanwhile are delivered, those under way are followed, what died is told.
 */
export async function recoverJobs(runner: Runner, parts: Parts): Promise<void> {
	const { journal, log } = parts;
	try {
		const { entries, damaged } = await journal.list();
		await journal.cleanUp(entries);
		await sweepEndpoints();
		for (const { folder, reason } of damaged) {
			log.error(`A damaged entry of the journal was set aside: ${folder} (${reason})`);
		}
		if (damaged.length > 0) {
			void notify('warning', 'Easel found a damaged entry in its journal and set it aside.', [
				{
					label: 'Show Folder',
					run: () =>
						vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(journal.root)),
				},
			]);
		}
		for (const entry of entries.filter(({ state }) => !isOver(state)).filter(belongsHere)) {
			void takeUp(entry, runner, parts);
		}
	} catch (error) {
		log.error('The journal could not be read', error);
	}
}

async function takeUp({ folder }: JobEntry, runner: Runner, parts: Parts): Promise<void> {
	const { claims, log } = parts;
	try {
		if (!(await claims.takeWhenFree(folder))) {
			return;
		}
		// The window that had it may have brought it to its end meanwhile.
		const entry = await readEntry(folder);
		if (!isOver(entry.state)) {
			log.info(`${entry.request.id} is taken up again (${entry.state.state}).`);
			await runner.resume(entry);
		}
	} catch (error) {
		log.error('A job could not be taken up again', error);
	}
}

/** A job belongs to the window of its workspace; one without a workspace to any. */
function belongsHere({ request }: JobEntry): boolean {
	return (
		request.workspaceFolder === undefined ||
		(vscode.workspace.workspaceFolders ?? []).some(
			({ uri }) => uri.toString() === request.workspaceFolder,
		)
	);
}
