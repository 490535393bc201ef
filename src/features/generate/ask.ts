import { ageWords } from '../../editor/age.js';
import type { Draft } from '../../generation/draft.js';
import { labels } from '../../generation/messages.js';
import type { StoredDraft } from '../../generation/promptEditor.js';
import {
	askForImages,
	oneLine,
	recentPrompts,
	separator,
	type PromptAnswer,
	type PromptItem,
} from '../../generation/questions.js';
import type { Services } from '../../generation/services.js';
import type { StyleOption } from '../../generation/styleOption.js';
import { generateMessages } from '../messages.js';

/** A prompt that is offered, perhaps one that was begun in an editor. */
type OfferedItem = PromptItem & { readonly stored?: StoredDraft };

/**
 * Asks for the prompt; Enter generates. Returns `undefined` where the user cancelled, and a draft
 * where the user goes on with that in its editor.
 *
 * @param start its choices are changed
 * @param drafts prompts that are being written, which the user can go on with
 */
export async function askForImage(
	start: Draft,
	drafts: readonly StoredDraft[],
	style: StyleOption,
	{ preferences }: Pick<Services, 'preferences'>,
): Promise<PromptAnswer | StoredDraft | undefined> {
	let stored: StoredDraft | undefined;
	const recent = recentPrompts(preferences, 'generate', generateMessages.recent);
	const begun = drafts.map(draftItem);
	const asked = await askForImages(start, {
		title: generateMessages.title,
		placeholder: generateMessages.placeholder,
		verb: labels.generate,
		preferences,
		style,
		options: ['size', 'count', 'quality', 'references'],
		more: (text) => [
			...(begun.length === 0 ? [] : [separator(generateMessages.drafts), ...begun]),
			...recent(text),
		],
		press: (item) => {
			({ stored } = item as OfferedItem);
			return Promise.resolve(undefined);
		},
	});
	return stored ?? asked;
}

function draftItem(stored: StoredDraft): OfferedItem {
	const { prompt } = stored.draft.choices;
	return {
		icon: 'edit',
		label: oneLine(prompt),
		description: ageWords(stored.changedAt),
		value: prompt,
		does: 'more',
		stored,
	};
}
