import path from 'node:path';
import * as vscode from 'vscode';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { foreignText } from '../../editor/foreignText.js';
import { askPrompt, oneLine, separator } from '../../generation/questions.js';
import { askPick, askPickMany, askText, type ItemAnswer } from '../../editor/quickInput.js';
import type { PickItem } from '../../editor/shownItems.js';
import { sizeTable, type Size } from '../../service/contract.js';

export const title = 'Generate Missing Images';

/** One image of the list, as the user has it now. */
export interface Wanted {
	readonly image: MissingImage;
	prompt: string;
	size: Size;
}

interface WantedItem extends PickItem {
	readonly wanted: Wanted;
}

const promptButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('edit'),
	tooltip: 'Edit Prompt',
};
const sizeButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('symbol-ruler'),
	tooltip: 'Size',
};

/** Asks for the prompt of one image: its alt text, alone or with what stands around it. */
export async function askPromptOf({
	path: file,
	reference,
}: MissingImage): Promise<string | undefined> {
	const { alt, heading } = reference;
	// An image alone in its paragraph has nothing around it but its own alt text.
	const paragraph = reference.paragraph === alt ? '' : reference.paragraph;
	const contexts = [
		heading === undefined ? [] : [`${alt}. For the part “${heading}”.`],
		paragraph === '' ? [] : [`${alt}. It illustrates: ${paragraph}`],
		heading === undefined || paragraph === ''
			? []
			: [`${alt}. For the part “${heading}”, which says: ${paragraph}`],
	].flat();
	const answer = await askPrompt({
		title,
		placeholder: `What ${foreignText(path.basename(file))} should show`,
		text: alt,
		emptyText: 'Type what the image should show',
		more: (text) =>
			contexts.length > 0 && text === alt
				? [
						separator('with its context'),
						...contexts.map((context) => ({
							icon: 'book',
							label: oneLine(context),
							alwaysShow: true,
							value: context,
						})),
					]
				: [],
	});
	return answer?.type === 'value' ? answer.value.value?.trim() : undefined;
}

/** Lets the user choose, and change prompts and sizes; `undefined` where that was cancelled. */
export async function chooseImages(all: readonly Wanted[]): Promise<readonly Wanted[] | undefined> {
	let selected = new Set(all.filter(({ prompt }) => prompt !== ''));
	for (;;) {
		const answer = await askPickMany<WantedItem>({
			title,
			placeholder: 'Choose the images to make; each is a paid request',
			emptyText: 'No image is missing',
			items: Promise.resolve(all.map(itemOf)),
			selected: ({ wanted }) => selected.has(wanted),
		});
		if (answer === undefined || answer.type === 'back' || answer.type === 'button') {
			return undefined;
		}
		if (answer.type === 'item') {
			selected = new Set(answer.selected.map(({ wanted }) => wanted));
			await change(answer);
			if (answer.button === promptButton && answer.item.wanted.prompt !== '') {
				// Who says what it shows wants it.
				selected.add(answer.item.wanted);
			}
			continue;
		}
		const chosen = answer.value.map(({ wanted }) => wanted);
		for (const wanted of chosen.filter(({ prompt }) => prompt === '')) {
			if (!(await editPrompt(wanted))) {
				return undefined;
			}
		}
		return chosen;
	}
}

function itemOf(wanted: Wanted): WantedItem {
	const { image, prompt, size } = wanted;
	const relative = (file: string) => vscode.workspace.asRelativePath(vscode.Uri.file(file));
	return {
		...(prompt === ''
			? { icon: 'warning', label: 'no alt text: say what it shows' }
			: { label: oneLine(prompt, 80) }),
		description: relative(image.document),
		detail: `${relative(image.path)} · ${size}`,
		buttons: [promptButton, sizeButton],
		wanted,
	};
}

async function change({ item: { wanted }, button }: ItemAnswer<WantedItem>): Promise<void> {
	if (button === promptButton) {
		await editPrompt(wanted);
		return;
	}
	const items = sizeTable.map(({ size, ratio, use }) => ({
		label: size,
		description: `${ratio} · ${use}`,
		size,
	}));
	const answer = await askPick({
		title: `${title}: Size`,
		canGoBack: true,
		placeholder: path.basename(wanted.image.path),
		items,
		active: items.find(({ size }) => size === wanted.size),
		matchOnDescription: true,
	});
	if (answer?.type === 'value') {
		wanted.size = answer.value.size;
	}
}

/** Returns whether there is a prompt now. */
async function editPrompt(wanted: Wanted): Promise<boolean> {
	const answer = await askText({
		title: `${title}: Prompt`,
		canGoBack: true,
		placeholder: `What ${foreignText(path.basename(wanted.image.path))} should show`,
		text: wanted.prompt,
		problem: (text) => (text.trim() === '' ? 'Say what the image should show.' : undefined),
	});
	if (answer?.type === 'value') {
		wanted.prompt = answer.value.trim();
	}
	return wanted.prompt !== '';
}
