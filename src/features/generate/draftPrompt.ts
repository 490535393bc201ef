import * as vscode from 'vscode';
import { notify, runDetached } from '../../editor/messages.js';
import { documentTextAt, type DocumentText } from '../../models/documentText.js';
import { withAnswerProgress, type Send } from '../../models/languageModels.js';
import { drafting } from '../../messages.js';
import { draftTask, improveTask, promptIn } from '../../models/promptTasks.js';
import type { Services } from '../../services.js';
import { documentAt } from '../../editor/documents.js';
import { formatNumber } from '../../images/wording.js';
import { isCancelled } from '../../service/errors.js';
import { generateMessages } from '../messages.js';

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
		runDetached(notify('info', drafting.nothingToDraftFrom));
		return;
	}
	const send = await deps.models.ask(await draftTask(source, deps.styles));
	if (send !== undefined && (isPrompt || (await begin()))) {
		await writeInFront(drafting.draftTitle, send);
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
	const task = improveTask(editor.document.getText());
	if (task === undefined) {
		runDetached(notify('info', drafting.promptEmpty));
		return;
	}
	const send = await models.ask(task);
	await (send && writeInFront(drafting.improveTitle, send));
}

/** The part of a document that a prompt is written for; `undefined` where it is for none. */
async function sourceOfPrompt(
	prompt: vscode.TextDocument,
	{ anchors, prompts }: Services,
): Promise<DocumentText | undefined> {
	const draft = await prompts.read(prompt);
	const uri = draft && anchors.documentOf(draft);
	const document = uri && (await documentAt(uri));
	if (document === undefined) {
		return undefined;
	}
	const [place] = (draft?.insertion && anchors.find(draft.insertion)?.anchors) ?? [];
	const start = document.positionAt(place?.start ?? 0);
	return documentTextAt(document, new vscode.Range(start, document.positionAt(place?.end ?? 0)));
}

/**
 * Writes what comes into the prompt in front, in place of what is there; one Undo takes it back.
 * Typing in it ends that: what the user writes counts.
 */
async function writeInFront(title: string, send: Send): Promise<void> {
	const editor = vscode.window.activeTextEditor;
	if (editor === undefined) {
		return;
	}
	const { document } = editor;
	let text = '';
	const words = () => generateMessages.draftedLength(formatNumber(text.length));
	await withAnswerProgress(title, words, async (changed, signal, onWait) => {
		let { version } = document;
		try {
			for await (const piece of send(signal, onWait)) {
				const isFirst = text === '';
				text = promptIn(text + piece);
				changed();
				if (text === '') {
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
