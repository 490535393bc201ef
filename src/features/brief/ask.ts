import path from 'node:path';
import * as vscode from 'vscode';
import { askPickMany } from '../../editor/pickMany.js';
import { askText } from '../../editor/quickInput.js';
import type { ImageLineage, SavedSlot } from './lineage.js';
import { briefMessages } from '../messages.js';

/** What a person says to a brief. */
interface Said {
	/** Empty where nobody has said it. */
	readonly purpose: string;
	readonly alternatives: readonly SavedSlot[];
}

/** Asks what the image is for, and which of the other drafts belong to it; `undefined` for cancel. */
export async function askForBrief({
	alternatives,
	marks,
}: Pick<ImageLineage, 'alternatives' | 'marks'>): Promise<Said | undefined> {
	let text = '';
	const steps = alternatives.length === 0 ? undefined : 2;
	for (;;) {
		const purpose = await askText({
			title: briefMessages.title,
			step: steps && 1,
			totalSteps: steps,
			prompt: briefMessages.purpose,
			placeholder: briefMessages.purposeExample,
			text,
		});
		if (purpose?.type !== 'value') {
			return undefined;
		}
		text = purpose.value;
		if (alternatives.length === 0) {
			return { purpose: text.trim(), alternatives };
		}
		const chosen = await askPickMany({
			title: briefMessages.title,
			step: 2,
			totalSteps: 2,
			canGoBack: true,
			placeholder: briefMessages.alternatives,
			emptyText: '',
			items: Promise.resolve(alternatives.map((slot) => itemOf(slot, marks))),
			selected: () => true,
		});
		if (chosen?.type === 'value') {
			return { purpose: text.trim(), alternatives: chosen.value.map(({ slot }) => slot) };
		}
		if (chosen?.type !== 'back') {
			return undefined;
		}
	}
}

function itemOf(slot: SavedSlot, marks: ImageLineage['marks']) {
	const uri = vscode.Uri.parse(slot.image.target, true);
	const { title = '' } = marks.ofImage(slot.id);
	return {
		label: title === '' ? slot.label : `${slot.label} · ${title}`,
		description: path.posix.basename(uri.path),
		iconPath: uri,
		slot,
	};
}
