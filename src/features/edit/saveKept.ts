import { posix } from 'node:path';
import * as vscode from 'vscode';
import { exchange, putNew } from '../../editor/exchange.js';
import { placeOf } from '../../editor/filePlaces.js';
import type { KeptFiles } from '../../editor/keptFiles.js';
import type { Button } from '../../editor/messages.js';
import { freeName } from './replacedName.js';
import { openInFront } from './replacementMessages.js';
import type { Replacement, Shown } from './replacementRecords.js';

/**
 * Offers to save an image of a replacement that is kept; nothing where it is not any more.
 *
 * @param failed tells a failure; the button that it is given tries again
 */
export async function saveButtons(
	kept: KeptFiles,
	replacement: Replacement,
	wanted: Shown,
	failed: (target: vscode.Uri, error: unknown, again: Button) => Promise<void>,
): Promise<Button[]> {
	const { original, edited, originalSha256, editedSha256 } = replacement;
	const [label, sha256, suggested] =
		wanted === 'original'
			? ['Save the Original As…', originalSha256, original]
			: ['Save the Edited Image As…', editedSha256, edited];
	const button: Button = {
		label,
		run: async () => {
			const target = await vscode.window.showSaveDialog({
				title: label.slice(0, -1),
				defaultUri: await freeName(suggested),
				filters: { Images: [posix.extname(suggested.path).slice(1)] },
			});
			if (target === undefined) {
				return;
			}
			try {
				await save(kept, sha256, target);
				await openInFront(target);
			} catch (error) {
				await failed(target, error, button);
			}
		},
	};
	return (await kept.holds(sha256)) ? [button] : [];
}

/** Over another file, too: the dialog has asked. What was there is kept. */
async function save(kept: KeptFiles, sha256: string, target: vscode.Uri): Promise<void> {
	const place = placeOf(target);
	const there = await place.keep(kept);
	if (there === undefined) {
		await putNew(place, kept, sha256);
	} else if (there !== sha256) {
		await exchange(place, kept, there, sha256);
	}
}
