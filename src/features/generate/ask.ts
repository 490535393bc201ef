import * as vscode from 'vscode';
import { ageWords } from '../../editor/age.js';
import type { Preferences } from '../../editor/preferences.js';
import type { Answer, ValueItem } from '../../editor/quickInput.js';
import type { Choices } from '../../generation/order.js';
import type { StoredDraft } from '../../generation/promptEditor.js';
import {
	askPrompt,
	askSize,
	editorButton,
	oneLine,
	pickedSize,
	recentPrompts,
	separator,
	summaryOf,
	type Asked,
} from '../../generation/questions.js';
import type { StyleOption } from '../../generation/styleOption.js';
import { askOptions } from './options.js';
import { generateMessages } from '../messages.js';

const { title } = generateMessages;

const optionsButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('settings-gear'),
	tooltip: generateMessages.optionsTooltip,
};

/** Stands for the item that opens the options, beside sizes. */
const optionsValue = 'options';

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
): Promise<Asked | StoredDraft | undefined> {
	const { preferences, style } = question;
	const choices = { ...start };
	let step: 'prompt' | 'size' = 'prompt';
	for (;;) {
		const answer: Answer<PromptItem> =
			step === 'prompt'
				? await askPromptHere(choices, question)
				: await askSizeHere(choices, question);
		if (answer === undefined) {
			return undefined;
		}
		if (answer.type === 'back') {
			step = 'prompt';
			continue;
		}
		if (answer.type === 'button' && step === 'prompt') {
			choices.prompt = answer.text;
		}
		if (answer.type === 'button' && answer.button === editorButton) {
			return { choices, inEditor: true };
		}
		const chosen = answer.type === 'button' ? answer.button : answer.value.value;
		// What is typed as a prompt is none of the items beside the sizes.
		if ((answer.type === 'button' || step === 'size') && (await style.press(chosen, choices))) {
			continue;
		}
		if (answer.type === 'button' || answer.value.value === optionsValue) {
			const options = ['quality', 'count', 'references'] as const;
			if (!(await askOptions(choices, { title, options, preferences, style }))) {
				return undefined;
			}
			continue;
		}
		if (answer.value.stored !== undefined) {
			return answer.value.stored;
		}
		if (step === 'prompt') {
			choices.prompt = answer.value.value?.trim() ?? '';
			step = 'size';
			continue;
		}
		choices.size = pickedSize(answer.value);
		return { choices, inEditor: false };
	}
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

function askSizeHere(
	choices: Choices,
	{ preferences, style }: Question,
): Promise<Answer<ValueItem>> {
	return askSize(choices, preferences, {
		title,
		summary: summaryOf(choices, style),
		more: [
			separator(),
			{
				icon: 'settings-gear',
				label: generateMessages.options,
				description: generateMessages.optionsDescription,
				value: optionsValue,
			},
			...style.items(choices),
		],
		buttons: [optionsButton, ...style.buttons(choices)],
	});
}
