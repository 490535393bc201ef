import * as vscode from 'vscode';
import { expectation } from '../editor/expectation.js';
import { maxImages, sizeTable, type Size } from '../service/contract.js';
import { shortened } from '../editor/untrustedText.js';
import { imageItem, imagesOfWorkspace, type ImageItem } from '../editor/images.js';
import type { Preferences } from '../editor/preferences.js';
import { askPickMany } from '../editor/pickMany.js';
import {
	askPick,
	inputButton,
	pickLoop,
	type Answer,
	type LoopStep,
	type ValueItem,
} from '../editor/quickInput.js';
import type { ImageRequest, Operation } from '../jobs/request.js';
import type { Choices } from './draft.js';
import type { StyleOption } from './styleOption.js';
import { labels, phrases } from './messages.js';

interface PromptQuestion<Item extends ValueItem> {
	readonly title: string;
	readonly placeholder: string;
	readonly text: string;
	/** What else is chosen, in a few words. */
	readonly summary?: () => string;
	readonly more: (text: string) => readonly Item[];
	readonly buttons?: readonly vscode.QuickInputButton[];
	readonly onItemButton?: (item: Item, button: vscode.QuickInputButton) => void;
	readonly canWriteInEditor?: boolean;
}

/** Leads from a prompt in a line to one in an editor. */
export const editorButton = inputButton('edit', labels.writeInEditor);

/** What the user has chosen so far, and whether the prompt is to be written in an editor. */
export interface PromptAnswer {
	readonly choices: Choices;
	readonly inEditor: boolean;
}

/** Whether a prompt does not fit a single line: it has several, or is longer than the box shows. */
export function needsEditor(prompt: string): boolean {
	return prompt.length > maxLineLength || /[\n\r]/.test(prompt.trim());
}

/** In UTF-16 code units; the box of a quick input shows about 80. */
const maxLineLength = 160;

/**
 * Asks for a prompt, the first of two steps: what is typed stands first, Enter takes it. The button
 * that leads to an editor is in the title, and at each prompt that is offered.
 */
export function askPrompt<Item extends ValueItem>({
	summary,
	more,
	onItemButton,
	buttons = [],
	canWriteInEditor = true,
	...question
}: PromptQuestion<Item>): Promise<Answer<Item>> {
	const typed = (text: string): ValueItem[] =>
		text.trim() === ''
			? []
			: [
					{
						icon: 'sparkle',
						label: oneLine(text),
						description: summary?.(),
						alwaysShow: true,
						value: text,
					},
				];
	return askPick<Item>({
		...question,
		step: 1,
		totalSteps: 2,
		items: [],
		itemsFor: (text) => [...(typed(text) as Item[]), ...more(text)],
		acceptable: (item) => item.value !== undefined,
		buttons: canWriteInEditor ? [editorButton, ...buttons] : buttons,
		onItemButton: (item, button) => {
			if (button === editorButton) {
				return item.value;
			}
			onItemButton?.(item, button);
			return undefined;
		},
	});
}

interface PromptAndSize<Item extends ValueItem> {
	readonly title: string;
	readonly preferences: Preferences;
	readonly style: StyleOption;
	readonly askPrompt: () => Promise<Answer<Item>>;
	/** What the question for the size has beside the sizes and the style. */
	readonly besideSizes?: () => Pick<SizeQuestion, 'reason' | 'more' | 'buttons'>;
	/**
	 * Does what a button stands for, or an item that is no prompt or no size; `undefined` for any other
	 * one. Where it returns `false`, everything is cancelled.
	 */
	readonly press?: (pressed: Item | vscode.QuickInputButton) => Promise<boolean | undefined>;
}

/**
 * Asks for a prompt and then for a size, until both are there; Enter, Enter is enough. Buttons and
 * further items change the choices in between.
 *
 * @param choices are changed
 * @returns `undefined` where the user cancelled
 */
export async function askPromptAndSize<Item extends ValueItem>(
	choices: Choices,
	{ title, preferences, style, askPrompt: askForPrompt, besideSizes, press }: PromptAndSize<Item>,
): Promise<PromptAnswer | undefined> {
	const askForSize = () => {
		const { reason, more = [], buttons = [] } = besideSizes?.() ?? {};
		return askSize(choices, preferences, {
			title,
			reason,
			summary: summaryOf(choices, style),
			more: [separator(), ...more, ...style.items(choices)],
			buttons: [...buttons, ...style.buttons(choices)],
		});
	};
	let isSize = false;
	const ask = () => (isSize ? askForSize() : askForPrompt());
	return pickLoop(
		ask,
		async (answer: NonNullable<Answer<ValueItem>>): Promise<LoopStep<PromptAnswer>> => {
			if (answer.type === 'back') {
				isSize = false;
				return 'again';
			}
			const isButton = answer.type === 'button';
			if (isButton && !isSize) {
				choices.prompt = answer.text;
			}
			if (isButton && answer.button === editorButton) {
				return { done: { choices, inEditor: true } };
			}
			const chosen = isButton ? answer.button : answer.value.value;
			// What is typed as a prompt is none of the items beside the sizes.
			if ((isButton || isSize) && (await style.press(chosen, choices))) {
				return 'again';
			}
			const goesOn = await press?.(isButton ? answer.button : (answer.value as Item));
			if (goesOn === false) {
				return undefined;
			}
			if (goesOn || isButton) {
				return 'again';
			}
			if (isSize) {
				return { done: { choices: { ...choices, size: chosen as Size }, inEditor: false } };
			}
			choices.prompt = answer.value.value?.trim() ?? '';
			isSize = true;
			return 'again';
		},
	);
}

/** The last prompts of an operation, below a heading; that which is typed is not repeated. */
export function recentPrompts(
	preferences: Preferences,
	operation: Operation,
	heading: string,
): (text: string) => readonly ValueItem[] {
	const recent = preferences.prompts(operation).map((prompt): ValueItem => ({
		icon: 'history',
		label: oneLine(prompt),
		value: prompt,
		buttons: [editorButton],
	}));
	return (text) =>
		recent.length === 0
			? []
			: [separator(heading), ...recent.filter((item) => item.value !== text)];
}

/** Remembers what was asked for, to be offered next time: the prompt, and the size of what is no edit. */
export async function rememberAsked(
	[first]: readonly ImageRequest[],
	preferences: Preferences,
): Promise<void> {
	if (first === undefined) {
		return;
	}
	await preferences.rememberPrompt(first.operation, first.prompt);
	if (first.operation === 'generate') {
		await preferences.rememberSize(first.size);
	}
}

/** A heading between items. */
export function separator(label = ''): ValueItem {
	return { label, kind: vscode.QuickPickItemKind.Separator };
}

interface SizeQuestion {
	readonly title: string;
	/** Why the first size is first, where there is a reason beyond habit. */
	readonly reason?: string | undefined;
	/** What else is chosen, in a few words. */
	readonly summary: string;
	/** Whether it is no step behind the prompt, but asked for by itself. */
	readonly alone?: boolean;
	readonly more?: readonly ValueItem[];
	readonly buttons?: readonly vscode.QuickInputButton[];
}

/** Asks for the size, the second of two steps; the one that is chosen now is first. */
export async function askSize(
	{ prompt, size }: Choices,
	preferences: Preferences,
	{ title, reason, summary, alone = false, more = [], buttons = [] }: SizeQuestion,
): Promise<Answer<ValueItem>> {
	const rows = [...sizeTable].sort((a, b) => Number(b.size === size) - Number(a.size === size));
	const items: ValueItem[] = rows.map((row) => ({
		label: row.size,
		description: `${row.ratio} · ${row.use}${row.experimental ? ` · ${phrases.experimental}` : ''}`,
		detail:
			row.size === size
				? [reason, expectation(preferences.durations(row.size)), summary]
						.filter(Boolean)
						.join(' · ')
				: undefined,
		value: row.size,
	}));
	return askPick<ValueItem>({
		title,
		step: alone ? undefined : 2,
		totalSteps: alone ? undefined : 2,
		canGoBack: true,
		placeholder: phrases.sizeOf(oneLine(prompt, 50)),
		items: [...items, ...more],
		active: items[0],
		matchOnDescription: true,
		buttons,
	});
}

/** `1024 × 1024` */
export function sizeWords(size: Size): string {
	return size === 'auto' ? phrases.automaticSize : size.replace('x', ' × ');
}

export async function askCount(title: string, choices: Choices): Promise<boolean> {
	const items = Array.from({ length: maxImages }, (_, index) => ({
		label: String(index + 1),
		description: phrases.eachCharged(index + 1),
		value: index + 1,
	}));
	const answer = await askPick({
		title: labels.numberOfImages(title),
		canGoBack: true,
		placeholder: phrases.eachIsARequest,
		items,
		active: items[choices.count - 1],
	});
	if (answer?.type === 'value') {
		choices.count = answer.value.value;
	}
	return answer !== undefined;
}

/**
 * Asks for reference images among those of the workspace; `false` where everything is cancelled.
 * What was chosen before keeps its order, what is new comes after it.
 *
 * @param except are not offered
 */
export async function askReferences(
	title: string,
	choices: Pick<Choices, 'references'>,
	except: readonly vscode.Uri[] = [],
	placeholder = phrases.references,
): Promise<boolean> {
	const before = choices.references.map(String);
	const answer = await askPickMany({
		title: labels.referenceImages(title),
		canGoBack: true,
		placeholder,
		emptyText: phrases.noReferencesHere,
		items: offered(choices.references, except),
		selected: (item) => before.includes(item.uri.toString()),
	});
	if (answer?.type === 'value') {
		const chosen = new Map(answer.value.map(({ uri }) => [uri.toString(), uri]));
		const kept = choices.references.filter((uri) => chosen.delete(uri.toString()));
		choices.references = [...kept, ...chosen.values()];
	}
	return answer !== undefined;
}

async function offered(
	chosen: readonly vscode.Uri[],
	except: readonly vscode.Uri[],
): Promise<ImageItem[]> {
	const known = new Set(except.map(String));
	const found = (await imagesOfWorkspace()).filter(({ uri }) => !known.has(uri.toString()));
	found.forEach(({ uri }) => known.add(uri.toString()));
	// What was chosen may lie where nothing is looked for, and must not be lost for that.
	return [...chosen.filter((uri) => !known.has(uri.toString())).map(imageItem), ...found];
}

/** What is chosen besides prompt and size, in a few words. */
export function summaryOf(choices: Choices, style?: StyleOption): string {
	const parts = [phrases.images(choices.count)];
	if (choices.references.length > 0) {
		parts.push(referenceWords(choices));
	} else if (choices.quality !== 'unset' && (style?.references(choices) ?? 0) === 0) {
		parts.push(`${choices.quality} quality`);
	}
	return [...parts, style?.words(choices)].filter(Boolean).join(' · ');
}

export function referenceWords({ references }: Choices): string {
	return references.length === 0
		? phrases.noReferences
		: phrases.referenceImages(references.length);
}

export function oneLine(text: string, maxLength = 120): string {
	return shortened(text.replace(/\s+/g, ' ').trim(), maxLength);
}
