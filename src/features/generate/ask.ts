import { commandTitles } from '../../editor/commandTable.js';
import { ageWords } from '../../editor/expectation.js';
import type { Draft } from '../../generation/draft.js';
import { readSetting } from '../../editor/settings.js';
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
type OfferedItem = PromptItem & { readonly stored?: StoredDraft | 'fromDocument' };

const fromDocument: OfferedItem = {
	icon: 'book',
	label: commandTitles['easel.draftPrompt'],
	value: '',
	does: 'more',
	stored: 'fromDocument',
};

/**
 * Asks for the prompt; Enter generates. Returns `undefined` where the user cancelled, a draft
 * where the user goes on with that in its editor, and `fromDocument` where the prompt is to be drafted.
 *
 * @param start its choices are changed
 * @param drafts prompts that are being written, which the user can go on with
 */
export async function askForImage(
	start: Draft,
	drafts: readonly StoredDraft[],
	style: StyleOption,
	{ preferences }: Pick<Services, 'preferences'>,
): Promise<PromptAnswer | StoredDraft | 'fromDocument' | undefined> {
	let stored: OfferedItem['stored'];
	const canDraft = start.context.document !== undefined && readSetting('words.provider') !== 'off';
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
			...(canDraft && text.trim() === '' ? [fromDocument] : []),
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
