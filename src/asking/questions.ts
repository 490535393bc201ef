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
import { qualityNames } from '../service/sizes.js';
import { moneyFor } from '../editor/money.js';
import type { Draft } from './draft.js';
import { sizeFolder } from '../editor/imageRequest.js';
import { labels, phrases } from '../messages.js';
import { optionItem, pricedImage, sizeWords, type Option, type OptionQuestion } from './options.js';
import type { PromptEditor } from './promptEditor.js';
import { askTarget, plannedPlace, requestsOfDraft } from './target.js';

/** How many drafts the button makes at once. */
const draftCount = 4;

type Step = LoopStep<PromptAnswer>;

/** A row, and what it does when it is chosen; without that, its value becomes the prompt. */
export type PromptItem = ValueItem & { readonly run?: () => Step | Promise<Step> };

export interface PromptQuestion extends OptionQuestion {
	readonly placeholder: string;
	/** What Enter does: `Generate`. */
	readonly verb: string;
	/** Those that have a row. */
	readonly options: readonly Option[];
	/** Rows below the options, which may depend on the text. */
	readonly more: (text: string) => readonly PromptItem[];
	readonly onItemButton?: (item: PromptItem, button: vscode.QuickInputButton) => void;
	/** Whether name, folder and the place where the prompt is written can be changed. */
	readonly isFixed?: boolean;
}

/** Leads from a prompt in a line to one in an editor. */
const editorButton = inputButton('edit', labels.writeInEditor);

/** What the user has chosen, and whether the prompt is to be written in an editor. */
export interface PromptAnswer {
	readonly draft: Draft;
	readonly inEditor: boolean;
}

/** Whether a prompt does not fit a single line: it has several, or is longer than the box shows. */
export function needsEditor(prompt: string): boolean {
	return prompt.length > maxLineLength || /[\n\r]/.test(prompt.trim());
}

/** In UTF-16 code units; the box of a quick input shows about 80. */
const maxLineLength = 120;

/**
 * Asks for a prompt, and changes the draft; `undefined` where the user cancelled.
 */
export async function askForImages(
	draft: Draft,
	question: PromptQuestion,
): Promise<PromptAnswer | undefined> {
	const { title, placeholder, style, isFixed = false } = question;
	const place = new ShownPlace(() => plannedPlace(draft));
	const rows = (text: string): readonly PromptItem[] => {
		// What was typed last is there again after an option was changed.
		draft.prompt = text;
		place.look();
		const options: PromptItem[] = [
			...question.options.map((option) => optionItem(option, draft, question)),
			...(isFixed || place.path === undefined ? [] : [placeItem(place.path)]),
			...style.items(draft),
		].map((item) => ({ ...item, alwaysShow: true }));
		const others = question.more(text);
		const headed = [separator(labels.options), ...options];
		return text.trim() === ''
			? [...others, ...headed]
			: [{ ...sendItem(draft, question, place.path), run: send }, ...headed, ...others];
	};
	const send = (): Step => {
		draft.prompt = draft.prompt.trim();
		return { done: { draft, inEditor: false } };
	};
	const placeItem = (path: string): PromptItem => ({
		icon: 'save-as',
		label: labels.saveAs,
		description: path,
		run: async (): Promise<Step> => {
			draft.target = (await askTarget(draft)) ?? draft.target;
			return 'again';
		},
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
				question.onItemButton?.(item, button);
				return undefined;
			},
			...(isFixed ? {} : { onPaste: { button: editorButton, textFor: pastedText } }),
		});
	try {
		return await pickLoop(ask, (answer): Step | Promise<Step> => {
			if (answer.type === 'back') {
				return undefined;
			}
			if (answer.type === 'button') {
				draft.prompt = answer.text;
				if (answer.button === editorButton) {
					return { done: { draft, inEditor: true } };
				}
				if (!style.toggle(answer.button, draft)) {
					draft.count = draft.count === 1 ? draftCount : 1;
				}
				return 'again';
			}
			const { run, value = '' } = answer.value;
			if (run !== undefined) {
				return run();
			}
			draft.prompt = value;
			return 'again';
		});
	} finally {
		place.dispose();
	}
}

/** Returns what is to be made now; `undefined` where the user goes on in an editor, or cancels. */
export async function requestsOfAnswer(
	{ draft, inEditor }: PromptAnswer,
	prompts: PromptEditor,
): Promise<ImageRequest[] | undefined> {
	if (inEditor) {
		await prompts.begin(draft);
		return undefined;
	}
	return requestsOfDraft(draft);
}

/** `Generate · 1536 × 1024 · 1 image  → docs/img/pier.png`, with how long it takes below. */
function sendItem(
	draft: Draft,
	{ verb, preferences, style, sizeReason }: PromptQuestion,
	path: string | undefined,
): ValueItem {
	const { size, count, quality, references } = draft;
	const hasReferences = references.length + style.references(draft) > 0;
	const money = moneyFor(pricedImage(draft, style), count);
	return {
		icon: 'sparkle',
		label: [verb, sizeWords(size), phrases.withMoney(phrases.images(count), money)].join(' · '),
		description: path === undefined ? '' : `→ ${path}`,
		detail: [
			expectation(preferences.durations(size)),
			sizeReason?.(draft),
			quality === undefined || hasReferences ? undefined : qualityNames[quality].label,
			references.length === 0 ? undefined : phrases.referenceImages(references.length),
			style.words(draft),
		]
			.filter(Boolean)
			.join(' · '),
		alwaysShow: true,
	};
}

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

/** Where the images of a draft go, looked up while the user types; the newest draft wins. */
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
