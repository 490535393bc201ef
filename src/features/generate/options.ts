import type { Preferences } from '../../editor/preferences.js';
import { askPick, pickLoop, type ValueItem } from '../../editor/quickInput.js';
import type { Choices } from '../../generation/draft.js';
import {
	askCount,
	askReferences,
	askSize,
	referenceWords,
	sizeWords,
	summaryOf,
} from '../../generation/questions.js';
import type { StyleOption } from '../../generation/styleOption.js';
import type { Size } from '../../service/contract.js';
import { qualityNames } from '../../service/sizes.js';
import { generateMessages } from '../messages.js';

interface OptionQuestion {
	readonly title: string;
	readonly preferences: Preferences;
	readonly style: StyleOption;
}

/** What can be chosen beside the prompt: its words, and what asks; `false` cancels everything. */
const optionTable = {
	size: {
		icon: 'screen-full',
		label: generateMessages.size,
		words: ({ size }: Choices) => sizeWords(size),
		ask: async (choices: Choices, { title, preferences, style }: OptionQuestion) => {
			const answer = await askSize(choices, preferences, {
				title: `${title}: Size`,
				summary: summaryOf(choices, style),
				alone: true,
			});
			if (answer?.type === 'value') {
				choices.size = answer.value.value as Size;
			}
			return answer !== undefined;
		},
	},
	quality: {
		icon: 'star-half',
		label: generateMessages.quality,
		words: qualityWords,
		ask: askQuality,
	},
	count: {
		icon: 'multiple-windows',
		label: generateMessages.numberOfImages,
		words: ({ count }: Choices) => String(count),
		ask: (choices: Choices, { title }: OptionQuestion) => askCount(title, choices),
	},
	references: {
		icon: 'file-media',
		label: generateMessages.referenceImages,
		words: referenceWords,
		ask: (choices: Choices, { title }: OptionQuestion) => askReferences(title, choices),
	},
} as const;

export type Option = keyof typeof optionTable;

/** Lets options be changed until the user is content; `false` where everything is cancelled. */
export async function askOptions(
	choices: Choices,
	options: readonly Option[],
	question: OptionQuestion,
): Promise<boolean> {
	let active: string | undefined;
	const ask = () => {
		const items: ValueItem[] = [
			{ icon: 'check', label: generateMessages.done, value: 'done' },
			...options.map((value) => {
				const { icon, label, words } = optionTable[value];
				return { icon, label, description: words(choices, question.style), value };
			}),
		];
		return askPick<ValueItem>({
			title: generateMessages.optionsOf(question.title),
			canGoBack: true,
			placeholder: generateMessages.optionsPlaceholder,
			items,
			active: items.find(({ value }) => value === active),
		});
	};
	const isDone = await pickLoop(ask, async (answer) => {
		if (answer.type !== 'value' || answer.value.value === 'done') {
			return { done: true };
		}
		active = answer.value.value;
		return (await askOption(active as Option, choices, question)) ? 'again' : undefined;
	});
	return isDone ?? false;
}

export function askOption(
	option: Option,
	choices: Choices,
	question: OptionQuestion,
): Promise<boolean> {
	return optionTable[option].ask(choices, question);
}

async function askQuality(choices: Choices, { title }: OptionQuestion): Promise<boolean> {
	const items = (['unset', 'high', 'low'] as const).map((value) => ({
		...qualityNames[value],
		value,
	}));
	const answer = await askPick({
		title: generateMessages.qualityOf(title),
		canGoBack: true,
		placeholder: generateMessages.qualityPlaceholder,
		items,
		active: items.find((item) => item.value === choices.quality),
	});
	if (answer?.type === 'value') {
		choices.quality = answer.value.value;
	}
	return answer !== undefined;
}

/** Says what the service gets as quality: with reference images it ignores that. */
export function qualityWords(choices: Choices, style: StyleOption): string {
	const { quality, references } = choices;
	return references.length > 0
		? generateMessages.qualityIgnored
		: style.references(choices) > 0
			? generateMessages.qualityIgnoredByStyle
			: qualityNames[quality].label;
}
