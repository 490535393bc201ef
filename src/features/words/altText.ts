import * as vscode from 'vscode';
import { languageOf } from '../../editor/nearImage.js';
import { replaceAlt } from '../../documents/replaceAlt.js';
import { copyText } from '../../editor/messages.js';
import { askPick, askText, type ValueItem } from '../../editor/quickInput.js';
import { flattened } from '../../editor/untrustedText.js';
import { framed } from '../../models/documentText.js';
import { receiveAnswer } from '../../models/languageModels.js';
import type { Services } from '../../services.js';
import { readableSize } from '../../images/readableSize.js';
import { altTextMessages, wordsMessages } from '../messages.js';
import { linkedImage, readPicture, type ImageAtCursor } from './picture.js';
import { readProposal } from './proposal.js';

const { title } = altTextMessages;

/** "Propose Alt Text": a language model looks at a picture; the user decides. */
export async function proposeAltText(given: vscode.Uri | undefined, deps: Services): Promise<void> {
	const image = await linkedImage(given);
	if (image === undefined) {
		return;
	}
	const picture = await readPicture(image.uri, deps);
	const around = image.around.text.slice(0, maxAroundLength);
	const text = framed('document', around);
	const send = await deps.models.ask({
		title,
		verb: title,
		summary: wordsMessages.sentImage(readableSize(picture.bytes.length), image.name, around.length),
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
	const answer = await receiveAnswer(title, send);
	if (answer !== undefined) {
		await decide(answer, image);
	}
}

/** Longest text around an image, in UTF-16 code units. */
const maxAroundLength = 4_000;

type Answer = 'use' | 'change' | 'empty' | 'description';

/** Shows the proposal; nothing changes before the user has chosen. */
async function decide(answer: string, image: ImageAtCursor): Promise<void> {
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
			return setAlt(image, alt);
		case 'empty':
			return setAlt(image, '');
		case 'description':
			return copyText(description, altTextMessages.copied);
		case 'change': {
			const typed = await askText({ title, text: alt });
			return typed?.type === 'value' ? setAlt(image, typed.value) : undefined;
		}
		case undefined:
			return undefined;
	}
}

/** Replaces the alt text of a link; where that cannot be found any more, it is copied. */
async function setAlt({ document, span, link }: ImageAtCursor, alt: string): Promise<void> {
	const at = document.getText().startsWith(link, span.start)
		? span.start
		: document.getText().indexOf(link);
	const text = document.getText();
	const written = {
		link,
		languageId: languageOf(document),
		before: text.slice(text.lastIndexOf('\n', at - 1) + 1, at),
		behind: text.slice(at + link.length, at + link.length + 10),
	};
	const found = at < 0 ? undefined : replaceAlt(written, alt);
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
