import path from 'node:path';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { foreignText } from '../../editor/foreignText.js';
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

export const title = 'Generate Missing Images';
export const titleOfOne = 'Generate Missing Image';

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
			: [rowOf('With its heading', `${alt}. For the part “${heading}”.`)]),
		...(paragraph === ''
			? []
			: [rowOf('With its paragraph', `${alt}. It illustrates: ${paragraph}`)]),
		...(heading === undefined || paragraph === ''
			? []
			: [rowOf('With both', `${alt}. For the part “${heading}”, which says: ${paragraph}`)]),
	];
	return askPrompt({
		title: titleOfOne,
		placeholder: `What ${foreignText(path.basename(file))} should show`,
		text: choices.prompt,
		buttons: style.buttons(choices),
		canWriteInEditor: false,
		emptyText: 'Type what the image should show',
		more: (text) =>
			contexts.length > 0 && text === alt && alt !== ''
				? [separator('adds from the document'), ...contexts]
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
		title: `${title}: Size`,
		canGoBack: true,
		placeholder:
			all.length === 1
				? path.basename(first!.image.path)
				: `For all ${all.length.toLocaleString('en-US')} images`,
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
		title: `${title}: Prompt`,
		canGoBack: true,
		placeholder: `What ${foreignText(path.basename(wanted.image.path))} should show`,
		text: wanted.prompt,
		problem: (text) => (text.trim() === '' ? 'Say what the image should show.' : undefined),
	});
	if (answer?.type === 'value') {
		wanted.prompt = answer.value.trim();
	}
	return wanted.prompt !== '';
}
