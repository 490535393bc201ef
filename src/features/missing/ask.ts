import path from 'node:path';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { safeText } from '../../editor/untrustedText.js';
import type { Preferences } from '../../editor/preferences.js';
import {
	askPrompt,
	askPromptAndSize,
	oneLine,
	separator,
	sizeWords,
} from '../../generation/questions.js';
import type { Choices } from '../../generation/draft.js';
import type { StyleOption } from '../../generation/styleOption.js';
import { askPick, askText, type Answer, type ValueItem } from '../../editor/quickInput.js';
import { sizeTable, type Size } from '../../service/contract.js';
import { missingMessages } from '../messages.js';

export const { title } = missingMessages;
export const titleOfOne = missingMessages.titleOfOne;

/** One image of the list, as the user has it now. */
export interface Wanted {
	readonly image: MissingImage;
	prompt: string;
	size: Size;
}

/** Asks for prompt and size of one image; `undefined` where that was cancelled. */
export async function askForOne(
	image: MissingImage,
	start: Choices,
	style: StyleOption,
	preferences: Preferences,
): Promise<Choices | undefined> {
	const choices = { ...start };
	const askPrompt = () => askPromptOf(image, choices, style);
	const asked = await askPromptAndSize(choices, {
		title: titleOfOne,
		preferences,
		style,
		askPrompt,
	});
	return asked?.choices;
}

/** Asks for the prompt of one image: its alt text, alone or with what stands around it. */
function askPromptOf(
	{ path: file, reference }: MissingImage,
	choices: Choices,
	style: StyleOption,
): Promise<Answer<ValueItem>> {
	const { alt, heading } = reference;
	// An image alone in its paragraph has nothing around it but its own alt text.
	const paragraph = reference.paragraph === alt ? '' : reference.paragraph;
	const rowOf = (label: string, value: string): ValueItem => ({
		icon: 'book',
		label,
		detail: oneLine(value),
		alwaysShow: true,
		value,
	});
	const contexts = [
		...(heading === undefined
			? []
			: [rowOf(missingMessages.heading, missingMessages.withHeading(alt, heading))]),
		...(paragraph === ''
			? []
			: [rowOf(missingMessages.paragraph, missingMessages.withParagraph(alt, paragraph))]),
		...(heading === undefined || paragraph === ''
			? []
			: [rowOf(missingMessages.both, missingMessages.withBoth(alt, heading, paragraph))]),
	];
	return askPrompt({
		title: titleOfOne,
		placeholder: missingMessages.placeholder(safeText(path.basename(file))),
		text: choices.prompt,
		buttons: style.buttons(choices),
		canWriteInEditor: false,
		more: (text) =>
			contexts.length > 0 && text === alt && alt !== ''
				? [separator(missingMessages.contexts), ...contexts]
				: [],
	});
}

/**
 * Lets the user choose another size for images of the list.
 *
 * @param all one at least
 */
export async function changeSize(all: readonly Wanted[]): Promise<void> {
	const [first] = all;
	const items = sizeTable.map(({ size, ratio, use }) => ({
		label: sizeWords(size),
		description: `${ratio} · ${use}`,
		size,
	}));
	const answer = await askPick({
		title: missingMessages.sizeTitle,
		canGoBack: true,
		placeholder:
			all.length === 1 ? path.basename(first!.image.path) : missingMessages.forAll(all.length),
		items,
		active: items.find(({ size }) => size === first!.size),
		matchOnDescription: true,
	});
	if (answer?.type === 'value') {
		for (const wanted of all) {
			wanted.size = answer.value.size;
		}
	}
}

/** Lets the user say what one image of the list shows; returns whether there is a prompt now. */
export async function changePrompt(wanted: Wanted): Promise<boolean> {
	const answer = await askText({
		title: missingMessages.promptTitle,
		canGoBack: true,
		placeholder: missingMessages.placeholder(safeText(path.basename(wanted.image.path))),
		text: wanted.prompt,
		problem: (text) => (text.trim() === '' ? missingMessages.promptEmpty : undefined),
	});
	if (answer?.type === 'value') {
		wanted.prompt = answer.value.trim();
	}
	return wanted.prompt !== '';
}
