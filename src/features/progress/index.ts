import * as vscode from 'vscode';
import { registerCommand, registerHoverLink, runCommand } from '../../editor/commands.js';
import { notify, runDetached } from '../../editor/messages.js';
import { openDraft } from '../../asking/waiting.js';
import { discardDraft } from '../../generation/discardDraft.js';
import { cancelCommand } from '../../generation/placeNote.js';
import type { NewDraft } from '../../library/newDrafts.js';
import type { Services } from '../../services.js';
import { documentMessages } from '../messages.js';
import { showWaiting } from './list.js';
import { showNotes } from './notes.js';

/**
 * While an image is made, its place in the document shows how far it is, and lets it be cancelled; a new
 * draft is shown at its original until it is decided. One command lists all that waits.
 */
export function registerProgress(deps: Services): vscode.Disposable {
	const ofDraft = (run: (draft: NewDraft) => Promise<unknown>) => async (id: unknown) => {
		const draft = deps.newDrafts.find(String(id));
		await (draft === undefined ? notify('info', documentMessages.decided) : run(draft));
	};
	return vscode.Disposable.from(
		showNotes(deps),
		registerHoverLink(cancelCommand, (id) => cancel(id, deps)),
		registerHoverLink('_easel.openDraft', ofDraft(openDraft)),
		registerHoverLink('_easel.useDraft', ofDraft(useDraft)),
		registerHoverLink(
			'_easel.discardDraft',
			ofDraft(({ images: [image] }) => discardDraft(vscode.Uri.parse(image.target, true), deps)),
		),
		registerCommand('easel.showImagesInProgress', () => showWaiting(deps)),
	);
}

async function useDraft({ images: [image] }: NewDraft): Promise<void> {
	await runCommand('easel.replaceImage', vscode.Uri.parse(image.target, true));
}

function cancel(id: unknown, { jobs }: Services): void {
	const job = jobs.running.find(({ request }) => request.id === id);
	if (job === undefined) {
		runDetached(notify('info', documentMessages.notRunning));
	} else {
		job.cancel();
	}
}
