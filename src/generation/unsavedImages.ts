import { posix } from 'node:path';
import * as vscode from 'vscode';
import { confirm, notify, runDetached, showError } from '../editor/messages.js';
import { isFolderGone } from '../files/exists.js';
import { deliver, removeFiles } from '../jobs/deliver.js';
import { now, readState, windowLease, type JobEntry } from '../jobs/jobFolder.js';
import { persistState } from '../jobs/persistState.js';
import type { StateNamed } from '../jobs/state.js';
import { chosenDestination, destinations } from './destination.js';
import { nameOf, targetOf } from './draft.js';
import type { UnsavedImage } from './jobList.js';
import { labels, messages } from './messages.js';
import type { GeneratorServices } from './generatorServices.js';

/** Asks where an unsaved image is to be saved; `undefined` where the user cancels. */
export async function askForTarget({
	entry,
	state,
}: UnsavedImage): Promise<vscode.Uri | undefined> {
	const target = targetOf(entry.request.target);
	const { folder, root } = target;
	const { extension } = state.result;
	return vscode.window.showSaveDialog({
		title: labels.saveImageAs,
		// The folder is what did not work, so another one is suggested.
		defaultUri: vscode.Uri.joinPath(root ?? folder, nameOf(target) + extension),
		filters: { Images: [extension.slice(1)] },
	});
}

/**
 * Saves an unsaved image where it belongs, or where the user has chosen.
 *
 * @returns its new state; `undefined` where another window has it
 */
export async function deliverUnsaved(
	{ entry, state }: UnsavedImage,
	services: GeneratorServices,
	chosen?: vscode.Uri,
): Promise<StateNamed<'saved' | 'received'> | undefined> {
	const destination =
		chosen === undefined
			? destinations.destinationFor(entry.request, state.result)
			: chosenDestination(chosen);
	return whileOwned(entry, services, () => deliver(entry, state, services, destination));
}

export async function discardUnsaved(
	{ entry, state }: UnsavedImage,
	services: GeneratorServices,
): Promise<void> {
	const { folder, request } = entry;
	const name = posix.basename(nameOf(request.target));
	if (!(await confirm(messages.discardImage(name), messages.discardImageDetail, labels.discard))) {
		return;
	}
	const isDiscarded = await whileOwned(entry, services, async () => {
		const { attempts } = state;
		const end = { state: 'discarded', attempts, changedAt: now(), notified: true } as const;
		if (await persistState(folder, end)) {
			await removeFiles({ ...entry, state });
		}
		return true;
	});
	if (isDiscarded) {
		services.jobs.forget(request.id);
		runDetached(services.finished.remove(folder));
	}
}

/**
 * Does what only one window may do with an unsaved image: another one may be saving it just now. A
 * reload waits for it.
 *
 * @returns the task's result; `undefined` where another window has the image, which is shown
 */
async function whileOwned<T>(
	{ folder, request }: JobEntry,
	{ jobs, leases }: GeneratorServices,
	task: () => Promise<T>,
): Promise<T | undefined> {
	const showSaved = async () => {
		jobs.forget(request.id);
		await notify('info', messages.savedElsewhere);
		return undefined;
	};
	try {
		const lease = await leases.acquire(folder, windowLease);
		if (lease === 'held' || lease === 'unknown') {
			await notify('info', messages.otherWindow);
			return undefined;
		}
		return (await readState(folder)).state === 'received'
			? await leases.during(task)
			: await showSaved();
	} catch (error) {
		// Another window was quicker; by now it may have removed the job.
		if (await isFolderGone(error, folder)) {
			return showSaved();
		}
		showError(error);
		return undefined;
	}
}
