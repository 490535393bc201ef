import * as vscode from 'vscode';
import { ageWords } from '../../editor/age.js';
import type { Preferences } from '../../editor/preferences.js';
import type { Answer, ValueItem } from '../../editor/quickInput.js';
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
import { askOptions } from './options.js';
import { generateMessages } from '../messages.js';

const { title } = generateMessages;

const optionsButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('settings-gear'),
	tooltip: generateMessages.optionsTooltip,
};

/** Opens the options, beside sizes. */
const optionsItem: PromptItem = {
	icon: 'settings-gear',
	label: generateMessages.options,
	description: generateMessages.optionsDescription,
	value: 'options',
};

/** A prompt that is offered, perhaps one that somebody has begun to write in an editor. */
interface PromptItem extends ValueItem {
	readonly stored?: StoredDraft;
}

interface Question {
	readonly preferences: Preferences;
	readonly style: StyleOption;
	/** Prompts that are being written, which one can go on with. */
	readonly drafts: readonly StoredDraft[];
}

/**
 * Asks for prompt and size; Enter, Enter is enough. Quality, count and references stand behind
 * the options button. Returns `undefined` where the user cancelled, and a draft where the user goes
 * on with that in its editor.
 */
export async function askForImage(
	start: Choices,
	question: Question,
): Promise<PromptAnswer | StoredDraft | undefined> {
	const { preferences, style } = question;
	const choices = { ...start };
	let stored: StoredDraft | undefined;
	const asked = await askPromptAndSize<PromptItem>(choices, {
		title,
		preferences,
		style,
		askPrompt: () => askPromptHere(choices, question),
		besideSizes: () => ({ more: [optionsItem], buttons: [optionsButton] }),
		press: async (pressed) => {
			if ('stored' in pressed) {
				stored = pressed.stored;
				return false;
			}
			if (pressed === optionsButton || pressed === optionsItem) {
				const options = ['quality', 'count', 'references'] as const;
				return askOptions(choices, { title, options, preferences, style });
			}
			return undefined;
		},
	});
	return stored ?? asked;
}

function askPromptHere(
	choices: Choices,
	{ preferences, style, drafts }: Question,
): Promise<Answer<PromptItem>> {
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
