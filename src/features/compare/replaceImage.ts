import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { safeText } from '../../editor/untrustedText.js';
import { targetImage } from '../../editor/targetImage.js';
import { runDetached, notify } from '../../editor/messages.js';
import { asUri } from '../../generation/argument.js';
import { originalBeside } from '../../generation/galleryLookup.js';
import { runRequestCommand } from '../../generation/requestCommands.js';
import type { Gallery } from '../../jobs/gallery.js';
import { compareMessages } from '../messages.js';

/**
 * "Replace Original": puts an image in the place of the one that it is known to come from.
 *
 * @param images those that are known
 * @param onReplaced called when it is there
 */
export async function replaceImage(
	target: vscode.Uri | string | undefined,
	images: Pick<Gallery, 'list'>,
	onReplaced: (made: vscode.Uri) => void,
): Promise<void> {
	const image = await targetImage(typeof target === 'string' ? asUri(target) : target);
	if (image === undefined) {
		tell(compareMessages.selectNew);
		return;
	}
	const original = await originalBeside(image, images);
	if (original === undefined) {
		const name = safeText(posix.basename(image.path));
		tell(compareMessages.noOriginal(name));
		return;
	}
	await runRequestCommand('replaceOriginal', 'edit', original, image, () => {
		onReplaced(image);
	});
}

function tell(text: string): void {
	runDetached(notify('info', text));
}
