import path from 'node:path';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { foreignText } from '../../editor/foreignText.js';
import { askPrompt, oneLine, separator, sizeWords } from '../../generation/questions.js';
import type { Choices } from '../../generation/order.js';
import type { StyleOption } from '../../generation/styleOption.js';
import { askPick, askText, type Answer, type ValueItem } from '../../editor/quickInput.js';
import { sizeTable, type Size } from '../../service/contract.js';
import { missingMessages } from '../messages.js';

export const { title } = missingMessages;

/** One image of the list, as the user has it now. */
export interface Wanted {
	readonly image: MissingImage;
	prompt: string;
	size: Size;
}

/** Asks for the prompt of one image: its alt text, alone or with what stands around it. */
export function askPromptOf(
	{ path: file, reference }: MissingImage,
	choices: Choices,
	style: StyleOption,
): Promise<Answer<ValueItem>> {
	const { alt, heading } = reference;
	// An image alone in its paragraph has nothing around it but its own alt text.
	const paragraph = reference.paragraph === alt ? '' : reference.paragraph;
	const contexts = [
		heading === undefined ? [] : [missingMessages.withHeading(alt, heading)],
		paragraph === '' ? [] : [missingMessages.withParagraph(alt, paragraph)],
		heading === undefined || paragraph === ''
			? []
			: [missingMessages.withBoth(alt, heading, paragraph)],
	].flat();
	return askPrompt({
		title,
		placeholder: missingMessages.placeholder(foreignText(path.basename(file))),
		text: choices.prompt,
		buttons: style.buttons(choices),
		more: (text) =>
			contexts.length > 0 && text === alt && alt !== ''
				? [
						separator(missingMessages.context),
						...contexts.map((context) => ({
							icon: 'book',
							label: oneLine(context),
							alwaysShow: true,
							value: context,
						})),
					]
				: [],
	});
}

/** Lets the user choose another size of one image of the list. */
export async function changeSize(wanted: Wanted): Promise<void> {
	const items = sizeTable.map(({ size, ratio, use }) => ({
		label: sizeWords(size),
		description: `${ratio} · ${use}`,
		size,
	}));
	const answer = await askPick({
		title: `${title}: Size`,
		canGoBack: true,
		placeholder: path.basename(wanted.image.path),
		items,
		active: items.find(({ size }) => size === wanted.size),
		matchOnDescription: true,
	});
	if (answer?.type === 'value') {
		wanted.size = answer.value.size;
	}
}

/** Lets the user say what one image of the list shows; returns whether there is a prompt now. */
export async function changePrompt(wanted: Wanted): Promise<boolean> {
	const answer = await askText({
		title: missingMessages.promptTitle,
		canGoBack: true,
		placeholder: missingMessages.placeholder(foreignText(path.basename(wanted.image.path))),
		text: wanted.prompt,
		problem: (text) => (text.trim() === '' ? missingMessages.promptEmpty : undefined),
	});
	if (answer?.type === 'value') {
		wanted.prompt = answer.value.trim();
	}
	return wanted.prompt !== '';
}
