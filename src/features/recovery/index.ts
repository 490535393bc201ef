import * as vscode from 'vscode';
import type { FailedJob } from '../../editor/generation/board.js';
import type { Parts, Runner } from '../../editor/generation/runner.js';
import { foreignText, notify } from '../../editor/messages.js';
import { sweepEndpoints } from '../../jobs/endpoint.js';
import { readEntry, type DamagedEntry, type JobEntry } from '../../jobs/journal.js';
import { isOver } from '../../jobs/state.js';

/** After this time what was never sent is not sent by itself any more, in milliseconds. */
const longestUnaskedMs = 24 * 60 * 60 * 1000;

/** After this time nobody wants to try a failed image again, in milliseconds. */
const longestShownMs = 7 * 24 * 60 * 60 * 1000;

/**
 * When a window opens: takes up the jobs of its workspace that no living window has. Images that
 * arrived meanwhile are delivered, those under way are followed, what died is told.
 */
export async function recoverJobs(runner: Runner, parts: Parts): Promise<void> {
	const { board, journal, log } = parts;
	try {
		const { entries, damaged } = await journal.list();
		const mine = entries.filter(belongsHere);
		for (const entry of mine.filter((one) => !isSettled(one) && !isStale(one))) {
			void takeUp(entry, runner, parts);
		}
		for (const { entry, state } of mine.flatMap(recentFailure)) {
			board.fail(entry, state);
		}
		tellDamaged(damaged, parts);
		await tidyUp(entries, parts);
		await askAboutStale(mine.filter(isStale), runner, parts);
	} catch (error) {
		log.error('The journal could not be read', error);
	}
}

function tellDamaged(damaged: readonly DamagedEntry[], { journal, log }: Parts): void {
	for (const { folder, reason } of damaged) {
		log.error(`A damaged entry of the journal was set aside: ${folder} (${reason})`);
	}
	if (damaged.length > 0) {
		void notify('warning', 'Easel found a damaged entry in its journal and set it aside.', [
			{
				label: 'Show Folder',
				run: () => vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(journal.root)),
			},
		]);
	}
}

/** Removes what nobody needs any more; that it cannot be removed must not cost an image. */
async function tidyUp(entries: readonly JobEntry[], { journal, log }: Parts): Promise<void> {
	try {
		await journal.cleanUp(entries);
		await sweepEndpoints();
	} catch (error) {
		log.error('Old entries could not be removed', error);
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
		} else if (!isSettled(entry)) {
			await runner.tellAgain(entry);
		}
	} catch (error) {
		log.error('A job could not be taken up again', error);
	}
}

/**
 * What was queued when its window was closed on another day is perhaps not wanted any more: a
 * person decides. Until then it stays as it is, and is asked about again.
 */
async function askAboutStale(
	entries: readonly JobEntry[],
	runner: Runner,
	{ claims }: Parts,
): Promise<void> {
	const taken: JobEntry[] = [];
	for (const entry of entries) {
		if (await claims.take(entry.folder)) {
			taken.push(entry);
		}
	}
	const last = taken.at(-1);
	if (last === undefined) {
		return;
	}
	const many = taken.length > 1;
	const what = many
		? `${String(taken.length)} images were still waiting for their turn when their window was closed, the last one asked for`
		: `The image “${foreignText(last.request.prompt, 60)}” was still waiting for its turn when its window was closed. It was asked for`;
	await notify('warning', `${what} on ${day(last.request.createdAt)}. Nothing was sent.`, [
		{
			label: many ? `Send ${String(taken.length)} Images` : 'Send Now',
			run: () => {
				for (const entry of taken) {
					void runner.resume(entry);
				}
			},
		},
		{
			label: 'Discard',
			run: async () => {
				for (const entry of taken) {
					await runner.discard(entry);
				}
			},
		},
	]);
}

/** A failure that was told and that nobody has dealt with yet. */
function recentFailure(entry: JobEntry): FailedJob[] {
	const { state } = entry;
	const isFailure = state.state === 'failed' || state.state === 'interrupted';
	const age = Date.now() - Date.parse(state.changedAt);
	return isFailure && state.told === true && state.dismissed !== true && age < longestShownMs
		? [{ entry, state }]
		: [];
}

/** Whether nothing is left to be done or told. */
function isSettled({ state }: JobEntry): boolean {
	return isOver(state) && state.told === true;
}

/** Queued for so long, in either direction of a clock that was set, that a person is asked. */
function isStale({ request, state }: JobEntry): boolean {
	const age = Math.abs(Date.now() - Date.parse(request.createdAt));
	return state.state === 'queued' && age > longestUnaskedMs;
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

function day(time: string): string {
	return new Date(time).toLocaleDateString('en-US', { dateStyle: 'long' });
}
