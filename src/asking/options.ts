import * as vscode from 'vscode';
import { expectation } from '../editor/expectation.js';
import { imageExtensions, imageItem, imagesOfWorkspace, type ImageItem } from '../editor/images.js';
import type { Preferences } from '../editor/preferences.js';
import {
	askPick,
	askPickMany,
	askText,
	inputButton,
	pickLoop,
	type Answer,
	type LoopStep,
} from '../editor/quickInput.js';
import { maxImages, type Size } from '../service/contract.js';
import type { CostlyImage } from '../generation/confirmations.js';
import { readService, sentQuality } from '../editor/service.js';
import {
	brokenRuleWords,
	parseSize,
	qualityNames,
	sizeProblem,
	sizeRow,
	sizeRuleWords,
	type OfferedSizes,
} from '../service/sizes.js';
import { takesTransparency } from '../service/services.js';
import { moneyFor } from '../editor/money.js';
import type { Draft, DraftItem } from './draft.js';
import { urisOf, asReferences, knownQuality } from '../editor/imageRequest.js';
import { labels, phrases } from '../messages.js';
import type { StyleOption } from './styleOption.js';

export interface OptionQuestion {
	readonly title: string;
	readonly preferences: Preferences;
	readonly style: StyleOption;
	/** Why the size is what it is, where there is a reason beyond habit. */
	readonly sizeReason?: ((draft: Draft) => string | undefined) | undefined;
}

/** Choices beside the prompt: their words, and how each is asked for. */
const optionTable = {
	size: {
		icon: 'screen-full',
		label: labels.size,
		words: ({ size }: Draft) => sizeWords(size),
		ask: askSize,
	},
	quality: {
		icon: 'star-half',
		label: labels.quality,
		words: qualityWords,
		ask: (draft: Draft, { title }: OptionQuestion) => {
			const names = ['unset', ...[...readService().qualities].reverse()] as const;
			const items = names.map((name) => ({ ...qualityNames[name], value: knownQuality(name) }));
			const hint = readService().editsTakeQuality
				? phrases.selectOption
				: phrases.referencesIgnoreQuality;
			return askValue('quality', draft, title, hint, items);
		},
	},
	background: {
		icon: 'paintcan',
		label: labels.background,
		words: ({ background }: Draft) =>
			background === undefined ? phrases.automaticBackground : phrases.transparent,
		ask: (draft: Draft, { title }: OptionQuestion) =>
			askValue('background', draft, title, phrases.selectOption, [
				{ label: phrases.automaticBackground, value: undefined },
				{ label: phrases.transparent, value: 'transparent' },
			]),
	},
	count: {
		icon: 'multiple-windows',
		label: labels.numberOfImages,
		words: ({ count }: Draft) => String(count),
		ask: (draft: Draft, { title, style }: OptionQuestion) => {
			const image = pricedImage(draft, style);
			const items = Array.from({ length: maxImages }, (_, index) => {
				const value = index + 1;
				const money = moneyFor(image, value);
				const description = phrases.withMoney(phrases.eachCharged(value), money);
				return { label: String(value), description, value };
			});
			return askValue('count', draft, title, phrases.eachIsARequest, items);
		},
	},
	references: {
		icon: 'file-media',
		label: labels.referenceImages,
		words: ({ references }: Draft) =>
			references.length === 0 ? phrases.noReferences : phrases.referenceImages(references.length),
		ask: async (draft: Draft, { title }: OptionQuestion) => {
			const chosen = await askReferences(title, urisOf(draft.references));
			return chosen && { ...draft, references: asReferences(chosen) };
		},
	},
} as const;

export type Option = keyof typeof optionTable;

/** Returns the options that the service has a choice for. */
export function offeredOptions(options: readonly Option[]): readonly Option[] {
	const service = readService();
	return options.filter(
		(option) =>
			(option !== 'quality' || service.qualities.length > 0) &&
			(option !== 'background' || takesTransparency(service)),
	);
}

/** Returns an item that asks for an option, with what is chosen now. */
export function optionItem(
	option: Option,
	draft: Draft,
	question: OptionQuestion,
): DraftItem & Required<Pick<DraftItem, 'run'>> {
	const { icon, label, words, ask } = optionTable[option];
	const description = words(draft, question);
	return { icon, label, description, value: option, run: (now) => ask(now, question) };
}

/** Lets options be changed, each at once, until the user leaves them; returns the changed draft. */
export async function askOptions(
	draft: Draft,
	options: readonly Option[],
	question: OptionQuestion,
): Promise<Draft> {
	let changed = draft;
	let active: string | undefined;
	const ask = () => {
		const items: DraftItem[] = [
			{ icon: 'check', label: labels.done },
			...offeredOptions(options).map((option) => optionItem(option, changed, question)),
		];
		return askPick({
			title: labels.titleOf(question.title, labels.options),
			canGoBack: true,
			placeholder: phrases.selectOption,
			items,
			active: items.find(({ value }) => value === active),
		});
	};
	await pickLoop(ask, async (answer): Promise<LoopStep<never>> => {
		if (answer.type !== 'value' || answer.value.run === undefined) {
			return undefined;
		}
		active = answer.value.value;
		const next = await answer.value.run(changed);
		changed = next ?? changed;
		return next && 'again';
	});
	return changed;
}

async function askSize(
	draft: Draft,
	{ title, preferences, sizeReason }: OptionQuestion,
): Promise<Draft | undefined> {
	const detail = (size: Size) =>
		size === draft.size
			? [sizeReason?.(draft), expectation(preferences.durations(size))].filter(Boolean).join(' · ')
			: undefined;
	const answer = await askForSize(draft.size, {
		title: labels.titleOf(title, labels.size),
		placeholder: phrases.selectSize,
		detail,
	});
	return answer?.type === 'value' ? { ...draft, size: answer.value } : answer && draft;
}

/** Asks for one of the sizes that the service offers; where it has a rule for them, for any of these. */
export async function askForSize(
	size: Size,
	{
		title,
		placeholder,
		detail = () => undefined,
	}: {
		readonly title: string;
		readonly placeholder: string;
		readonly detail?: (size: Size) => string | undefined;
	},
): Promise<Exclude<Answer<Size>, { readonly type: 'button' }>> {
	const { sizes, sizeRule } = readService();
	const others = sizes.filter((one) => one !== size);
	const rows = [...(sizeProblem(size, { sizes, sizeRule }) ? [] : [size]), ...others].map(sizeRow);
	const items: { label: string; description: string; detail?: string; value?: Size }[] = [
		...rows.map((row) => ({
			label: sizeWords(row.size),
			description: `${row.ratio} · ${row.use}${row.experimental ? ` · ${phrases.experimental}` : ''}`,
			detail: detail(row.size),
			value: row.size,
		})),
		...(sizeRule === undefined
			? []
			: [{ label: labels.ownSize, description: sizeRuleWords(sizeRule) }]),
	];
	return pickLoop(
		() =>
			askPick({
				...{ title, placeholder, items, canGoBack: true, matchOnDescription: true },
				active: items.find(({ value }) => value === size),
			}),
		async (answer): Promise<LoopStep<Exclude<Answer<Size>, { readonly type: 'button' }>>> => {
			if (answer.type !== 'value') {
				return answer.type === 'back' ? { done: answer } : undefined;
			}
			const { value } = answer.value;
			const own = value === undefined ? await askOwnSize(size, title) : undefined;
			return own?.type === 'back' ? 'again' : { done: value ? { type: 'value', value } : own };
		},
	);
}

/** Asks for width and height within the rule of the service. */
export async function askOwnSize(
	size: Size,
	title: string,
): Promise<Exclude<Answer<Size>, { readonly type: 'button' }>> {
	const service = readService();
	const answer = await askText({
		title,
		canGoBack: true,
		text: size === 'auto' ? '' : size,
		placeholder: '1280x640',
		prompt: phrases.ownSize(service.title, sizeRuleWords(service.sizeRule!)),
		problem: (text) => ownSizeProblem(text, service),
	});
	return answer?.type === 'value'
		? { type: 'value', value: parseSize(answer.value)! }
		: answer?.type === 'back'
			? answer
			: undefined;
}

function ownSizeProblem(text: string, offered: OfferedSizes): string | undefined {
	const size = parseSize(text);
	const problem = size && sizeProblem(size, offered);
	return size === undefined
		? phrases.notASize
		: problem?.broken && phrases.brokenSize(brokenRuleWords(problem.broken), problem.nearest);
}

/** `1024 × 1024` */
export function sizeWords(size: Size): string {
	return size === 'auto' ? phrases.automaticSize : size.replace('x', ' × ');
}

/** Returns the choices that decide the price of one image. */
export function pricedImage(draft: Draft, style: StyleOption): CostlyImage {
	const { size, quality, references } = draft;
	return { size, quality: sentQuality(quality, references.length + style.references(draft)) };
}

/** Asks for one of several values of a choice; `undefined` where everything is cancelled. */
async function askValue<Key extends 'quality' | 'background' | 'count'>(
	key: Key,
	draft: Draft,
	title: string,
	placeholder: string,
	items: readonly { readonly label: string; readonly value: Draft[Key] }[],
): Promise<Draft | undefined> {
	const answer = await askPick({
		title: labels.titleOf(title, optionTable[key].label),
		canGoBack: true,
		placeholder,
		items,
		active: items.find(({ value }) => value === draft[key]),
		matchOnDescription: true,
	});
	return answer?.type === 'value' ? { ...draft, [key]: answer.value.value } : answer && draft;
}

/** Says what the service gets as quality: with reference images it may ignore that. */
export function qualityWords(draft: Draft, { style }: Pick<OptionQuestion, 'style'>): string {
	const { quality, references } = draft;
	const service = readService();
	return service.editsTakeQuality || references.length + style.references(draft) === 0
		? qualityNames[quality ?? 'unset'].label
		: references.length > 0
			? phrases.qualityIgnored
			: phrases.qualityIgnoredByStyle;
}

const browseButton = inputButton('folder-opened', labels.browse);

/**
 * Asks for reference images among those of the workspace, and by a button anywhere; `undefined`
 * where everything is cancelled. What was chosen before keeps its order, what is new comes after it.
 *
 * @param except are not offered
 */
export async function askReferences(
	title: string,
	before: readonly vscode.Uri[],
	except: readonly vscode.Uri[] = [],
	placeholder = phrases.references,
): Promise<readonly vscode.Uri[] | undefined> {
	let chosen = before;
	const choose = (uris: readonly vscode.Uri[]) => {
		const added = new Map(uris.map((uri) => [uri.toString(), uri]));
		const kept = chosen.filter((uri) => added.delete(uri.toString()));
		chosen = [...kept, ...added.values()];
	};
	const { maxReferences = Infinity } = readService();
	const hint =
		maxReferences === Infinity ? placeholder : phrases.atMost(placeholder, maxReferences);
	const ask = () => {
		const ticked = new Set(chosen.map(String));
		const isTooMany = chosen.length > maxReferences;
		return askPickMany({
			title: labels.titleOf(title, labels.referenceImages),
			canGoBack: true,
			placeholder: isTooMany ? phrases.tooManyReferences(chosen.length, maxReferences) : hint,
			emptyText: phrases.noReferencesHere,
			items: offered(chosen, except),
			selected: ({ uri }) => ticked.has(uri.toString()),
			buttons: [browseButton],
		});
	};
	return pickLoop(ask, async (answer) => {
		if (answer.type === 'list') {
			choose([...answer.selected.map(({ uri }) => uri), ...(await browse())]);
			return 'again';
		}
		if (answer.type === 'value') {
			choose(answer.value.map(({ uri }) => uri));
			return chosen.length > maxReferences ? 'again' : { done: chosen };
		}
		return { done: before };
	});
}

async function browse(): Promise<readonly vscode.Uri[]> {
	return (
		(await vscode.window.showOpenDialog({
			title: labels.referenceImages,
			openLabel: labels.add,
			canSelectMany: true,
			filters: { Images: [...imageExtensions] },
			defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
		})) ?? []
	);
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
