import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { FailedJob } from '../../editor/generation/jobList.js';
import type { Parts, Runner } from '../../editor/generation/runner.js';
import { foreignText, inBackground, notify } from '../../editor/messages.js';
import { isNotThere } from '../../files/refusal.js';
import { livenessOf } from '../../jobs/holder.js';
import { readEntry, windowLease, type DamagedEntry, type JobEntry } from '../../jobs/journal.js';
import { readLease } from '../../jobs/leases.js';
import { isOver, isSettled, type StateNamed } from '../../jobs/state.js';

/** After this time what was never sent is not sent by itself any more, in milliseconds. */
const longestUnaskedMs = 24 * 60 * 60 * 1000;

/** After this time nobody wants to try a failed image again, in milliseconds. */
const longestShownMs = 7 * 24 * 60 * 60 * 1000;

/** Before what could not be read is read again; the last one goes on. In milliseconds. */
const waitsMs = [1_000, 5_000, 30_000, 120_000] as const;

/**
 * When a window opens: takes up the jobs of its workspace that no living window has. Images that
 * arrived meanwhile are delivered, those under way are followed, what died is told. What cannot be
 * read just now is looked at again, as long as this window is open.
 */
export function recoverJobs(runner: Runner, parts: Parts): vscode.Disposable {
	const closing = new AbortController();
	inBackground(lookUntilAllIsKnown(runner, parts, closing.signal));
	return { dispose: () => closing.abort() };
}

async function lookUntilAllIsKnown(
	runner: Runner,
	parts: Parts,
	signal: AbortSignal,
): Promise<void> {
	const known = new Set<string>();
	for (let round = 0; !signal.aborted; round += 1) {
		if (await look(runner, parts, known)) {
			return;
		}
		const waitMs = waitsMs[Math.min(round, waitsMs.length - 1)];
		await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
	}
}

/**
 * Looks at the journal and takes care of what is not known yet. Returns whether everything could be
 * read.
 */
async function look(runner: Runner, parts: Parts, known: Set<string>): Promise<boolean> {
	const { jobs, journal, log } = parts;
	try {
		const listing = await journal.list();
		const entries = listing.entries.filter(({ folder }) => !known.has(folder));
		entries.forEach(({ folder }) => known.add(folder));
		for (const { folder, error } of listing.unreadable) {
			log.error(`An entry of the journal cannot be read just now: ${folder}`, error);
		}
		const mine = entries.filter(belongsHere);
		for (const entry of mine.filter((one) => !isSettled(one.state) && !isStale(one))) {
			inBackground(takeUp(entry, runner, parts));
		}
		for (const { entry, state } of mine.flatMap(recentFailure)) {
			jobs.fail(entry, state);
		}
		await listUnsaved(
			entries.filter((entry) => !belongsHere(entry)),
			runner,
		);
		tellDamaged(listing.damaged, parts);
		for (const refusal of await journal.cleanUp(listing.entries)) {
			log.error('Old entries could not be removed', refusal);
		}
		inBackground(askAboutStale(mine.filter(isStale), runner, parts));
		return listing.unreadable.length === 0;
	} catch (error) {
		log.error('The journal could not be read', error);
		return false;
	}
}

function tellDamaged(damaged: readonly DamagedEntry[], { journal, log }: Parts): void {
	for (const { folder, reason } of damaged) {
		log.error(`An entry of the journal is damaged: ${folder} (${reason})`);
	}
	const images = damaged.filter(({ image }) => image !== undefined).length;
	if (damaged.length > 0) {
		const words =
			images === 0
				? 'Easel found a damaged entry in its journal. Nothing of it will be sent.'
				: `Easel found a damaged entry in its journal. ${images === 1 ? 'An image' : `${String(images)} images`} may lie in its folder, in a file without an extension: it is a PNG.`;
		inBackground(
			notify('warning', words, [
				{
					label: 'Show Folder',
					run: () =>
						vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(journal.root)),
				},
			]),
		);
	}
}

async function takeUp({ folder }: JobEntry, runner: Runner, parts: Parts): Promise<void> {
	const { leases, log } = parts;
	const isMine = await leases.takeWhenFree(folder, windowLease, (error) => {
		log.error('Whether a job can be taken up cannot be told just now', error);
	});
	if (!isMine) {
		return;
	}
	let entry: JobEntry;
	try {
		// The window that had it may have brought it to its end meanwhile.
		entry = await readEntry(folder);
	} catch (error) {
		if (isNotThere(error)) {
			return;
		}
		throw error;
	}
	const { state, request } = entry;
	if (!isOver(state)) {
		log.info(`${request.id} is taken up again (${state.state}).`);
		await runner.resume(entry);
	} else if (!isSettled(state)) {
		await runner.tellAgain(entry);
	}
}

/**
 * Images of other workspaces that are here and that no window takes care of: their own workspace
 * may never be opened again.
 */
async function listUnsaved(entries: readonly JobEntry[], runner: Runner): Promise<void> {
	for (const entry of entries) {
		const { state, folder, request } = entry;
		if (state.state !== 'received') {
			continue;
		}
		const holder = (await readLease(folder, windowLease))?.holder;
		if (
			holder === undefined ||
			(holder !== 'unreadable' && (await livenessOf(holder)) === 'gone')
		) {
			runner.unsaved.list(entry, state, state.problem ?? waitingWords(request.workspaceFolder));
		}
	}
}

function waitingWords(workspaceFolder: string | undefined): string {
	const path = workspaceFolder === undefined ? '' : vscode.Uri.parse(workspaceFolder).path;
	return `The image is saved when the folder ${path.split('/').at(-1) ?? ''} is opened again.`;
}

/**
 * What was queued when its window was closed on another day is perhaps not wanted any more: a
 * person decides. Until then it stays as it is, and is asked about again.
 */
async function askAboutStale(
	entries: readonly JobEntry[],
	runner: Runner,
	{ leases }: Parts,
): Promise<void> {
	const taken: JobEntry[] = [];
	for (const entry of entries) {
		if ((await leases.take(entry.folder, windowLease)) !== undefined) {
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
					inBackground(runner.resume(entry));
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
	const age = Date.now() - Date.parse(state.changedAt);
	return isFailure(state) && state.told === true && state.dismissed !== true && age < longestShownMs
		? [{ entry, state }]
		: [];
}

function isFailure(state: JobEntry['state']): state is StateNamed<'failed' | 'interrupted'> {
	return state.state === 'failed' || state.state === 'interrupted';
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
