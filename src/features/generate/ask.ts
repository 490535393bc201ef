import { ageWords } from '../../editor/age.js';
import type { Preferences } from '../../editor/preferences.js';
import { inputButton, type ValueItem } from '../../editor/quickInput.js';
import type { Choices } from '../../generation/draft.js';
import type { StoredDraft } from '../../generation/promptEditor.js';
import {
	askPrompt,
	askPromptAndSize,
	oneLine,
	recentPrompts,
	separator,
	summaryOf,
	type PromptAnswer,
} from '../../generation/questions.js';
import type { StyleOption } from '../../generation/styleOption.js';
import { generateMessages } from '../messages.js';
import { askOptions } from './options.js';

const { title } = generateMessages;

const optionsButton = inputButton('settings-gear', generateMessages.optionsTooltip);

/** Opens the options, beside sizes. */
const optionsItem: PromptItem = {
	icon: 'settings-gear',
	label: generateMessages.options,
	description: generateMessages.optionsDescription,
	value: 'options',
};

/** A prompt that is offered, perhaps one that was begun in an editor. */
interface PromptItem extends ValueItem {
	readonly stored?: StoredDraft;
}

/**
 * Asks for prompt and size; Enter, Enter is enough. Quality, count and references stand behind
 * the options button. Returns `undefined` where the user cancelled, and a draft where the user goes
 * on with that in its editor.
 *
 * @param drafts prompts that are being written, which the user can go on with
 */
export async function askForImage(
	start: Choices,
	drafts: readonly StoredDraft[],
	style: StyleOption,
	preferences: Preferences,
): Promise<PromptAnswer | StoredDraft | undefined> {
	const choices = { ...start };
	let stored: StoredDraft | undefined;
	const asked = await askPromptAndSize<PromptItem>(choices, {
		title,
		preferences,
		style,
		askPrompt: () => {
			const recent = recentPrompts(preferences, 'generate', generateMessages.recent);
			const begun = drafts.map(draftItem);
			return askPrompt<PromptItem>({
				title,
				placeholder: generateMessages.placeholder,
				text: choices.prompt,
				summary: () => summaryOf(choices, style),
				more: (text) => [
					...(begun.length === 0 ? [] : [separator(generateMessages.drafts), ...begun]),
					...recent(text),
				],
				buttons: [optionsButton, ...style.buttons(choices)],
			});
		},
		besideSizes: () => ({ more: [optionsItem], buttons: [optionsButton] }),
		press: async (pressed) => {
			if ('stored' in pressed) {
				stored = pressed.stored;
				return false;
			}
			return pressed === optionsButton || pressed === optionsItem
				? askOptions(choices, ['quality', 'count', 'references'], { title, preferences, style })
				: undefined;
		},
	});
	return stored ?? asked;
}

function draftItem(stored: StoredDraft): PromptItem {
	const { prompt } = stored.draft.choices;
	return {
		icon: 'edit',
		label: oneLine(prompt),
		description: ageWords(stored.changedAt),
		value: prompt,
		stored,
	};
}
