import { posix } from 'node:path';
import * as vscode from 'vscode';
import { columnFor } from '../../editor/column.js';
import { registerHiddenCommand, registerCommand } from '../../editor/commands.js';
import { notify, runDetached, withErrorMessage } from '../../editor/messages.js';
import { provideCodeLenses, showPlaceholder, type Lens } from '../../editor/lineNotes.js';
import { ensureReady } from '../../editor/service.js';
import { promptLanguage } from '../../documents/languages.js';
import { moneyFor } from '../../editor/money.js';
import type { Draft } from '../../asking/draft.js';
import { parseUri, urisOf } from '../../editor/imageRequest.js';
import type { Services } from '../../services.js';
import {
	askOptions,
	optionItem,
	pricedImage,
	qualityWords,
	sizeWords,
	type Option,
} from '../../asking/options.js';
import { oneLine, rememberAsked } from '../../asking/questions.js';
import { runRequestCommand } from '../../asking/requestCommands.js';
import { StyleOption } from '../../asking/styleOption.js';
import { documentAt } from '../../editor/documents.js';
import type { ImageRequest } from '../../jobs/request.js';
import { maxPromptLength } from '../../protocol/studioModel.js';
import { generateMessages } from '../messages.js';
import { phrases } from '../../messages.js';

const title = generateMessages.promptTab;
const everyOption: readonly Option[] = ['size', 'quality', 'background', 'count', 'references'];
/** Commands of the line above the prompt. No menu has it. */
const changeOption = '_easel.prompt.change';

/** Shows what would be sent for it, or changes whether the style counts. */
const pressStyle = '_easel.prompt.style';

/** Registers the line above a prompt in an editor, which changes the draft. */
export function registerWrittenPrompts(deps: Services): vscode.Disposable {
	const { preferences, prompts, styles } = deps;
	const changed = new vscode.EventEmitter<void>();
	return vscode.Disposable.from(
		changed,
		showPlaceholder(promptLanguage, generateMessages.promptPlaceholder),
		prompts.onDidChange(() => changed.fire()),
		styles.onDidChange(() => changed.fire()),
		provideCodeLenses(promptLanguage, changed.event, async (document) => {
			const draft = await prompts.read(document);
			return draft === undefined ? [] : lensesOf(draft, document.uri, await styleOf(draft, deps));
		}),
		registerHiddenCommand(pressStyle, (uri, value) =>
			changeDraft(openPrompt(uri, deps), deps, async (draft, style) =>
				style
					.items(draft)
					.find((item) => item.value === value)
					?.run?.(draft),
			),
		),
		registerHiddenCommand(changeOption, (uri, option) =>
			changeDraft(openPrompt(uri, deps), deps, (draft, style) =>
				optionItem(option as Option, draft, { title, preferences, style }).run(draft),
			),
		),
		registerCommand('easel.choosePromptOptions', () =>
			changeDraft(vscode.window.activeTextEditor?.document, deps, (draft, style) =>
				askOptions(draft, everyOption, { title, preferences, style }),
			),
		),
	);
}

/** Prompts whose images are being asked for: a key that is pressed twice pays once. */
const underWay = new Set<string>();

/**
 * Makes the images of a prompt that was written in an editor, and returns those that were saved. They
 * belong where the command was given that has opened it. It closes when they are asked for; until
 * then nothing else knows of it.
 */
export async function generateWritten(
	document: vscode.TextDocument,
	deps: Services,
): Promise<vscode.Uri[] | undefined> {
	const { generator, preferences, prompts } = deps;
	const key = document.uri.toString();
	if (underWay.has(key)) {
		return undefined;
	}
	underWay.add(key);
	try {
		const requests = await requestsOf(document, deps);
		return (
			requests &&
			(await generator.make(requests, async () => {
				const [first] = requests;
				await rememberAsked(requests, preferences);
				await prompts.end(document);
				await (first && goBack(first, deps));
			}))
		);
	} finally {
		underWay.delete(key);
	}
}

/** Returns `undefined` where nothing can be asked for, with a message; the prompt stays open then. */
async function requestsOf(
	document: vscode.TextDocument,
	{ keys, prompts }: Services,
): Promise<ImageRequest[] | undefined> {
	const problem = problemOf(document.getText());
	if (problem !== undefined) {
		runDetached(notify('warning', problem));
		return undefined;
	}
	const draft = await prompts.read(document);
	if (draft === undefined) {
		runDetached(notify('warning', generateMessages.promptUsed));
		return undefined;
	}
	if (!(await ensureReady(keys))) {
		return undefined;
	}
	return runRequestCommand('requests', draft.operation, draft, (changed) =>
		prompts.change(document.uri, changed),
	);
}

function problemOf(text: string): string | undefined {
	if (text.trim() === '') {
		return generateMessages.promptEmpty;
	}
	return text.length > maxPromptLength
		? generateMessages.promptTooLong(text.length, maxPromptLength)
		: undefined;
}

/** Shows the document again that the image is for, and follows the place there. */
async function goBack(request: ImageRequest, { anchors }: Services): Promise<void> {
	const { insertion } = request;
	const uri = anchors.documentOf(request);
	const document = uri && (await documentAt(uri));
	if (document === undefined || insertion === undefined) {
		// It is gone, or none, which the image does not need.
		return;
	}
	try {
		anchors.resume(insertion, document.uri);
		if (document.uri.scheme === 'vscode-notebook-cell') {
			return;
		}
		await vscode.window.showTextDocument(document, { viewColumn: columnFor(document.uri) });
	} catch {
		// It cannot be shown, which the image does not need.
	}
}

function styleOf({ workspaceFolder }: Draft, { styles }: Services): Promise<StyleOption> {
	return StyleOption.of(parseUri(workspaceFolder), styles);
}

function lensesOf(draft: Draft, uri: vscode.Uri, style: StyleOption): Lens[] {
	const { size, background, count, references, document, insertion, regeneratedFrom } = draft;
	const change = (option: Option, words: string): Lens => ({
		text: words,
		command: changeOption,
		arguments: [uri.toString(), option],
	});
	const money = moneyFor(pricedImage(draft, style), count);
	const names = urisOf(references).map(({ path }) => oneLine(posix.basename(path), 40));
	return [
		{ icon: 'sparkle', text: generateMessages.generate, command: 'easel.generateImage' },
		change('size', sizeWords(size)),
		change('quality', generateMessages.qualityLens(qualityWords(draft, { style }))),
		...(background === undefined ? [] : [change('background', phrases.transparent)]),
		change('count', phrases.withMoney(phrases.paidRequests(count), money)),
		change('references', generateMessages.referencesLens(names)),
		...style.items(draft).map(({ icon = '', label, value }) => ({
			icon,
			text: label,
			command: pressStyle,
			arguments: [uri.toString(), value],
		})),
		...(document === undefined
			? []
			: [{ text: generateMessages.draftLens, command: 'easel.draftPrompt' }]),
		{ text: generateMessages.improveLens, command: 'easel.improvePrompt' },
		...(regeneratedFrom === undefined
			? []
			: [{ text: generateMessages.fromImage(shortName(regeneratedFrom)) }]),
		...(document === undefined || insertion === undefined
			? []
			: [{ text: generateMessages.forDocument(shortName(document)) }]),
	];
}

function shortName(uri: string): string {
	return oneLine(posix.basename(vscode.Uri.parse(uri, true).path), 60);
}

/** The document of a prompt, by the URI that the lines above it carry. */
function openPrompt(uri: unknown, { prompts }: Services): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(
		(document) => document.uri.toString() === uri && prompts.holds(document),
	);
}

/** Has what a prompt is written for changed; that is stored, whatever is cancelled. */
async function changeDraft(
	document: vscode.TextDocument | undefined,
	deps: Services,
	change: (draft: Draft, style: StyleOption) => Promise<Draft | undefined>,
): Promise<void> {
	const before = document && (await deps.prompts.read(document));
	if (before === undefined) {
		return;
	}
	await withErrorMessage(async () => {
		const draft = (await change(before, await styleOf(before, deps))) ?? before;
		// Without any reference it would be no edit.
		const isNone = draft.operation === 'edit' && draft.references.length === 0;
		const { references } = isNone ? before : draft;
		await deps.prompts.change(document!.uri, { ...draft, references });
	});
}
