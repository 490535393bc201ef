import { posix } from 'node:path';
import * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../editor/commands.js';
import { uriExists } from '../../editor/files.js';
import { safeText } from '../../editor/untrustedText.js';
import { targetImage } from '../../editor/targetImage.js';
import { runDetached, notify, withErrorMessage } from '../../editor/messages.js';
import { ensureReady } from '../../editor/service.js';
import { requestToRegenerate } from '../../generation/draft.js';
import { asUri } from '../../generation/argument.js';
import { galleryImageAt } from '../../generation/galleryLookup.js';
import type { Services } from '../../generation/services.js';
import { runRequestCommand } from '../../generation/requestCommands.js';
import { draftAgain } from '../../generation/target.js';
import type { ImageRequest, RequestReference } from '../../jobs/request.js';
import { regenerateMessages } from '../messages.js';
import { commandTitles } from '../../editor/commandTable.js';

type Deps = Pick<Services, 'gallery' | 'keys'>;

/**
 * "Regenerate…": another try of an image. It asks as the first try has asked, with everything as it
 * was, and nothing is sent before that; the new image goes beside the first one.
 */
export function registerRegenerate(deps: Deps): vscode.Disposable {
	return registerCommand('easel.regenerateImage', async (target) => {
		const image = await targetImage(typeof target === 'string' ? asUri(target) : target);
		if (image === undefined) {
			runDetached(notify('info', regenerateMessages.selectImage));
			return;
		}
		await withErrorMessage(() => askAgain(image, deps));
	});
}

async function askAgain(uri: vscode.Uri, { gallery, keys }: Deps): Promise<void> {
	const image = await galleryImageAt(uri, gallery);
	if (image === undefined) {
		tellUnknown(uri);
		return;
	}
	if (await ensureReady(keys)) {
		const request = requestToRegenerate(uri, image);
		const usable = request.operation === 'generate' ? await withoutGone(request) : request;
		await runRequestCommand('change', usable.operation, await draftAgain(usable));
	}
}

/** Its request is known for images of the gallery alone. */
function tellUnknown(uri: vscode.Uri): void {
	const name = safeText(posix.basename(uri.path));
	runDetached(
		notify('info', regenerateMessages.unknown(name), [
			{
				label: commandTitles['easel.editWithPrompt'],
				run: async () => {
					await runCommand('easel.editWithPrompt', uri);
				},
			},
		]),
	);
}

/**
 * Leaves out reference images that are gone, and names them: a new image can be made without. An edit
 * cannot; it says so itself, and offers others.
 */
async function withoutGone(request: ImageRequest): Promise<ImageRequest> {
	const there: RequestReference[] = [];
	const gone: vscode.Uri[] = [];
	for (const reference of request.references) {
		const uri = vscode.Uri.parse(reference.source, true);
		// What cannot be looked at now may well be there.
		if (await uriExists(uri).catch(() => true)) {
			there.push(reference);
		} else {
			gone.push(uri);
		}
	}
	if (gone.length > 0) {
		const names = gone.map(({ path }) => safeText(posix.basename(path)));
		runDetached(notify('warning', regenerateMessages.missingReferences(names)));
	}
	return { ...request, references: there };
}
