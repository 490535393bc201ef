import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { replaceAlt } from '../../documents/replaceAlt.js';
import type { Span } from '../../documents/span.js';
import { registerCommand } from '../../editor/commands.js';
import { documentImageAt } from '../../editor/documentImages.js';
import { languageOf } from '../../editor/documentLanguage.js';
import { copyText, notify, runDetached, withErrorMessage } from '../../editor/messages.js';
import { withJobProgress } from '../../editor/progress.js';
import { askPick, askText, type ValueItem } from '../../editor/quickInput.js';
import { flattened, safeName } from '../../editor/untrustedText.js';
import { documentTextAt, framed } from '../../generation/documentText.js';
import { referenceSource } from '../../generation/referenceImages.js';
import type { Services } from '../../generation/services.js';
import { inspectImage } from '../../images/inspect.js';
import { readableSize } from '../../images/readableSize.js';
import type { ReferenceSource } from '../../jobs/createJob.js';
import type { ModelImage } from '../../languageModel/protocols.js';
import { isCancelled } from '../../service/errors.js';
import { altTextMessages } from '../messages.js';
import { readProposal } from './proposal.js';

const { title } = altTextMessages;

/** "Propose Alt Text": a language model looks at a picture; the user decides. */
export function registerAltText(deps: Services): vscode.Disposable {
	return registerCommand('easel.proposeAltText', () =>
		withErrorMessage(() => proposeAltText(deps)),
	);
}

async function proposeAltText({ models, smallerReferences }: Services): Promise<void> {
	const editor = vscode.window.activeTextEditor;
	const image = editor && (await documentImageAt(editor.document, editor.selection.active));
	if (editor === undefined || image === undefined) {
		runDetached(notify('info', altTextMessages.noImage));
		return;
	}
	const { document } = editor;
	const { start, end } = image.span;
	const found = { span: image.span, link: document.getText().slice(start, end) };
	const name = safeName(image.uri, 80);
	const [source] = await smallerReferences.sources([referenceSource(image.uri)], '1024x1024');
	const picture = await readPicture(source!);
	const around = await documentTextAt(
		document,
		new vscode.Range(editor.selection.active, editor.selection.active),
	);
	const text = framed('document', around.text.slice(0, maxAroundLength));
	const send = await models.ask({
		title,
		verb: title,
		summary: altTextMessages.sentImage(readableSize(picture.bytes.length), name),
		instructions: [
			'You write alternative texts for images in documents, by the rules of the W3C.',
			text.meaning,
			'Look at the picture. If it adds nothing to the text, answer with the single word DECORATIVE.',
			'Otherwise the first line of your answer is the alternative text: what the picture says to a reader of this text, at most 125 characters, without "Image of".',
			'Only for a chart, a diagram or another picture that says more, add an empty line and a long description.',
			'Answer in the language of the document, with nothing else.',
		].join(' '),
		text: text.text,
		image: picture,
	});
	if (send === undefined) {
		return;
	}
	const answer = await receive(send);
	if (answer !== undefined) {
		await decide(answer, document, found);
	}
}

/** An image link as it was when the command was given. */
interface FoundLink {
	readonly span: Span;
	readonly link: string;
}

/** Of the text around an image, in UTF-16 code units. */
const maxAroundLength = 4_000;

async function readPicture(source: ReferenceSource): Promise<ModelImage> {
	const folder = await mkdtemp(path.join(tmpdir(), 'easel-alt-'));
	try {
		const copy = path.join(folder, 'image');
		await source.fetch(copy);
		const { contentType } = await inspectImage(copy);
		return { contentType, bytes: await readFile(copy) };
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** @returns `undefined` where the user has cancelled */
async function receive(
	send: (signal: AbortSignal) => AsyncIterable<string>,
): Promise<string | undefined> {
	let answer = '';
	try {
		await withJobProgress(
			title,
			() => flattened(answer),
			async (changed, signal) => {
				for await (const piece of send(signal)) {
					answer += piece;
					changed();
				}
			},
		);
		return answer.trim();
	} catch (error) {
		if (isCancelled(error)) {
			return undefined;
		}
		throw error;
	}
}

type Answer = 'use' | 'change' | 'empty' | 'description';

/** Shows the proposal; nothing changes before the user has chosen. */
async function decide(
	answer: string,
	document: vscode.TextDocument,
	link: FoundLink,
): Promise<void> {
	const { alt, description } = readProposal(answer);
	const item = (value: Answer, icon: string, label: string, detail?: string): ValueItem => ({
		value,
		icon,
		label,
		...(detail === undefined ? {} : { detail }),
	});
	const empty = item(
		'empty',
		'circle-slash',
		altTextMessages.leaveEmpty,
		altTextMessages.decorative,
	);
	const chosen = await askPick({
		title,
		placeholder: altTextMessages.placeholder,
		items: [
			...(alt === '' ? [empty] : [item('use', 'check', altTextMessages.use, alt)]),
			item('change', 'edit', altTextMessages.change),
			...(alt === '' ? [] : [empty]),
			...(description === ''
				? []
				: [item('description', 'copy', altTextMessages.copyDescription, flattened(description))]),
		],
	});
	switch (chosen?.type === 'value' ? (chosen.value.value as Answer) : undefined) {
		case 'use':
			return setAlt(document, link, alt);
		case 'empty':
			return setAlt(document, link, '');
		case 'description':
			return copyText(description, altTextMessages.copied);
		case 'change': {
			const typed = await askText({ title, text: alt });
			return typed?.type === 'value' ? setAlt(document, link, typed.value) : undefined;
		}
		case undefined:
			return undefined;
	}
}

/** Replaces the alt text of a link; where that cannot be found any more, it is copied. */
async function setAlt(
	document: vscode.TextDocument,
	{ span, link }: FoundLink,
	alt: string,
): Promise<void> {
	const at = document.getText().startsWith(link, span.start)
		? span.start
		: document.getText().indexOf(link);
	const found = at < 0 ? undefined : replaceAlt(languageOf(document), link, alt);
	if (found !== undefined) {
		const edit = new vscode.WorkspaceEdit();
		const start = document.positionAt(at + found.start);
		edit.replace(
			document.uri,
			new vscode.Range(start, document.positionAt(at + found.end)),
			found.text,
		);
		if (await vscode.workspace.applyEdit(edit)) {
			return;
		}
	}
	await copyText(alt, altTextMessages.copiedInstead);
}
