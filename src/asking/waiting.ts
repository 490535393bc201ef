import * as vscode from 'vscode';
import { runCommand } from '../editor/commands.js';
import { safeName } from '../editor/untrustedText.js';
import type { OpenQuestions } from '../generation/openQuestions.js';
import type { NewDraft, NewDrafts } from '../library/newDrafts.js';
import { phrases } from '../messages.js';
import { oneLine } from './questions.js';

/** A question or a choice that waits for the user. */
export interface Waiting {
	readonly id: string;
	readonly icon: 'question' | 'git-compare';
	/** Subject, in a line. */
	readonly label: string;
	/** Opens it. */
	readonly run: () => Promise<void>;
}

/** Returns the questions of agents and the new drafts, the most urgent first. */
export function waitingForUser({
	questions,
	newDrafts,
}: {
	readonly questions: Pick<OpenQuestions, 'all'>;
	readonly newDrafts: Pick<NewDrafts, 'all'>;
}): readonly Waiting[] {
	return [
		...questions.all.map(({ id, title, show }) => ({
			...({ id, icon: 'question', label: title } as const),
			run: show,
		})),
		...newDrafts.all.map((draft) => ({
			...({ id: draft.images[0].id, icon: 'git-compare' } as const),
			label: draftWords(draft),
			run: () => openDraft(draft),
		})),
	];
}

function draftWords(draft: NewDraft): string {
	const [first] = draft.images;
	return draft.type === 'new'
		? phrases.compareNewDraft(safeName(draft.original))
		: phrases.chooseAmongDrafts(draft.images.length, oneLine(first.prompt, 60));
}

/** Opens the comparison or the choice that a draft waits for. */
export async function openDraft(draft: NewDraft): Promise<void> {
	const file = vscode.Uri.parse(draft.images[0].target, true);
	await (draft.type === 'new'
		? runCommand('easel.compareImages', draft.original, file)
		: runCommand('easel.chooseDraft', file));
}
