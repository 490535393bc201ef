import path from 'node:path';
import * as vscode from 'vscode';
import { askPickMany, askText, pickLoop } from '../../editor/quickInput.js';
import type { ReadAnnotations } from '../../generation/annotations.js';
import { briefMessages } from '../messages.js';
import type { SavedSlot } from './lineage.js';

interface BriefAnswers {
	/** Empty where the user has not said it. */
	readonly purpose: string;
	readonly alternatives: readonly SavedSlot[];
}

/** Asks what the image is for, and which of the other drafts belong to it; `undefined` for cancel. */
export async function askForBrief(
	alternatives: readonly SavedSlot[],
	marks: ReadAnnotations,
): Promise<BriefAnswers | undefined> {
	const { title } = briefMessages;
	const steps = alternatives.length === 0 ? undefined : 2;
	let text = '';
	const askPurpose = () =>
		askText({
			title,
			step: steps && 1,
			totalSteps: steps,
			prompt: briefMessages.purpose,
			placeholder: briefMessages.purposeExample,
			text,
		});
	return pickLoop(askPurpose, async (purpose) => {
		if (purpose.type !== 'value') {
			return undefined;
		}
		text = purpose.value;
		if (alternatives.length === 0) {
			return { done: { purpose: text.trim(), alternatives } };
		}
		const chosen = await askPickMany({
			title,
			step: 2,
			totalSteps: 2,
			canGoBack: true,
			placeholder: briefMessages.alternatives,
			emptyText: '',
			items: Promise.resolve(alternatives.map((slot) => itemOf(slot, marks))),
			selected: () => true,
		});
		if (chosen?.type === 'value') {
			const slots = chosen.value.map(({ slot }) => slot);
			return { done: { purpose: text.trim(), alternatives: slots } };
		}
		return chosen?.type === 'back' ? 'again' : undefined;
	});
}

function itemOf(slot: SavedSlot, marks: ReadAnnotations) {
	const uri = vscode.Uri.parse(slot.image.target, true);
	const { title = '' } = marks.ofImage(slot.id);
	return {
		label: title === '' ? slot.label : `${slot.label} · ${title}`,
		description: path.posix.basename(uri.path),
		iconPath: uri,
		slot,
	};
}
