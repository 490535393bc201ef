import * as vscode from 'vscode';
import { notedText } from '../../editor/errorTexts.js';
import type { Services } from '../../services.js';
import { revealFolderOrFile } from '../../generation/savedImage.js';
import { safeText } from '../../editor/untrustedText.js';
import { runDetached, notify } from '../../editor/messages.js';
import { log } from '../../log.js';
import { offerReload } from '../../editor/windowHealth.js';
import type { DamagedEntry } from '../../jobs/journal.js';
import { windowLease, type JobEntry } from '../../jobs/jobFolder.js';
import { recover } from '../../jobs/recovery.js';
import type { Leases } from '../../jobs/windowLeases.js';
import { isCertain, isOver, type StateNamed } from '../../jobs/state.js';
import { recoveryMessages } from '../messages.js';
import { labels } from '../../messages.js';

/** When a window opens: delivers images that have arrived, follows others, reports what failed. */
export function recoverJobs(deps: Services): vscode.Disposable {
	const { finished, generator, jobs, journal, leases } = deps;
	const closing = new AbortController();
	const recovering = recover(journal, leases, {
		signal: closing.signal,
		belongsHere,
		resume: (entry) => resume(entry, deps),
		askAbout: (entries) => askAbout(entries, deps),
		listFailure: (entry, state) => jobs.addFailed(entry, state),
		dismiss: (entry) => generator.act('dismiss', [entry]),
		listUnsaved: (entry, state) =>
			jobs.addUnsaved(entry, state, elsewhereWords(entry.request, state)),
		reportDamaged: (damaged) => reportDamaged(damaged, deps),
		reportNewer,
		removeFinished: (folders) => finished.removeAll(folders),
	});
	runDetached(recovering);
	const offering = offerTakeOver(leases);
	leases.left.addEventListener('abort', () => {
		generator.dispose();
		runDetached(reportTakenOver());
	});
	return {
		dispose: () => {
			closing.abort();
			clearInterval(offering);
		},
	};
}

/**
 * Offers once for each host to go on with what waits for it, where this machine cannot know whether
 * it is still at work: the storage may be shared by several machines or containers.
 */
export function offerTakeOver(leases: Leases, everyMs = 10_000): NodeJS.Timeout {
	const offered = new Set<string>();
	return setInterval(() => {
		for (const [host, images] of leases.unreachableHosts()) {
			if (!offered.has(host)) {
				offered.add(host);
				runDetached(
					notify('warning', recoveryMessages.unreachableWindow(images, host), [
						{ label: recoveryMessages.takeOver, run: () => leases.takeOverFrom(host) },
					]),
				);
			}
		}
	}, everyMs).unref();
}

/** Another window goes on with everything; the user who comes back to this one has to know. */
async function reportTakenOver(): Promise<void> {
	log.warn(
		'This window did not respond, so another window of this workspace took over its images.',
	);
	await offerReload(recoveryMessages.takenOver);
}

async function resume(entry: JobEntry, { generator }: Services): Promise<void> {
	const { state, request } = entry;
	if (isOver(state) && isCertain(state)) {
		await generator.reportAgain(entry, state);
	} else {
		log.info(`${request.id} is resumed (${state.state}).`);
		await generator.resume(entry);
	}
}

function reportDamaged(damaged: readonly DamagedEntry[], { journal }: Services): void {
	for (const { folder, reason } of damaged) {
		log.error(`An entry of the journal is damaged: ${folder} (${reason})`);
	}
	if (damaged.length === 0) {
		return;
	}
	const images = damaged.filter(({ image }) => image !== undefined).length;
	const words =
		images === 0 ? recoveryMessages.damaged : recoveryMessages.damagedWithImages(images);
	runDetached(
		notify('warning', words, [
			{
				label: recoveryMessages.showFolder,
				run: () => revealFolderOrFile(vscode.Uri.file(journal.root)),
			},
		]),
	);
}

/** Jobs of a newer version stay as they are: only that one knows what has become of them. */
function reportNewer(folders: readonly string[]): void {
	folders.forEach((folder) =>
		log.warn(`A newer version of Easel made this job, so it is not changed: ${folder}`),
	);
	runDetached(offerReload(recoveryMessages.newer(folders.length)));
}

/** Why an image of another workspace is not saved. */
function elsewhereWords(
	{ workspaceFolder }: JobEntry['request'],
	{ problem, error }: StateNamed<'received'>,
): string {
	const path = workspaceFolder === undefined ? '' : vscode.Uri.parse(workspaceFolder).path;
	const name = path.split('/').at(-1) ?? '';
	const words = notedText(problem, error);
	return words === undefined
		? recoveryMessages.savedWithFolder(name)
		: recoveryMessages.otherFolder(words, name);
}

/**
 * Asks about requests that were queued more than a day ago: the user decides. Until then it stays
 * as it is; where the question is closed, the images are listed, and not asked about again.
 */
async function askAbout(
	entries: readonly JobEntry[],
	{ generator, leases }: Services,
): Promise<void> {
	const taken: JobEntry[] = [];
	for (const entry of entries) {
		// What this window has already is none of these, whatever the clock says of its age.
		if (typeof (await leases.acquire(entry.folder, windowLease)) === 'object') {
			taken.push(entry);
		}
	}
	const last = taken.at(-1);
	if (last === undefined) {
		return;
	}
	const closed = new Date(last.request.createdAt).toLocaleDateString('en-US', {
		dateStyle: 'long',
	});
	const words =
		taken.length > 1
			? recoveryMessages.manyNeverSent(taken.length, closed)
			: recoveryMessages.neverSent(safeText(last.request.prompt, 60), closed);
	const answer = await notify<'resume' | 'discard'>('warning', words, [
		{ label: recoveryMessages.send(taken.length), run: () => 'resume' },
		{ label: labels.discard, run: () => 'discard' },
	]);
	runDetached(Promise.all(taken.map((entry) => generator[answer ?? 'setAside'](entry))));
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
