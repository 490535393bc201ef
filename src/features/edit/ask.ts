import { posix } from 'node:path';
import * as vscode from 'vscode';
import { wordsOf } from '../../editor/errorTexts.js';
import type { Choices } from '../../generation/draft.js';
import {
	askCount,
	askPrompt,
	askPromptAndSize,
	askReferences,
	oneLine,
	recentPrompts,
	separator,
	summaryOf,
	type Asked,
} from '../../generation/questions.js';
import type { StyleOption } from '../../generation/styleOption.js';
import { inspectUri } from '../../editor/images.js';
import type { Preferences } from '../../editor/preferences.js';
import { foreignText } from '../../editor/untrustedText.js';
import { runDetached, notify } from '../../editor/messages.js';
import type { Answer, ValueItem } from '../../editor/quickInput.js';
import { ImageError, isNamedByFormat, type ImageFacts } from '../../images/inspect.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import { nearestSize, type Size } from '../../service/contract.js';
import { editMessages } from '../messages.js';

/** Above this a note says that the service may refuse; it names no limit (specification, "Limits"). */
const manyBytes = 20 * 1024 * 1024;

const { title } = editMessages;

const countButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('multiple-windows'),
	tooltip: editMessages.numberOfImages,
};
const earlierButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('arrow-up'),
	tooltip: editMessages.moveUp,
};
const laterButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('arrow-down'),
	tooltip: editMessages.moveDown,
};
const removeButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('close'),
	tooltip: editMessages.remove,
};

type Facts = Map<string, ImageFacts>;

interface Question {
	readonly preferences: Preferences;
	readonly style: StyleOption;
}

interface EditItem extends ValueItem {
	/** The reference image that the item stands for. */
	readonly reference?: vscode.Uri;
}

/** Stands for the item that adds reference images, beside prompts. */
const addItem: EditItem = {
	icon: 'add',
	label: editMessages.addReferences,
	alwaysShow: true,
	value: '\0add',
};

/**
 * Asks for the instruction, with the reference images in view, then for the size. Enter, Enter is
 * enough. Returns `undefined` where the user cancelled.
 *
 * @param facts of every reference, by its URI; what is added is added here too
 */
export async function askForEdit(
	start: Choices,
	facts: Facts,
	{ preferences, style }: Question,
): Promise<Asked | undefined> {
	const choices = { ...start };
	let proposal = nearestToFirst(choices, facts);
	return askPromptAndSize<EditItem>(choices, {
		title,
		preferences,
		style,
		askPrompt: () => askInstruction(choices, facts, { preferences, style }),
		besideSizes: () => {
			// Another image may stand first now; a size that was chosen on purpose stays.
			const nearest = nearestToFirst(choices, facts);
			choices.size = choices.size === proposal ? (nearest ?? choices.size) : choices.size;
			proposal = nearest;
			const first = firstOf(choices, facts);
			const isNearest = first !== undefined && choices.size === nearest;
			return { reason: isNearest ? sizeReason(first, proposal) : undefined };
		},
		press: async (pressed) => {
			switch (pressed) {
				case addItem:
					return addReferences(choices, facts);
				case countButton:
					return askCount(title, choices);
				default:
					return undefined;
			}
		},
	});
}

function askInstruction(
	choices: Choices,
	facts: Facts,
	{ preferences, style }: Question,
): Promise<Answer<EditItem>> {
	const recent = recentPrompts(preferences, 'edit', editMessages.recent);
	return askPrompt<EditItem>({
		title,
		placeholder: editMessages.placeholder,
		text: choices.prompt,
		summary: () => summaryOf(choices, style),
		more: (text) => {
			// Whatever is typed last is there again after images were added.
			choices.prompt = text;
			return [
				separator(referenceHeading(choices, facts)),
				...choices.references.map((uri, index) => referenceItem(uri, index, choices, facts)),
				addItem,
				...recent(text),
			];
		},
		buttons: [countButton, ...style.buttons(choices)],
		onItemButton: ({ reference }, button) => {
			if (reference !== undefined) {
				rearrange(choices, reference, button);
			}
		},
	});
}

/** Lets the user add images; what is none is told and left out. */
async function addReferences(choices: Choices, facts: Facts): Promise<boolean> {
	const before = choices.references;
	if (!(await askReferences(title, choices))) {
		return false;
	}
	const usable: vscode.Uri[] = [];
	for (const uri of choices.references) {
		try {
			facts.set(uri.toString(), facts.get(uri.toString()) ?? (await inspectUri(uri)));
			usable.push(uri);
		} catch (error) {
			if (!(error instanceof ImageError)) {
				throw error;
			}
			runDetached(notify('warning', editMessages.leftOut(foreignText(wordsOf(error)))));
		}
	}
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

function sizeReason({ width, height }: ImageFacts, size: string | undefined): string {
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
