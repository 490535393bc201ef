import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { expectation } from '../editor/expectation.js';
import type { Preferences } from '../editor/preferences.js';
import { runDetached } from '../editor/messages.js';
import {
	askPick,
	inputButton,
	pickLoop,
	type LoopStep,
	type ValueItem,
} from '../editor/quickInput.js';
import { shortened } from '../editor/untrustedText.js';
import type { ImageRequest, Operation } from '../jobs/request.js';
import { offeredChoices, readService, sentQuality } from '../editor/service.js';
import { qualityNames } from '../service/sizes.js';
import { moneyFor } from '../editor/money.js';
import type { Draft } from './draft.js';
import { sizeFolder } from '../editor/imageRequest.js';
import { labels, phrases } from '../messages.js';
import {
	offeredOptions,
	optionItem,
	pricedImage,
	sizeWords,
	type Option,
	type OptionQuestion,
} from './options.js';
import type { PromptEditor, StoredDraft } from './promptEditor.js';
import { askTarget, plannedPlace, requestsOfDraft } from './target.js';

/** Number of drafts that the button makes at once. */
const draftCount = 4;

/**
 * A row of the question. Its `run` returns the draft to go on with, or the answer; `undefined` cancels.
 * Without it the row's value becomes the prompt.
 */
export interface PromptItem extends ValueItem {
	readonly run?: (draft: Draft) => Promise<Draft | PromptAnswer | undefined>;
}

export interface PromptQuestion extends OptionQuestion {
	readonly placeholder: string;
	/** Label of Enter: `Generate`. */
	readonly verb: string;
	/** Those that have a row. */
	readonly options: readonly Option[];
	/** Rows below the options. */
	readonly more: (draft: Draft) => readonly PromptItem[];
	/** Returns the draft that the button of a row makes of one. */
	readonly onItemButton?: (
		draft: Draft,
		item: PromptItem,
		button: vscode.QuickInputButton,
	) => Draft;
	/** True where name and folder are given, and the prompt is not to be written in an editor. */
	readonly isFixed?: boolean;
}

/** Leads from a prompt in a line to one in an editor. */
const editorButton = inputButton('edit', labels.writeInEditor);

/**
 * Answer of the user: to make the images now, to write the prompt in an editor, or to go on with a
 * prompt that is being written, in the place of the draft.
 */
export type PromptAnswer =
	| { readonly type: 'make' | 'write'; readonly draft: Draft }
	| { readonly type: 'continue'; readonly draft: Draft; readonly stored: StoredDraft };

/** Returns whether a prompt has several lines, or is longer than the box shows. */
export function needsEditor(prompt: string): boolean {
	return prompt.length > maxLineLength || /[\n\r]/.test(prompt.trim());
}

/** In UTF-16 code units; the box of a quick input shows about 80. */
const maxLineLength = 120;

/** Asks for a prompt and what belongs to it; `undefined` where the user cancelled. */
export async function askForImages(
	start: Draft,
	asked: PromptQuestion,
): Promise<PromptAnswer | undefined> {
	const { words, ...choices } = offeredChoices(start);
	const sizeReason = (draft: Draft) =>
		draft.size === choices.size && words !== undefined ? words : asked.sizeReason?.(draft);
	const question: PromptQuestion = { ...asked, sizeReason };
	const { title, placeholder, style, isFixed = false } = question;
	let draft: Draft = { ...start, ...choices };
	const place = new ShownPlace(() => plannedPlace(draft));
	const rows = (text: string): readonly PromptItem[] => {
		// What was typed last is there again after an option was changed.
		draft = { ...draft, prompt: text };
		place.look();
		const options: PromptItem[] = [
			...offeredOptions(question.options).map((option) => optionItem(option, draft, question)),
			...(isFixed || place.path === undefined ? [] : [placeItem(place.path)]),
			...style.items(draft),
		].map((item) => ({ ...item, alwaysShow: true }));
		const others = question.more(draft);
		const headed = [separator(labels.options), ...options];
		return text.trim() === ''
			? [...others, ...headed]
			: [sendItem(draft, question, place.path), ...headed, ...others];
	};
	const placeItem = (path: string): PromptItem => ({
		icon: 'save-as',
		label: labels.saveAs,
		description: path,
		run: async (now) => ({ ...now, target: (await askTarget(now)) ?? now.target }),
	});
	const ask = () =>
		askPick<PromptItem>({
			title,
			placeholder,
			text: draft.prompt,
			items: [],
			itemsFor: rows,
			onDidChangeItems: place.onDidChange,
			acceptable: ({ run, value }) => (run ?? value) !== undefined,
			buttons: [
				...(isFixed ? [] : [editorButton]),
				...(question.options.includes('count') ? [draftsButton(draft.count)] : []),
				...style.buttons(draft),
			],
			onItemButton: (item, button) => {
				if (button === editorButton) {
					return item.value;
				}
				draft = question.onItemButton?.(draft, item, button) ?? draft;
				return undefined;
			},
			...(isFixed ? {} : { onPaste: { button: editorButton, textFor: pastedText } }),
		});
	try {
		return await pickLoop(ask, async (answer): Promise<LoopStep<PromptAnswer>> => {
			if (answer.type === 'back') {
				return undefined;
			}
			if (answer.type === 'button') {
				draft = { ...draft, prompt: answer.text };
				if (answer.button === editorButton) {
					return { done: { type: 'write', draft } };
				}
				const toggled = style.toggle(answer.button, draft);
				if (toggled === undefined && draft.count === 1 && draft.prompt.trim() !== '') {
					return { done: { type: 'make', draft: { ...prepared(draft), count: draftCount } } };
				}
				draft = toggled ?? { ...draft, count: draft.count === 1 ? draftCount : 1 };
				return 'again';
			}
			const { run, value = '' } = answer.value;
			const next = run === undefined ? { ...draft, prompt: value } : await run(draft);
			if (next === undefined || 'type' in next) {
				return next && { done: next };
			}
			draft = next;
			return 'again';
		});
	} finally {
		place.dispose();
	}
}

/**
 * Acts on an answer: returns the requests to make now, or opens the editor for the prompt and returns
 * `undefined`; also where the user cancels.
 */
export async function requestsOfAnswer(
	answer: PromptAnswer,
	prompts: PromptEditor,
): Promise<ImageRequest[] | undefined> {
	switch (answer.type) {
		case 'make':
			return requestsOfDraft(answer.draft);
		case 'write':
			await prompts.begin(answer.draft);
			return undefined;
		case 'continue':
			await prompts.goOn(answer.stored, answer.draft);
			return undefined;
	}
}

/** `Generate · 1536 × 1024 · 1 image  → docs/img/pier.png`, with how long it takes below. */
function sendItem(
	draft: Draft,
	{ verb, preferences, style, sizeReason }: PromptQuestion,
	path: string | undefined,
): PromptItem {
	const { size, count, references } = draft;
	const quality = sentQuality(draft.quality, references.length + style.references(draft));
	const { maxReferences = Infinity } = readService();
	const sent = references.length + style.references(draft);
	if (sent > maxReferences) {
		return {
			icon: 'error',
			label: phrases.tooManyReferences(sent, maxReferences),
			alwaysShow: true,
		};
	}
	const money = moneyFor(pricedImage(draft, style), count);
	return {
		icon: 'sparkle',
		label: [verb, sizeWords(size), phrases.withMoney(phrases.images(count), money)].join(' · '),
		description: path === undefined ? '' : `→ ${path}`,
		detail: [
			expectation(preferences.durations(size)),
			sizeReason?.(draft),
			quality && qualityNames[quality].label,
			references.length === 0 ? undefined : phrases.referenceImages(references.length),
			style.words(draft),
		]
			.filter(Boolean)
			.join(' · '),
		alwaysShow: true,
		run: (now) => Promise.resolve({ type: 'make', draft: prepared(now) }),
	};
}

function prepared(draft: Draft): Draft {
	return { ...draft, prompt: draft.prompt.trim() };
}

/** Makes drafts of what is typed at once. */
function draftsButton(count: number): vscode.QuickInputButton {
	return inputButton('multiple-windows', count === 1 ? labels.drafts(draftCount) : labels.oneImage);
}

/**
 * Returns what was pasted where it does not fit a line, which would lose its line breaks; `undefined`
 * for anything else. The clipboard is read only where more than one character was added at once.
 */
async function pastedText(before: string, text: string): Promise<string | undefined> {
	if (text.length < before.length + 2) {
		return undefined;
	}
	const pasted = (await vscode.env.clipboard.readText()).replaceAll('\r\n', '\n');
	// Browsers replace each line break of what is pasted into a line.
	const inLine = pasted.replaceAll('\n', ' ');
	const at = inLine.trim() === '' ? -1 : text.indexOf(inLine);
	const whole = `${text.slice(0, at)}${pasted}${text.slice(at + inLine.length)}`;
	return at >= 0 && needsEditor(whole) ? whole : undefined;
}

/** Place of a draft's images, looked up while the user types; the newest draft wins. */
class ShownPlace implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChange = this.#changed.event;
	/** Relative to the workspace; `undefined` as long as it is not known. */
	path: string | undefined;
	readonly #looks = new PQueue({ concurrency: 1 });

	constructor(private readonly read: () => Promise<string | undefined>) {}

	dispose(): void {
		this.#changed.dispose();
	}

	look(): void {
		if (this.#looks.size === 0) {
			runDetached(this.#looks.add(() => this.#look()));
		}
	}

	async #look(): Promise<void> {
		const path = await this.read();
		if (path !== this.path) {
			this.path = path;
			this.#changed.fire();
		}
	}
}

/** The last prompts of an operation, below a heading; that which is typed is not repeated. */
export function recentPrompts(
	preferences: Preferences,
	operation: Operation,
	heading: string,
): (draft: Draft) => readonly ValueItem[] {
	const recent = preferences.prompts(operation).map((prompt): ValueItem => ({
		icon: 'history',
		label: oneLine(prompt),
		value: prompt,
		buttons: [editorButton],
	}));
	return ({ prompt }) =>
		recent.length === 0
			? []
			: [separator(heading), ...recent.filter((item) => item.value !== prompt)];
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
		await preferences.rememberSize(first.size, sizeFolder(first));
	}
}

/** A heading between items. */
export function separator(label = ''): ValueItem {
	return { label, kind: vscode.QuickPickItemKind.Separator };
}

export function oneLine(text: string, maxLength = 120): string {
	return shortened(text.replace(/\s+/g, ' ').trim(), maxLength);
}
