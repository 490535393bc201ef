import * as vscode from 'vscode';
import { imageOfArgument } from '../../asking/argument.js';
import { registerCommand, runCommand } from '../../editor/commands.js';
import { notify, runDetached } from '../../editor/messages.js';
import { withJobProgress } from '../../editor/progress.js';
import { safeName, safeText } from '../../editor/untrustedText.js';
import { restoreRest } from '../../generation/restoreRest.js';
import { openImage } from '../../generation/savedImage.js';
import { galleryImageAt, masterOf, originalOf } from '../../library/galleryLookup.js';
import { labels, messages } from '../../messages.js';
import type { Services } from '../../services.js';
import { keepRestMessages } from '../messages.js';

/** "Keep the Rest": gives an edit with marks its original's pixels outside of them, as another image. */
export function registerKeepRest(deps: Services): vscode.Disposable {
	return registerCommand('easel.keepRest', async (target) => {
		const image = await imageOfArgument(target, keepRestMessages.selectImage);
		await (image && keepRestOf(image, deps));
	});
}

async function keepRestOf(shown: vscode.Uri, deps: Services): Promise<void> {
	const { history } = deps;
	await history.untilKnown();
	const uri = await masterOf(shown, history);
	const known = await galleryImageAt(uri, history);
	if (known?.marks === undefined || known.marks.length === 0 || known.keptRest !== undefined) {
		const isRestored = known?.keptRest !== undefined;
		const words = isRestored ? keepRestMessages.isRestored : keepRestMessages.noMarks;
		runDetached(notify('info', words(safeName(uri))));
		return;
	}
	const answer = { ...known, target: uri.toString() };
	const result = await withJobProgress(
		keepRestMessages.title,
		() => safeName(uri),
		() => restoreRest(answer, deps, history),
		false,
	);
	if (result.type === 'whole') {
		runDetached(notify('info', result.note ?? keepRestMessages.allMarked));
		return;
	}
	const { image } = result;
	const restored = vscode.Uri.parse(image.target, true);
	const original = originalOf(image) ?? uri;
	const path = safeText(vscode.workspace.asRelativePath(restored));
	runDetached(
		notify('info', `${keepRestMessages.saved(path)} ${messages.restored(image.keptRest)}`, [
			{
				label: labels.compare,
				run: () => runCommand('easel.compareImages', original, restored),
			},
			{ label: labels.openFile, run: () => openImage(restored) },
		]),
	);
}
