import type * as vscode from 'vscode';
import { notify, runDetached } from '../../editor/messages.js';
import { safeName } from '../../editor/untrustedText.js';
import { imageOfArgument } from '../../asking/argument.js';
import { galleryImageAt, originalBeside } from '../../library/galleryLookup.js';
import { discardDraft } from '../../generation/discardDraft.js';
import { runRequestCommand } from '../../asking/requestCommands.js';
import type { Services } from '../../services.js';
import type { Decision, Side } from '../../protocol/compare.js';
import { compareMessages } from '../messages.js';

/** An image that was made from the other one of two, or is another try of it. */
type MadePair = NonNullable<Awaited<ReturnType<typeof madePair>>>;

/**
 * Returns which of two images was made from the other one, and whether it is another try and no edit;
 * `undefined` where none was.
 */
export async function madePair(
	{ left, right }: Readonly<Record<Side, vscode.Uri>>,
	{ history }: Services,
) {
	const pairs = [
		{ side: 'right', made: right, original: left },
		{ side: 'left', made: left, original: right },
	] as const;
	for (const pair of pairs) {
		const original = await originalBeside(pair.made, history);
		if (original?.toString() === pair.original.toString()) {
			const image = await galleryImageAt(pair.made, history);
			return { ...pair, isRegenerated: image?.regeneratedFrom !== undefined };
		}
	}
	return undefined;
}

/** Does what was decided; returns whether nothing is left to decide. */
export async function carryOut(
	decision: Decision,
	{ made, original }: MadePair,
	deps: Services,
): Promise<boolean> {
	switch (decision) {
		case 'keepBoth':
			await deps.newDrafts.keep([made]);
			return true;
		case 'replace':
			return runRequestCommand('replaceOriginal', 'edit', original, made);
		case 'discard':
			return discardDraft(made, deps);
	}
}

/**
 * "Use New": puts an image in the place of the one that it is known to come from. Returns
 * the image, which is gone from its own place then; `undefined` where nothing was replaced.
 */
export async function replaceImage(
	target: vscode.Uri | string | undefined,
	{ history }: Services,
): Promise<vscode.Uri | undefined> {
	const image = await imageOfArgument(target, compareMessages.selectNew);
	if (image === undefined) {
		return undefined;
	}
	const original = await originalBeside(image, history);
	if (original === undefined) {
		runDetached(notify('info', compareMessages.noOriginal(safeName(image))));
		return undefined;
	}
	return (await runRequestCommand('replaceOriginal', 'edit', original, image)) ? image : undefined;
}
