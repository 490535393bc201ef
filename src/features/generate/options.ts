import type { Preferences } from '../../editor/preferences.js';
import { askPick, type Answer, type ValueItem } from '../../editor/quickInput.js';
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

/** What can be chosen beside the prompt. */
export type Option = 'size' | 'quality' | 'count' | 'references';

interface OptionQuestion {
	readonly title: string;
	readonly options: readonly Option[];
	readonly preferences: Preferences;
	readonly style: StyleOption;
}

/** Lets options be changed until the user is content; `false` where everything is cancelled. */
export async function askOptions(choices: Choices, question: OptionQuestion): Promise<boolean> {
	let active: string | undefined;
	for (;;) {
		const items = [
			{ icon: 'check', label: 'Done', value: 'done' },
			...question.options.map((option) => ({
				...names[option],
				description: wordsOf(option, choices, question.style),
				value: option,
			})),
		];
		const answer = await askPick<ValueItem>({
			title: `${question.title}: Options`,
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
		if (!(await askOption(active as Option, choices, question))) {
			return false;
		}
	}
}

/** Asks for one of them; `false` where everything is cancelled. */
export async function askOption(
	option: Option,
	choices: Choices,
	{ title, preferences, style }: Omit<OptionQuestion, 'options'>,
): Promise<boolean> {
	switch (option) {
		case 'size': {
			const answer: Answer<ValueItem> = await askSize(choices, preferences, {
				title: `${title}: Size`,
				summary: summaryOf(choices, style),
				alone: true,
			});
			if (answer?.type === 'value') {
				choices.size = answer.value.value as Size;
			}
			return answer !== undefined;
		}
		case 'quality':
			return askQuality(title, choices);
		case 'count':
			return askCount(title, choices);
		case 'references':
			return askReferences(title, choices);
	}
}

const names = {
	size: { icon: 'screen-full', label: 'Size' },
	quality: { icon: 'star-half', label: 'Quality' },
	count: { icon: 'multiple-windows', label: 'Number of Images' },
	references: { icon: 'file-media', label: 'Reference Images' },
} as const;

function wordsOf(option: Option, choices: Choices, style: StyleOption): string {
	switch (option) {
		case 'size':
			return sizeWords(choices.size);
		case 'quality':
			return qualityWords(choices, style);
		case 'count':
			return String(choices.count);
		case 'references':
			return referenceWords(choices);
	}
}

async function askQuality(title: string, choices: Choices): Promise<boolean> {
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

/** What the service is told of the quality, in words. */
export function qualityWords(choices: Choices, style: StyleOption): string {
	const { quality, references } = choices;
	return references.length > 0
		? 'not sent with reference images'
		: style.references(choices) > 0
			? 'not sent with the images of the style'
			: qualityNames[quality].label;
}
