import * as vscode from 'vscode';
import { commandTitles, type GenerateArgument } from '../../editor/commandTable.js';
import { registerCommand, runCommand } from '../../editor/commands.js';
import { ageWords } from '../../editor/expectation.js';
import { runDetached } from '../../editor/messages.js';
import { ensureReady } from '../../editor/service.js';
import { readSetting } from '../../editor/settings.js';
import {
	parseArgument,
	type ParsedArgument,
	documentInFront,
	findCommandContext,
	takesNoImages,
	referencesFromArgument,
} from '../../asking/argument.js';
import type { Draft } from '../../asking/draft.js';
import {
	sizeFolder,
	parseUri,
	asReferences,
	qualityOf,
	type CommandContext,
} from '../../editor/imageRequest.js';
import { areModelsOn } from '../../models/languageModels.js';
import { labels } from '../../messages.js';
import type { StoredDraft } from '../../asking/promptEditor.js';
import {
	askForImages,
	needsEditor,
	oneLine,
	recentPrompts,
	rememberAsked,
	requestsOfAnswer,
	separator,
	type PromptAnswer,
	type PromptItem,
} from '../../asking/questions.js';
import { registerRequestCommand } from '../../asking/requestCommands.js';
import type { Services } from '../../services.js';
import { StyleOption } from '../../asking/styleOption.js';
import { requestsOfDraft } from '../../asking/target.js';
import type { Insertion } from '../../jobs/request.js';
import { generateMessages } from '../messages.js';
import { draftPrompt, improvePrompt } from './draftPrompt.js';
import { noteContainer, offerSite } from './offers.js';
import { fitsOneLine, inOneLine, promptAt } from './promptAt.js';
import { generateWritten, registerWrittenPrompts } from './writtenPrompt.js';

/** "Generate Image": from a prompt to a saved file, whatever happens to this window meanwhile. */
export function registerGenerate(deps: Services): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.generateImage', (argument) => generate(argument, deps)),
		// A new file is wanted, and nothing in the document in front.
		registerCommand('easel.newImage', () => generate({ insert: false }, deps)),
		registerCommand('easel.generateFromEditor', () => generate(undefined, deps)),
		registerCommand('easel.writePrompt', async () => {
			await write(deps);
		}),
		registerCommand('easel.draftPrompt', () =>
			draftPrompt(editorInFront(), () => write(deps, true), deps),
		),
		registerCommand('easel.improvePrompt', () => improvePrompt(editorInFront(), deps)),
		registerRequestCommand('change', 'generate', (draft) => change(draft, deps)),
		registerRequestCommand('requests', 'generate', requestsOfDraft),
		registerWrittenPrompts(deps),
	);
}

/**
 * The command: asks for what the argument leaves open, makes the images, and returns those that
 * were saved; `undefined` where the user cancelled, or goes on writing in an editor. In such an
 * editor it takes what is written there. Failures of images are shown to the user.
 *
 * @throws {ArgumentError} naming the field that is wrong
 * @throws {SettingError}
 */
async function generate(
	argument: GenerateArgument | undefined,
	deps: Services,
): Promise<vscode.Uri[] | undefined> {
	const { calls, history, keys, preferences, prompts, styles } = deps;
	const given = parseArgument('generate', argument);
	const editor = editorInFront();
	const asks = given.prompt === undefined;
	const isPlain = Object.keys(given).length === 0;
	if (isPlain && editor !== undefined && prompts.holds(editor.document)) {
		return generateWritten(editor.document, deps);
	}
	// A caller that passes a prompt decides; a user who gives it in a document wants it there.
	const insertion = (given.insert ?? asks) ? placeInFront(editor, deps) : undefined;
	return whileTracked(insertion, deps, async () => {
		const [context, prompt] = await Promise.all([
			findCommandContext(insertion),
			given.prompt ?? promptAt(editor, history),
		]);
		if (context === undefined) {
			return undefined;
		}
		const start = await startingPoint({ ...given, prompt }, context, asks, deps);
		if (!(await ensureReady(keys))) {
			return undefined;
		}
		const line = inOneLine(start.prompt);
		// What was selected comes with its lines, if it was not changed.
		const asSent = (typed: string) => (typed === line ? start.prompt : typed);
		const style = () => StyleOption.of(parseUri(context.workspaceFolder), styles, asSent);
		const asked =
			asks && fitsOneLine(start.prompt)
				? await askForImage({ ...start, prompt: line }, await prompts.list(), await style(), deps)
				: { draft: start, inEditor: asks };
		if (typeof asked !== 'object') {
			return asked;
		}
		const draft = { ...asked.draft, prompt: asSent(asked.draft.prompt) };
		const requests = await requestsOfAnswer({ ...asked, draft }, prompts);
		if (asked.inEditor) {
			return 'written';
		}
		if (requests === undefined || !(asks || (await calls.allows(requests)))) {
			return undefined;
		}
		if (asks) {
			runDetached(offerSite(parseUri(context.document), deps));
			runDetached(noteContainer(vscode.env.remoteName, deps));
		}
		await rememberAsked(requests, preferences);
		return deps.generator.make(requests);
	});
}

/**
 * The command: opens an editor for a prompt, for a new one or the one that was begun last.
 *
 * @param isNew whether it is to be a new and empty one
 * @returns whether one was opened
 */
async function write(deps: Services, isNew = false): Promise<boolean> {
	const { history, prompts } = deps;
	const editor = editorInFront();
	if (editor !== undefined && prompts.holds(editor.document)) {
		return false;
	}
	const insertion = placeInFront(editor, deps);
	let isOpen = false;
	await whileTracked(insertion, deps, async () => {
		const [context, prompt] = await Promise.all([
			findCommandContext(insertion),
			isNew ? '' : promptAt(editor, history),
		]);
		if (context === undefined) {
			return undefined;
		}
		const draft = await startingPoint({ prompt }, context, true, deps);
		const [last] = prompt === '' && !isNew ? await prompts.list() : [];
		await (last === undefined ? prompts.begin(draft) : prompts.goOn(last, draft));
		isOpen = true;
		return 'written';
	});
	return isOpen;
}

/** The place that an image belongs to; `undefined` where no document is in front. */
function placeInFront(
	editor: vscode.TextEditor | undefined,
	{ anchors }: Services,
): Insertion | undefined {
	return editor === undefined ? documentInFront() && anchors.withoutPlace() : anchors.track(editor);
}

/** Stops to follow the place of a command that has come to nothing. */
async function whileTracked(
	insertion: Insertion | undefined,
	{ anchors }: Services,
	command: () => Promise<vscode.Uri[] | 'written' | undefined>,
): Promise<vscode.Uri[] | undefined> {
	let result: vscode.Uri[] | 'written' | undefined;
	try {
		result = await command();
		return result === 'written' ? undefined : result;
	} finally {
		if (result === undefined) {
			anchors.forget(insertion);
		}
	}
}

/** Asks once more for a request that has failed, with everything as it was. */
async function change(draft: Draft, deps: Services): Promise<void> {
	const { generator, prompts, styles } = deps;
	const style = () => StyleOption.of(parseUri(draft.workspaceFolder), styles);
	const asked = needsEditor(draft.prompt)
		? { draft, inEditor: true }
		: await askForImage({ ...draft }, [], await style(), deps);
	const requests = typeof asked === 'object' && (await requestsOfAnswer(asked, prompts));
	await (requests && generator.make(requests));
}

/** The editor in front, if an image can stand in it. */
function editorInFront(): vscode.TextEditor | undefined {
	const editor = vscode.window.activeTextEditor;
	return takesNoImages(editor?.document) ? undefined : editor;
}

async function startingPoint(
	given: ParsedArgument & { readonly prompt: string },
	context: CommandContext,
	asks: boolean,
	{ preferences, styles }: Services,
): Promise<Draft> {
	const { prompt, output, count = 1 } = given;
	const folder = parseUri(context.workspaceFolder);
	const scope = parseUri(context.document) ?? folder;
	const withoutStyle = given.style === false || undefined;
	const ofStyle = withoutStyle ? undefined : await styles.sizeFor(folder);
	const references = await referencesFromArgument(given.references ?? [], folder, 'generate');
	return {
		operation: 'generate',
		...context,
		prompt,
		size:
			given.size ??
			ofStyle ??
			(asks
				? preferences.offeredSize(scope, sizeFolder(context))
				: readSetting('image.size', scope)),
		withoutStyle,
		quality: qualityOf(given.quality ?? readSetting('image.quality', scope)),
		count,
		references: asReferences(references),
		output,
	};
}

/** Leaves the question for the one about a draft. */
const fromDocument: PromptItem = {
	icon: 'book',
	label: commandTitles['easel.draftPrompt'],
	run: () => {
		runDetached(runCommand('easel.draftPrompt'));
		return undefined;
	},
};

/**
 * Asks for the prompt; `undefined` where the user cancelled, `written` where one of the drafts goes on.
 *
 * @param start is changed
 * @param drafts prompts that are being written, of which the user may take one to go on with
 */
async function askForImage(
	start: Draft,
	drafts: readonly StoredDraft[],
	style: StyleOption,
	{ preferences, prompts }: Services,
): Promise<PromptAnswer | 'written' | undefined> {
	let isWritten = false;
	const canDraft = start.document !== undefined && areModelsOn();
	const recent = recentPrompts(preferences, 'generate', generateMessages.recent);
	const begun = drafts.map((stored): PromptItem => ({
		icon: 'edit',
		label: oneLine(stored.draft.prompt),
		description: ageWords(stored.changedAt),
		run: async () => {
			await prompts.goOn(stored, start);
			isWritten = true;
			return undefined;
		},
	}));
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
	});
	return isWritten ? 'written' : asked;
}
