import path from 'node:path';
import * as vscode from 'vscode';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import type { Preferences } from '../../editor/preferences.js';
import { askPick, askText, type ValueItem } from '../../editor/quickInput.js';
import { readSetting } from '../../editor/settings.js';
import { safeText } from '../../editor/untrustedText.js';
import type { Choices, Draft } from '../../generation/draft.js';
import { labels } from '../../generation/messages.js';
import { sizeWords } from '../../generation/options.js';
import { askForImages, oneLine, separator } from '../../generation/questions.js';
import type { StyleOption } from '../../generation/styleOption.js';
import { sizeTable, type Size } from '../../service/contract.js';
import { missingMessages } from '../messages.js';

/** One image of the list, as the user has it now. */
export interface Wanted {
	readonly image: MissingImage;
	prompt: string;
	size: Size;
}

/** Returns what an alt text says of an image; empty where that is nothing. */
export function promptOf({ doubt, reference: { alt } }: MissingImage): string {
	return doubt === 'alt' ? '' : alt;
}

/** Returns what would be asked for, with the settings of the document. */
export function choicesOf(
	{ document }: MissingImage,
	prompt: string,
	size: Size | undefined,
): Choices {
	const scope = vscode.Uri.file(document);
	return {
		prompt,
		size: size ?? readSetting('image.size', scope),
		quality: readSetting('image.quality', scope),
		count: 1,
		references: [],
	};
}

/** Asks for one image; name and folder are those that the document names. */
export async function askForOne(
	image: MissingImage,
	draft: Draft,
	style: StyleOption,
	preferences: Preferences,
): Promise<Draft | undefined> {
	const { alt } = image.reference;
	const contexts = contextsOf(image);
	const asked = await askForImages(draft, {
		title: missingMessages.titleOfOne,
		placeholder: placeholderOf(image),
		verb: labels.generate,
		preferences,
		style,
		options: ['size'],
		isFixed: true,
		more: (text) =>
			contexts.length > 0 && text === alt && alt !== ''
				? [separator(missingMessages.contexts), ...contexts]
				: [],
	});
	return asked?.draft;
}

/** Prompts that are the alt text of an image with what stands around it. */
function contextsOf({ reference }: MissingImage): ValueItem[] {
	const { alt, heading } = reference;
	// An image alone in its paragraph has nothing around it but its own alt text.
	const paragraph =
		reference.paragraph === alt || reference.paragraph === '' ? undefined : reference.paragraph;
	const row = (label: string, value: string): ValueItem => ({
		icon: 'book',
		label,
		detail: oneLine(value),
		alwaysShow: true,
		value,
	});
	return [
		heading !== undefined &&
			row(missingMessages.heading, missingMessages.withHeading(alt, heading)),
		paragraph !== undefined &&
			row(missingMessages.paragraph, missingMessages.withParagraph(alt, paragraph)),
		heading !== undefined &&
			paragraph !== undefined &&
			row(missingMessages.both, missingMessages.withBoth(alt, heading, paragraph)),
	].filter((item) => item !== false);
}

function placeholderOf(image: MissingImage): string {
	return missingMessages.placeholder(safeText(path.basename(image.path)));
}

/** Lets the user choose another size for images of the list, one at least. */
export async function changeSize(all: readonly Wanted[]): Promise<void> {
	const [first] = all;
	const items = sizeTable.map(({ size, ratio, use }) => ({
		label: sizeWords(size),
		description: `${ratio} · ${use}`,
		size,
	}));
	const answer = await askPick({
		title: missingMessages.sizeTitle,
		canGoBack: true,
		placeholder:
			all.length === 1 ? path.basename(first!.image.path) : missingMessages.forAll(all.length),
		items,
		active: items.find(({ size }) => size === first!.size),
		matchOnDescription: true,
	});
	if (answer?.type === 'value') {
		for (const wanted of all) {
			wanted.size = answer.value.size;
		}
	}
}

/** Lets the user say what one image of the list shows; returns whether there is a prompt now. */
export async function changePrompt(wanted: Wanted): Promise<boolean> {
	const answer = await askText({
		title: missingMessages.promptTitle,
		canGoBack: true,
		placeholder: placeholderOf(wanted.image),
		text: wanted.prompt,
		problem: (text) => (text.trim() === '' ? missingMessages.promptEmpty : undefined),
	});
	if (answer?.type === 'value') {
		wanted.prompt = answer.value.trim();
	}
	return wanted.prompt !== '';
}
