import { posix } from 'node:path';
import type * as vscode from 'vscode';
import { safeText } from '../../editor/untrustedText.js';
import { runDetached, notify } from '../../editor/messages.js';
import { galleryImageAt, originalBeside } from '../../generation/galleryLookup.js';
import type { Services } from '../../generation/services.js';
import { runRequestCommand } from '../../generation/requestCommands.js';
import type { Decision, Side } from '../../protocol/compare.js';
import { compareMessages } from '../messages.js';
import { labels } from '../../generation/messages.js';

export type DecisionDeps = Pick<Services, 'history' | 'deletedImages'>;

/** An image that was made from the other one of two, or is another try of it. */
interface MadePair {
	readonly side: Side;
	readonly made: vscode.Uri;
	readonly original: vscode.Uri;
}

/** Which of two images was made from the other one; `undefined` where none was. */
export async function madePair(
	images: Readonly<Record<Side, vscode.Uri>>,
	history: DecisionDeps['history'],
): Promise<MadePair | undefined> {
	const pairs = [
		{ side: 'right', made: images.right, original: images.left },
		{ side: 'left', made: images.left, original: images.right },
	] as const;
	for (const pair of pairs) {
		const original = await originalBeside(pair.made, history);
		if (original?.toString() === pair.original.toString()) {
			return pair;
		}
	}
	return undefined;
}

/** @param done called when nothing is left to decide */
export async function carryOut(
	decision: Decision,
	{ made, original }: MadePair,
	deps: DecisionDeps,
	done: () => void,
): Promise<void> {
	switch (decision) {
		case 'keepBoth':
			done();
			return;
		case 'replace':
			await runRequestCommand('replaceOriginal', 'edit', original, made, done);
			return;
		case 'discard':
			await discard(made, deps, done);
	}
}

async function discard(
	made: vscode.Uri,
	{ history, deletedImages }: DecisionDeps,
	done: () => void,
): Promise<void> {
	const known = await galleryImageAt(made, history);
	const name = safeText(posix.basename(made.path));
	if (known === undefined) {
		runDetached(notify('warning', compareMessages.changedNotDeleted(name)));
		return;
	}
	// It may lie elsewhere than it was saved.
	const image = { ...known, target: made.toString() };
	if (!(await deletedImages.remove(image))) {
		return;
	}
	done();
	const undo = async () => {
		const note = await deletedImages.restore(image.id);
		if (note !== undefined) {
			runDetached(notify('warning', note));
		}
	};
	runDetached(notify('info', compareMessages.deleted(name), [{ label: labels.undo, run: undo }]));
}
