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
	knownQuality,
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
import { noteContainer } from './offers.js';
import { fitsOneLine, inOneLine, promptAt } from './promptAt.js';
import { generateWritten, registerWrittenPrompts } from './writtenPrompt.js';

/** "Generate Image": from a prompt to a saved file, whatever happens to this window meanwhile. */
export function registerGenerate(deps: Services): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.generateImage', (argument) => generate(argument, deps)),
		registerCommand('easel.writePrompt', async () => {
			await write(deps);
		}),
		registerCommand('easel.generateFromEditor', () => generate(undefined, deps)),
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
	const { callConfirmation, history, keys, preferences, prompts, styles } = deps;
	const given = parseArgument('generate', argument);
	const editor = editorInFront();
	const asks = given.prompt === undefined;
	const isPlain = Object.keys(given).length === 0;
	if (isPlain && editor !== undefined && prompts.holds(editor.document)) {
		return generateWritten(editor.document, deps);
	}
	// A caller that passes a prompt decides; a user who gives it in a document wants it there.
	const insertion = (given.insert ?? asks) ? placeInFront(editor, deps) : undefined;
	const end = await whileTracked(insertion, deps, async () => {
		const [context, prompt] = await Promise.all([
			findCommandContext(insertion),
			given.prompt ?? promptAt(editor, history),
		]);
		if (context === undefined) {
			return cancelled;
		}
		const start = await startingPoint({ ...given, prompt }, context, asks, deps);
		if (!(await ensureReady(keys))) {
			return cancelled;
		}
		const line = inOneLine(start.prompt);
		// What was selected comes with its lines, if it was not changed.
		const asSent = (typed: string) => (typed === line ? start.prompt : typed);
		const style = () => StyleOption.of(parseUri(context.workspaceFolder), styles, asSent);
		const asked =
			asks && fitsOneLine(start.prompt)
				? await askForImage({ ...start, prompt: line }, await prompts.list(), await style(), deps)
				: { type: asks ? ('write' as const) : ('make' as const), draft: start };
		if (asked === undefined) {
			return cancelled;
		}
		const draft = { ...asked.draft, prompt: asSent(asked.draft.prompt) };
		const requests = await requestsOfAnswer({ ...asked, draft }, prompts);
		if (asked.type !== 'make') {
			return { type: 'inEditor' };
		}
		if (requests === undefined || !(asks || (await callConfirmation.allows(requests)))) {
			return cancelled;
		}
		if (asks) {
			runDetached(noteContainer(vscode.env.remoteName, deps));
		}
		await rememberAsked(requests, preferences);
		const images = await deps.generator.make(requests);
		return images === undefined ? cancelled : { type: 'made', images };
	});
	return end.type === 'made' ? end.images : undefined;
}

/**
 * The command: opens an editor for a prompt, for a new one or the one that was begun last.
 *
 * @param isNew true for a new and empty one
 * @returns whether one was opened
 */
async function write(deps: Services, isNew = false): Promise<boolean> {
	const { history, prompts } = deps;
	const editor = editorInFront();
	if (editor !== undefined && prompts.holds(editor.document)) {
		return false;
	}
	const insertion = placeInFront(editor, deps);
	const end = await whileTracked(insertion, deps, async () => {
		const [context, prompt] = await Promise.all([
			findCommandContext(insertion),
			isNew ? '' : promptAt(editor, history),
		]);
		if (context === undefined) {
			return cancelled;
		}
		const draft = await startingPoint({ prompt }, context, true, deps);
		const [last] = prompt === '' && !isNew ? await prompts.list() : [];
		await (last === undefined ? prompts.begin(draft) : prompts.goOn(last, draft));
		return { type: 'inEditor' };
	});
	return end.type === 'inEditor';
}

/** The place that an image belongs to; `undefined` where no document is in front. */
function placeInFront(
	editor: vscode.TextEditor | undefined,
	{ anchors }: Services,
): Insertion | undefined {
	return editor === undefined ? documentInFront() && anchors.withoutPlace() : anchors.track(editor);
}

/** End of a command: its place is needed on, unless it was cancelled. */
type CommandEnd =
	| { readonly type: 'made'; readonly images: vscode.Uri[] }
	| { readonly type: 'inEditor' }
	| { readonly type: 'cancelled' };

const cancelled: CommandEnd = { type: 'cancelled' };

/** Stops to follow the place of a command that has come to nothing. */
async function whileTracked(
	insertion: Insertion | undefined,
	{ anchors }: Services,
	command: () => Promise<CommandEnd>,
): Promise<CommandEnd> {
	let end = cancelled;
	try {
		end = await command();
		return end;
	} finally {
		if (end.type === 'cancelled') {
			anchors.forget(insertion);
		}
	}
}

/** Asks once more for a request that has failed, with everything as it was. */
async function change(draft: Draft, deps: Services): Promise<void> {
	const { generator, prompts, styles } = deps;
	const style = () => StyleOption.of(parseUri(draft.workspaceFolder), styles);
	const asked = needsEditor(draft.prompt)
		? { type: 'write' as const, draft }
		: await askForImage(draft, [], await style(), deps);
	const requests = asked && (await requestsOfAnswer(asked, prompts));
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
		quality: knownQuality(given.quality ?? readSetting('image.quality', scope)),
		background: given.background,
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
		return Promise.resolve(undefined);
	},
};

/**
 * Asks for the prompt; `undefined` where the user cancelled.
 *
 * @param drafts prompts that are being written, of which the user may take one to go on with
 */
async function askForImage(
	start: Draft,
	drafts: readonly StoredDraft[],
	style: StyleOption,
	{ preferences }: Services,
): Promise<PromptAnswer | undefined> {
	const canDraft = start.document !== undefined && areModelsOn();
	const recent = recentPrompts(preferences, 'generate', generateMessages.recent);
	const begun = drafts.map((stored): PromptItem => ({
		icon: 'edit',
		label: oneLine(stored.draft.prompt),
		description: ageWords(stored.changedAt),
		run: (draft) => Promise.resolve({ type: 'continue', draft, stored }),
	}));
	return askForImages(start, {
		title: generateMessages.title,
		placeholder: generateMessages.placeholder,
		verb: labels.generate,
		preferences,
		style,
		options: ['size', 'count', 'quality', 'background', 'references'],
		more: (draft) => [
			...(canDraft && draft.prompt.trim() === '' ? [fromDocument] : []),
			...(begun.length === 0 ? [] : [separator(generateMessages.drafts), ...begun]),
			...recent(draft),
		],
	});
}
