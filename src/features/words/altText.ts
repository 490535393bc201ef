import * as vscode from 'vscode';
import { altEdit } from '../../editor/altEdit.js';
import { copyText } from '../../editor/messages.js';
import { askPick, askText, type ValueItem } from '../../editor/quickInput.js';
import { flattened } from '../../editor/untrustedText.js';
import { receiveAnswer } from '../../models/languageModels.js';
import type { Services } from '../../services.js';
import { readableSize } from '../../images/readableSize.js';
import { altTextMessages, wordsMessages } from '../messages.js';
import { linkedImage, readPicture, type ImageAtCursor } from '../../models/picture.js';
import { readProposal } from '../../models/altProposal.js';
import { altQuestion, maxAroundLength } from '../../models/altQuestion.js';

const { title } = altTextMessages;

/** "Propose Alt Text": a language model looks at a picture; the user decides. */
export async function proposeAltText(given: vscode.Uri | undefined, deps: Services): Promise<void> {
	const image = await linkedImage(given);
	if (image === undefined) {
		return;
	}
	const picture = await readPicture(image.uri, deps);
	const around = image.around.text.slice(0, maxAroundLength);
	const send = await deps.models.ask({
		title,
		verb: title,
		summary: wordsMessages.sentImage(readableSize(picture.bytes.length), image.name, around.length),
		...altQuestion(around),
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
	const found = altEdit(document, { link, start: span.start }, alt);
	if (found !== undefined) {
		const edit = new vscode.WorkspaceEdit();
		edit.set(document.uri, [found]);
		if (await vscode.workspace.applyEdit(edit)) {
			return;
		}
	}
	await copyText(alt, altTextMessages.copiedInstead);
}
