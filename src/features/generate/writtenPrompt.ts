import { posix } from 'node:path';
import * as vscode from 'vscode';
import { register, registerCommand } from '../../editor/commands.js';
import { notify, runDetached, withErrorMessage } from '../../editor/messages.js';
import { provideCodeLenses, type Lens } from '../../editor/lenses.js';
import { ensureReady } from '../../editor/service.js';
import { promptLanguage } from '../../documents/languages.js';
import { contextOf, type Draft } from '../../generation/draft.js';
import type { Services } from '../../generation/services.js';
import { oneLine, sizeWords } from '../../generation/questions.js';
import { runRequestCommand } from '../../generation/requestCommands.js';
import { StyleOption } from '../../generation/styleOption.js';
import { documentAt } from '../../generation/writing.js';
import type { ImageRequest } from '../../jobs/request.js';
import { longestPrompt } from '../../protocol/studio.js';
import { askOption, askOptions, qualityWords, type Option } from './options.js';
import { generateMessages } from '../messages.js';
import { phrases } from '../../generation/messages.js';

const title = generateMessages.promptTab;
const everyOption: readonly Option[] = ['size', 'quality', 'count', 'references'];
/** What a line above the prompt does when it is clicked. No menu has it. */
const changeOption = '_easel.prompt.change';

/** Shows what would be sent for it, or changes whether the style counts. */
const pressStyle = '_easel.prompt.style';

type Deps = Pick<Services, 'generator' | 'anchors' | 'keys' | 'preferences' | 'prompts' | 'styles'>;

/** What stands above a prompt that is written in an editor, and changes it. */
export function registerWrittenPrompts(deps: Deps): vscode.Disposable {
	const { prompts, styles } = deps;
	const changed = new vscode.EventEmitter<void>();
	const fire = () => {
		changed.fire();
	};
	return vscode.Disposable.from(
		changed,
		prompts.onDidChange(fire),
		styles.onDidChange(fire),
		provideCodeLenses(promptLanguage, changed.event, async (document) => {
			const draft = await prompts.read(document);
			return draft === undefined ? [] : lensesOf(draft, document.uri, await styleOf(draft, deps));
		}),
		register(pressStyle, (uri, value) => pressStyleOf(openPrompt(uri, deps), value, deps)),
		register(changeOption, (uri, option) =>
			changeOptions(openPrompt(uri, deps), option as Option, deps),
		),
		registerCommand('easel.choosePromptOptions', async () => {
			const document = vscode.window.activeTextEditor?.document;
			await changeOptions(document, undefined, deps);
		}),
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
	deps: Deps,
): Promise<vscode.Uri[] | undefined> {
	const key = document.uri.toString();
	if (underWay.has(key)) {
		return undefined;
	}
	underWay.add(key);
	try {
		const requests = await requestsOf(document, deps);
		return (
			requests &&
			(await deps.generator.make(requests, async () => {
				const [first] = requests;
				await (first && remember(first, deps));
				await deps.prompts.end(document);
				await (first && goBack(first, deps));
			}))
		);
	} finally {
		underWay.delete(key);
	}
}

/** `undefined` where nothing can be asked for, which is told; the prompt stays open then. */
async function requestsOf(
	document: vscode.TextDocument,
	{ keys, prompts }: Deps,
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
	return text.length > longestPrompt
		? generateMessages.promptTooLong(text.length, longestPrompt)
		: undefined;
}

async function remember(
	{ operation, prompt, size }: ImageRequest,
	{ preferences }: Deps,
): Promise<void> {
	await preferences.rememberPrompt(operation, prompt);
	if (operation === 'generate') {
		await preferences.rememberSize(size);
	}
}

/** Shows the document again that the image is for, and follows the place there. */
async function goBack(request: ImageRequest, { anchors }: Deps): Promise<void> {
	const { insertion } = request;
	const uri = anchors.documentOf(contextOf(request));
	const document = uri && (await documentAt(uri));
	if (document === undefined || insertion === undefined) {
		// It is gone, or none; the image is told of without it.
		return;
	}
	try {
		anchors.resume(insertion, document.uri);
		if (document.uri.scheme === 'vscode-notebook-cell') {
			return;
		}
		const group = vscode.window.tabGroups.all.find(({ tabs }) =>
			tabs.some(
				({ input }) =>
					input instanceof vscode.TabInputText && input.uri.toString() === document.uri.toString(),
			),
		);
		await vscode.window.showTextDocument(document, { viewColumn: group?.viewColumn });
	} catch {
		// It cannot be shown, which the image does not need.
	}
}

function styleOf({ context }: Draft, { styles }: Deps): Promise<StyleOption> {
	return StyleOption.of(context.workspaceFolder, styles);
}

async function pressStyleOf(
	document: vscode.TextDocument | undefined,
	value: unknown,
	deps: Deps,
): Promise<void> {
	const draft = document && (await deps.prompts.read(document));
	if (draft !== undefined) {
		const choices = { ...draft.choices };
		await (await styleOf(draft, deps)).press(String(value), choices);
		await deps.prompts.change(document!.uri, { ...draft, choices });
	}
}

function lensesOf(draft: Draft, uri: vscode.Uri, style: StyleOption): Lens[] {
	const { choices, context } = draft;
	const { size, count, references } = choices;
	const change = (option: Option, words: string): Lens => ({
		text: words,
		command: changeOption,
		arguments: [uri.toString(), option],
	});
	const names = references.map((reference) => oneLine(posix.basename(reference.path), 40));
	return [
		{ icon: 'sparkle', text: generateMessages.generate, command: 'easel.generateImage' },
		change('size', sizeWords(size)),
		change('quality', generateMessages.qualityLens(qualityWords(choices, style))),
		change('count', phrases.paidRequests(count)),
		change('references', generateMessages.referencesLens(names)),
		...style.items(choices).map(({ icon = '', label, value }) => ({
			icon,
			text: label,
			command: pressStyle,
			arguments: [uri.toString(), value],
		})),
		...(context.document === undefined || context.insertion === undefined
			? []
			: [
					{
						text: generateMessages.forDocument(oneLine(posix.basename(context.document.path), 60)),
					},
				]),
	];
}

/** The document of a prompt, by the URI that the lines above it carry. */
function openPrompt(uri: unknown, { prompts }: Deps): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(
		(document) => document.uri.toString() === uri && prompts.holds(document),
	);
}

/** Asks for one option, or for which of them; what was chosen is kept, whatever is cancelled. */
async function changeOptions(
	document: vscode.TextDocument | undefined,
	option: Option | undefined,
	deps: Deps,
): Promise<void> {
	const { preferences, prompts } = deps;
	const draft = document && (await prompts.read(document));
	if (draft === undefined) {
		return;
	}
	await withErrorMessage(async () => {
		const choices = { ...draft.choices };
		const question = { title, preferences, style: await styleOf(draft, deps) };
		await (option === undefined
			? askOptions(choices, { ...question, options: everyOption })
			: askOption(option, choices, question));
		// Without any reference it would be no edit.
		const isNone = draft.operation === 'edit' && choices.references.length === 0;
		const references = isNone ? draft.choices.references : choices.references;
		await prompts.change(document!.uri, { ...draft, choices: { ...choices, references } });
	});
}
