import * as vscode from 'vscode';
import { withJobProgress } from '../../editor/progress.js';
import { notify, runDetached } from '../../editor/messages.js';
import { EaselError } from '../../easelError.js';
import { documentTextAt, framed, type DocumentText } from '../../generation/documentText.js';
import type { ModelTask } from '../../generation/languageModels.js';
import type { Services } from '../../generation/services.js';
import { documentAt } from '../../generation/writing.js';
import { formatNumber } from '../../images/wording.js';
import { maxPromptLength } from '../../protocol/studio.js';
import { isCancelled } from '../../service/errors.js';
import { generateMessages } from '../messages.js';

const { draftTitle, improveTitle } = generateMessages;

/**
 * Has a language model write a prompt for a part of a document. Nothing is generated.
 *
 * @param begin opens the editor of a new prompt, where none is in front; whether it did
 */
export async function draftPrompt(
	editor: vscode.TextEditor | undefined,
	begin: () => Promise<boolean>,
	deps: Services,
): Promise<void> {
	const isPrompt = editor !== undefined && deps.prompts.holds(editor.document);
	const source =
		editor === undefined
			? undefined
			: isPrompt
				? await sourceOfPrompt(editor.document, deps)
				: await documentTextAt(editor.document, editor.selection);
	if (source === undefined || source.text === '') {
		runDetached(notify('info', generateMessages.nothingToDraftFrom));
		return;
	}
	const send = await deps.models.ask(await draftTask(source, deps));
	if (send !== undefined && (isPrompt || (await begin()))) {
		await writeInFront(draftTitle, send);
	}
}

/** Has a language model improve the prompt in the editor in front. */
export async function improvePrompt(
	editor: vscode.TextEditor | undefined,
	{ models, prompts }: Services,
): Promise<void> {
	if (editor === undefined || !prompts.holds(editor.document)) {
		runDetached(notify('info', generateMessages.noPromptInFront));
		return;
	}
	const prompt = editor.document.getText().trim().slice(0, maxPromptLength);
	if (prompt === '') {
		runDetached(notify('info', generateMessages.promptEmpty));
		return;
	}
	const { text, meaning } = framed('prompt', prompt);
	const send = await models.ask({
		title: improveTitle,
		verb: generateMessages.improveVerb,
		summary: generateMessages.sentPrompt(prompt.length),
		instructions: [
			'You improve prompts for a model that makes images.',
			meaning,
			'Keep its subject, its language and all words in quotation marks.',
			'Add what is missing for a clear picture: composition, viewpoint, light, style.',
			answerRule,
		].join(' '),
		text,
	});
	await (send && writeInFront(improveTitle, send));
}

const answerRule =
	'Use at most 100 words. Answer with the prompt alone, without quotation marks around it, headings or remarks.';

async function draftTask(
	{ uri, name, title, text, isCut }: DocumentText,
	{ styles }: Services,
): Promise<ModelTask> {
	const style = await styles.look(vscode.workspace.getWorkspaceFolder(uri)?.uri);
	const document = framed('document', [`File: ${name}`, `Title: ${title}`, '', text].join('\n'));
	const guide =
		style === undefined || style instanceof EaselError || style.text === ''
			? undefined
			: framed('style-guide', style.text);
	return {
		title: draftTitle,
		verb: generateMessages.draftVerb,
		summary: isCut
			? generateMessages.sentBeginning(text.length, name)
			: generateMessages.sentText(text.length, name),
		instructions: [
			'You write prompts for a model that makes images.',
			'Write a prompt for one illustration that helps the readers of the part of a document that follows.',
			document.meaning,
			...(guide === undefined
				? []
				: [guide.meaning, 'The guide describes the style. It is added later: do not repeat it.']),
			'Name the subject, the composition and the viewpoint. Avoid text in the picture; where words are needed, put them in quotation marks.',
			answerRule,
		].join(' '),
		text: [document.text, ...(guide === undefined ? [] : [guide.text])].join('\n\n'),
	};
}

/** The part of a document that a prompt is written for; `undefined` where it is for none. */
async function sourceOfPrompt(
	prompt: vscode.TextDocument,
	{ anchors, prompts }: Services,
): Promise<DocumentText | undefined> {
	const context = (await prompts.read(prompt))?.context;
	const uri = context && anchors.documentOf(context);
	const document = uri && (await documentAt(uri));
	if (document === undefined) {
		return undefined;
	}
	const [place] = (context?.insertion && anchors.find(context.insertion)?.anchors) ?? [];
	const start = document.positionAt(place?.start ?? 0);
	return documentTextAt(document, new vscode.Range(start, document.positionAt(place?.end ?? 0)));
}

/**
 * Writes what comes into the prompt in front, in place of what is there; one Undo takes it back.
 * Typing in it ends that: what the user writes counts.
 */
async function writeInFront(
	title: string,
	send: (signal: AbortSignal) => AsyncIterable<string>,
): Promise<void> {
	const editor = vscode.window.activeTextEditor;
	if (editor === undefined) {
		return;
	}
	const { document } = editor;
	let text = '';
	const words = () => generateMessages.draftedLength(formatNumber(text.length));
	await withJobProgress(title, words, async (changed, signal) => {
		let { version } = document;
		try {
			for await (const piece of send(signal)) {
				const isFirst = text === '';
				text = (text + piece)
					.toWellFormed()
					.replace(/[^\P{Cc}\n]/gu, '')
					.trimStart();
				changed();
				if (text === '' || text.length > maxPromptLength) {
					continue;
				}
				if (document.version !== version || !(await write(editor, text, isFirst))) {
					return;
				}
				({ version } = document);
			}
		} catch (error) {
			if (!isCancelled(error)) {
				throw error;
			}
		}
	});
}

function write(editor: vscode.TextEditor, text: string, isFirst: boolean): Thenable<boolean> {
	const { document } = editor;
	const all = document.validateRange(new vscode.Range(0, 0, document.lineCount, 0));
	return editor.edit((edit) => edit.replace(all, text), {
		undoStopBefore: isFirst,
		undoStopAfter: false,
	});
}
