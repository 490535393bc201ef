import * as vscode from 'vscode';
import { commandButton, registerCommand } from '../../editor/commands.js';
import { mayExist } from '../../editor/files.js';
import { notify, runDetached } from '../../editor/messages.js';
import { ensureReady } from '../../editor/service.js';
import { safeName } from '../../editor/untrustedText.js';
import { requestToRegenerate } from '../../asking/draft.js';
import { imageOfArgument } from '../../asking/argument.js';
import { galleryImageAt, masterOf } from '../../library/galleryLookup.js';
import { runRequestCommand } from '../../asking/requestCommands.js';
import type { Services } from '../../services.js';
import { draftAgain } from '../../asking/target.js';
import type { ImageRequest, RequestReference } from '../../jobs/request.js';
import { regenerateMessages } from '../messages.js';

/**
 * "Regenerate…": another try of an image. It asks as the first try has asked, with everything as it
 * was, and nothing is sent before that; the new image goes beside the first one.
 */
export function registerRegenerate(deps: Services): vscode.Disposable {
	return registerCommand('easel.regenerateImage', async (target) => {
		const image = await imageOfArgument(target, regenerateMessages.selectImage);
		await (image && regenerate(image, deps));
	});
}

async function regenerate(shown: vscode.Uri, { history, keys }: Services): Promise<void> {
	await history.untilKnown();
	const uri = await masterOf(shown, history);
	const image = await galleryImageAt(uri, history);
	if (image === undefined) {
		const edit = commandButton('easel.editWithPrompt', uri);
		runDetached(notify('info', regenerateMessages.unknown(safeName(uri)), [edit]));
		return;
	}
	if (await ensureReady(keys)) {
		const request = requestToRegenerate(uri, image);
		const usable = request.operation === 'generate' ? await withoutMissing(request) : request;
		await runRequestCommand('change', usable.operation, await draftAgain(usable));
	}
}

/**
 * Leaves out reference images that are missing, and names them: a new image can be made without. An
 * edit cannot; it says so itself, and offers others.
 */
async function withoutMissing(request: ImageRequest): Promise<ImageRequest> {
	const references: RequestReference[] = [];
	const missing: string[] = [];
	for (const reference of request.references) {
		const uri = vscode.Uri.parse(reference.source, true);
		if (await mayExist(uri)) {
			references.push(reference);
		} else {
			missing.push(safeName(uri));
		}
	}
	if (missing.length > 0) {
		runDetached(notify('warning', regenerateMessages.missingReferences(missing)));
	}
	return { ...request, references };
}
