import { posix } from 'node:path';
import * as vscode from 'vscode';
import { wordsOf } from '../../editor/errorTexts.js';
import type { Choices, Draft } from '../../generation/draft.js';
import { askReferences } from '../../generation/options.js';
import {
	askForImages,
	oneLine,
	recentPrompts,
	separator,
	type PromptAnswer,
	type PromptItem,
} from '../../generation/questions.js';
import type { Services } from '../../generation/services.js';
import { StyleOption } from '../../generation/styleOption.js';
import { safeText } from '../../editor/untrustedText.js';
import { runDetached, notify } from '../../editor/messages.js';
import { inputButton } from '../../editor/quickInput.js';
import { isNamedByFormat, type ImageFacts } from '../../images/inspect.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import { nearestSize, type Size } from '../../service/contract.js';
import { editMessages } from '../messages.js';
import { inspectAll, type Facts } from './validReferences.js';

/** Above this a note says that the service may refuse; it names no limit (specification, "Limits"). */
const manyBytes = 20 * 1024 * 1024;

const { title } = editMessages;

const earlierButton = inputButton('arrow-up', editMessages.moveUp);
const laterButton = inputButton('arrow-down', editMessages.moveDown);
const removeButton = inputButton('close', editMessages.remove);

type EditItem = PromptItem & { readonly reference?: vscode.Uri };

const addItem: EditItem = {
	icon: 'add',
	label: editMessages.addReferences,
	alwaysShow: true,
	value: 'add',
	does: 'more',
};

/**
 * Asks for the instruction, with the reference images in view; Enter edits. Returns `undefined` where
 * the user cancelled.
 *
 * @param draft its choices are changed
 * @param facts of every reference, by its URI; what is added is added here too
 */
export async function askForEdit(
	draft: Draft,
	facts: Facts,
	{ preferences, styles }: Services,
): Promise<PromptAnswer | undefined> {
	const style = await StyleOption.of(draft.context.workspaceFolder, styles);
	const { choices } = draft;
	let proposal = nearestToFirst(choices, facts);
	// Another image may stand first now; a size that was chosen on purpose stays.
	const followFirst = () => {
		const nearest = nearestToFirst(choices, facts);
		choices.size = choices.size === proposal ? (nearest ?? choices.size) : choices.size;
		proposal = nearest;
	};
	const recent = recentPrompts(preferences, 'edit', editMessages.recent);
	return askForImages(draft, {
		title,
		placeholder: editMessages.placeholder,
		verb: editMessages.verb,
		preferences,
		style,
		options: ['size', 'count'],
		sizeReason: () => {
			const first = firstOf(choices, facts);
			return first && choices.size === proposal ? sizeReason(first, choices.size) : undefined;
		},
		more: (text) => [
			separator(referenceHeading(choices, facts)),
			...choices.references.map((uri, index) => referenceItem(uri, index, choices, facts)),
			addItem,
			...recent(text),
		],
		press: async () => {
			const goesOn = await addReferences(choices, facts);
			followFirst();
			return goesOn ? 'again' : undefined;
		},
		onItemButton: ({ reference }: EditItem, button) => {
			if (reference !== undefined) {
				rearrange(choices, reference, button);
				followFirst();
			}
		},
	});
}

/** Lets the user add images; what is none is left out, with a message. */
async function addReferences(choices: Choices, facts: Facts): Promise<boolean> {
	const before = choices.references;
	if (!(await askReferences(title, choices))) {
		return false;
	}
	const problems = await inspectAll(choices.references, facts);
	for (const problem of problems.values()) {
		runDetached(notify('warning', editMessages.leftOut(safeText(wordsOf(problem)))));
	}
	const usable = choices.references.filter((uri) => !problems.has(uri));
	// Without any reference it would be no edit.
	choices.references = usable.length > 0 ? usable : before;
	return true;
}

function referenceItem(
	uri: vscode.Uri,
	index: number,
	{ references }: Choices,
	facts: Facts,
): EditItem {
	const path = vscode.workspace.asRelativePath(uri);
	const folder = posix.dirname(path);
	const image = facts.get(uri.toString());
	const words = image && `${readableDimensions(image)} · ${readableSize(image.bytes)}`;
	const isOther = image !== undefined && !isNamedByFormat(path, image);
	return {
		icon: 'file-media',
		label: oneLine(posix.basename(path)),
		description: [isOther && image.format.toUpperCase(), words, folder === '.' ? undefined : folder]
			.filter(Boolean)
			.join(' · '),
		alwaysShow: true,
		reference: uri,
		buttons: [
			...(index > 0 ? [earlierButton] : []),
			...(index < references.length - 1 ? [laterButton] : []),
			...(references.length > 1 ? [removeButton] : []),
		],
	};
}

function rearrange(choices: Choices, reference: vscode.Uri, button: vscode.QuickInputButton): void {
	const references = [...choices.references];
	const index = references.findIndex((uri) => uri.toString() === reference.toString());
	references.splice(index, 1);
	if (button !== removeButton) {
		references.splice(button === earlierButton ? index - 1 : index + 1, 0, reference);
	}
	choices.references = references;
}

function sizeReason({ width, height }: ImageFacts, size: Size): string {
	return size === `${String(width)}x${String(height)}`
		? editMessages.sameSize
		: editMessages.nearestSize(readableDimensions({ width, height }));
}

function referenceHeading({ references }: Choices, facts: Facts): string {
	const bytes = references.reduce((sum, uri) => sum + (facts.get(uri.toString())?.bytes ?? 0), 0);
	const words = editMessages.references(references.length);
	return bytes > manyBytes ? editMessages.largeReferences(words, readableSize(bytes)) : words;
}

/** What the first reference is; the result goes beside it and takes its ratio. */
function firstOf({ references: [first] }: Choices, facts: Facts): ImageFacts | undefined {
	return first && facts.get(first.toString());
}

function nearestToFirst(choices: Choices, facts: Facts): Size | undefined {
	const first = firstOf(choices, facts);
	return first && nearestSize(first);
}
