import * as vscode from 'vscode';
import { EaselError } from '../easelError.js';
import { framed, type DocumentText } from './documentText.js';
import type { ModelTask } from './languageModels.js';
import { drafting } from '../messages.js';
import type { Styles } from '../style/styles.js';

const answerRule =
	'Use at most 100 words. Answer with the prompt alone, without quotation marks around it, headings or remarks.';

/**
 * Returns what a language model is asked for a prompt of an illustration.
 *
 * @param link of the image that the prompt is for, where the document has one: an untrusted text
 */
export async function draftTask(
	{ uri, name, title, text, isCut }: DocumentText,
	styles: Styles,
	link?: string,
): Promise<ModelTask> {
	const style = await styles.look(vscode.workspace.getWorkspaceFolder(uri)?.uri);
	const head = [
		`File: ${name}`,
		`Title: ${title}`,
		...(link === undefined ? [] : [`Link: ${link}`]),
	];
	const document = framed('document', [...head, '', text].join('\n'));
	const guide =
		style === undefined || style instanceof EaselError || style.text === ''
			? undefined
			: framed('style-guide', style.text);
	return {
		title: drafting.draftTitle,
		verb: drafting.draftVerb,
		summary: isCut
			? drafting.sentBeginning(text.length, name)
			: drafting.sentText(text.length, name),
		instructions: [
			'You write prompts for a model that makes images.',
			'Write a prompt for one illustration that helps the readers of the part of a document that follows.',
			...(link === undefined ? [] : ['The illustration is the one that the link names.']),
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

/** Returns what a language model is asked for a better prompt; `undefined` where there is none yet. */
export function improveTask(written: string): ModelTask | undefined {
	const prompt = written.trim();
	if (prompt === '') {
		return undefined;
	}
	const { text, meaning } = framed('prompt', prompt);
	return {
		title: drafting.improveTitle,
		verb: drafting.improveTitle,
		summary: drafting.sentPrompt(prompt.length),
		instructions: [
			'You improve prompts for a model that makes images.',
			meaning,
			'Keep its subject, its language and all words in quotation marks.',
			'Add what is missing for a clear picture: composition, viewpoint, light, style.',
			answerRule,
		].join(' '),
		text,
	};
}

/** Returns the prompt in an answer, as far as it has come: without control characters. */
export function promptIn(answer: string): string {
	return answer
		.toWellFormed()
		.replace(/[^\P{Cc}\n]/gu, '')
		.trimStart();
}
