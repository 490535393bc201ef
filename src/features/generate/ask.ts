import * as vscode from 'vscode';
import type { Choices } from '../../generation/order.js';
import {
	askCount,
	askPrompt,
	askReferences,
	askSize,
	pickedSize,
	recentPrompts,
	referenceWords,
	separator,
	summaryOf,
} from '../../generation/questions.js';
import type { Preferences } from '../../editor/preferences.js';
import { qualityNames } from '../../service/qualityNames.js';
import { askPick, type Answer, type ValueItem } from '../../editor/quickInput.js';

const title = 'Generate Image';

const optionsButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('settings-gear'),
	tooltip: 'Options: Quality, Count, Reference Images',
};

/** Stands for the item that opens the options, beside sizes. */
const optionsValue = 'options';

/**
 * Asks for prompt and size; Enter, Enter is enough. Quality, count and references stand behind
 * the options button. Returns `undefined` where the user cancelled.
 */
export async function askForImage(
	start: Choices,
	preferences: Preferences,
): Promise<Choices | undefined> {
	const choices = { ...start };
	let step: 'prompt' | 'size' = 'prompt';
	for (;;) {
		const answer =
			step === 'prompt'
				? await askPromptHere(choices, preferences)
				: await askSizeHere(choices, preferences);
		if (answer === undefined) {
			return undefined;
		}
		if (answer.type === 'back') {
			step = 'prompt';
			continue;
		}
		if (answer.type === 'button' || answer.value.value === optionsValue) {
			if (answer.type === 'button' && step === 'prompt') {
				choices.prompt = answer.text;
			}
			if (!(await askOptions(choices))) {
				return undefined;
			}
			continue;
		}
		if (step === 'prompt') {
			choices.prompt = answer.value.value?.trim() ?? '';
			step = 'size';
			continue;
		}
		choices.size = pickedSize(answer.value);
		return choices;
	}
}

function askPromptHere(choices: Choices, preferences: Preferences): Promise<Answer<ValueItem>> {
	return askPrompt({
		title,
		placeholder: 'Describe the image, for example: a lighthouse at dusk, flat illustration',
		text: choices.prompt,
		emptyText: 'Type what the image should show',
		summary: () => summaryOf(choices),
		more: recentPrompts(preferences, 'generate', 'recent prompts'),
		buttons: [optionsButton],
	});
}

function askSizeHere(choices: Choices, preferences: Preferences): Promise<Answer<ValueItem>> {
	return askSize(choices, preferences, {
		title,
		summary: summaryOf(choices),
		more: [
			separator(),
			{
				icon: 'settings-gear',
				label: 'Options…',
				description: 'quality, count, reference images',
				value: optionsValue,
			},
		],
		buttons: [optionsButton],
	});
}

/** Lets the options be changed until the user is content; `false` where everything is cancelled. */
async function askOptions(choices: Choices): Promise<boolean> {
	let active: string | undefined;
	for (;;) {
		const items = [
			{ icon: 'check', label: 'Done', description: 'go on', value: 'done' },
			{
				icon: 'star-half',
				label: 'Quality',
				description: qualityWords(choices),
				value: 'quality',
			},
			{
				icon: 'multiple-windows',
				label: 'Number of Images',
				description: String(choices.count),
				value: 'count',
			},
			{
				icon: 'file-media',
				label: 'Reference Images',
				description: referenceWords(choices),
				value: 'references',
			},
		];
		const answer = await askPick<ValueItem>({
			title: `${title}: Options`,
			canGoBack: true,
			placeholder: 'What to change',
			items,
			active: items.find((item) => item.value === active),
		});
		if (answer === undefined) {
			return false;
		}
		if (answer.type !== 'value' || answer.value.value === 'done') {
			return true;
		}
		active = answer.value.value;
		const changed =
			active === 'quality'
				? await askQuality(choices)
				: active === 'count'
					? await askCount(title, choices)
					: await askReferences(title, choices);
		if (!changed) {
			return false;
		}
	}
}

async function askQuality(choices: Choices): Promise<boolean> {
	const items = (['unset', 'high', 'low'] as const).map((value) => ({
		...qualityNames[value],
		value,
	}));
	const answer = await askPick({
		title: `${title}: Quality`,
		canGoBack: true,
		placeholder: 'Quality applies to images without reference images',
		items,
		active: items.find((item) => item.value === choices.quality),
	});
	if (answer?.type === 'value') {
		choices.quality = answer.value.value;
	}
	return answer !== undefined;
}

function qualityWords(choices: Choices): string {
	return choices.references.length > 0
		? 'not sent with reference images'
		: qualityNames[choices.quality].label;
}
