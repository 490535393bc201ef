import * as vscode from 'vscode';
import type { Parts } from '../../generation/parts.js';
import { revealFolderOrFile } from '../../generation/savedImage.js';
import { foreignText } from '../../editor/foreignText.js';
import { inBackground, notify } from '../../editor/messages.js';
import type { Log } from '../../editor/log.js';
import { offerReload, windowAnswers } from '../../editor/window.js';
import type { DamagedEntry } from '../../jobs/journal.js';
import { windowLease, type JobEntry } from '../../jobs/jobFolder.js';
import { recover } from '../../jobs/recovery.js';
import type { Leases } from '../../jobs/windowLeases.js';
import { isCertain, isOver } from '../../jobs/state.js';

type Needs = Pick<Parts, 'finished' | 'generator' | 'jobs' | 'journal' | 'leases' | 'log'>;

/**
 * When a window opens: images that arrived meanwhile are delivered, those under way are followed,
 * what died is told.
 */
export function recoverJobs(needs: Needs): vscode.Disposable {
	const { finished, generator, jobs, journal, leases, log } = needs;
	const closing = new AbortController();
	const recovering = recover(journal, leases, {
		signal: closing.signal,
		belongsHere,
		takeUp: (entry) => takeUp(entry, needs),
		askAbout: (entries) => askAbout(entries, needs),
		listFailure: (entry, state) => {
			jobs.fail(entry, state);
		},
		dismiss: (entry) => generator.dismiss(entry),
		listUnsaved: (entry, state) => {
			generator.unsaved.list(entry, state, elsewhereWords(entry.request, state.problem));
		},
		tellDamaged: (damaged) => {
			tellDamaged(damaged, needs);
		},
		reportNewer: (folders) => {
			reportNewer(folders, log);
		},
		removeFinished: (folders) => finished.removeAll(folders),
		onTrouble: (what, error) => {
			log.error(what, error);
		},
	});
	inBackground(recovering);
	const offering = offerTakeOver(leases);
	leases.left.addEventListener('abort', () => {
		generator.dispose();
		inBackground(tellLeft(log));
	});
	return {
		dispose: () => {
			closing.abort();
			clearInterval(offering);
		},
	};
}

/**
 * Offers once for each host to go on with what waits for it, where nobody can tell from here whether
 * it is still at work: the storage may be shared by several machines or containers.
 */
export function offerTakeOver(leases: Leases, everyMs = 10_000): NodeJS.Timeout {
	const offered = new Set<string>();
	return setInterval(() => {
		for (const [host, images] of leases.unreachableHosts()) {
			if (!offered.has(host)) {
				offered.add(host);
				const what = images === 1 ? 'An image waits' : `${String(images)} images wait`;
				inBackground(
					notify(
						'warning',
						`${what} for a window on ${host}. Easel cannot reach it; take over if it is closed or that machine is off.`,
						[{ label: 'Take Over', run: () => leases.takeOverFrom(host) }],
					),
				);
			}
		}
	}, everyMs).unref();
}

/** Another window goes on with everything. Whoever comes back to this one is told. */
async function tellLeft(log: Log): Promise<void> {
	log.warn(
		'The window does not answer, and another one of this workspace goes on with its images.',
	);
	await windowAnswers();
	await offerReload(
		'Another window of this workspace has taken over the images of this one, which was out of reach. Reload the window to make images in it.',
	);
}

async function takeUp(entry: JobEntry, { generator, log }: Needs): Promise<void> {
	const { state, request } = entry;
	if (isOver(state) && isCertain(state)) {
		await generator.tellAgain(entry, state);
	} else {
		log.info(`${request.id} is taken up again (${state.state}).`);
		await generator.resume(entry);
	}
}

function tellDamaged(damaged: readonly DamagedEntry[], { journal, log }: Needs): void {
	for (const { folder, reason } of damaged) {
		log.error(`An entry of the journal is damaged: ${folder} (${reason})`);
	}
	if (damaged.length === 0) {
		return;
	}
	const images = damaged.filter(({ image }) => image !== undefined).length;
	const kept =
		images === 0
			? 'Nothing of it will be sent.'
			: `${images === 1 ? 'An image lies' : `${String(images)} images lie`} in its folder, in a file named “image” without an extension.`;
	inBackground(
		notify('warning', `Easel found a damaged entry in its journal. ${kept}`, [
			{ label: 'Show Folder', run: () => revealFolderOrFile(vscode.Uri.file(journal.root)) },
		]),
	);
}

/** Jobs of a newer version stay as they are: only that one knows what has become of them. */
function reportNewer(folders: readonly string[], log: Log): void {
	folders.forEach((folder) => {
		log.warn(`A newer version of Easel has made this job, which is left as it is: ${folder}`);
	});
	const what =
		folders.length === 1
			? 'An image was requested with a newer version of Easel, which will go on with it.'
			: `${String(folders.length)} images were requested with a newer version of Easel, which will go on with them.`;
	inBackground(offerReload(`${what} Update Easel if needed, and reload the window.`));
}

/** Why an image of another workspace is not saved. */
function elsewhereWords(
	{ workspaceFolder }: JobEntry['request'],
	problem: string | undefined,
): string {
	const path = workspaceFolder === undefined ? '' : vscode.Uri.parse(workspaceFolder).path;
	const name = path.split('/').at(-1) ?? '';
	return problem === undefined
		? `The image is saved when the folder ${name} is opened again.`
		: `${problem} The image was made for the folder ${name}.`;
}

/**
 * What was queued more than a day ago is perhaps not wanted any more: a person decides. Until then
 * it stays as it is, and is asked about again.
 */
async function askAbout(entries: readonly JobEntry[], { generator, leases }: Needs): Promise<void> {
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
	const many = taken.length > 1;
	const what = many
		? `${String(taken.length)} images were still waiting for their turn when their window was closed, the last one asked for`
		: `The image “${foreignText(last.request.prompt, 60)}” was still waiting for its turn when its window was closed. It was asked for`;
	await notify('warning', `${what} on ${day(last.request.createdAt)}. Nothing was sent.`, [
		{
			label: many ? `Send ${String(taken.length)} Images` : 'Send Now',
			run: async () => {
				await Promise.all(taken.map((entry) => generator.resume(entry)));
			},
		},
		{
			label: 'Discard',
			run: async () => {
				for (const entry of taken) {
					await generator.discard(entry);
				}
			},
		},
	]);
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
