import * as vscode from 'vscode';
import { askPickMany } from '../../editor/pickMany.js';
import type { Preferences } from '../../editor/preferences.js';
import { askPick } from '../../editor/quickInput.js';
import type { PickItem } from '../../editor/shownItems.js';
import { costOf, mostUnasked } from '../../generation/confirmMany.js';
import type { Choices } from '../../generation/order.js';
import { oneLine, separator, sizeWords } from '../../generation/questions.js';
import { changePrompt, changeSize, title, type Wanted } from './ask.js';
import type { WantedStyles } from './style.js';
import { obstacleWords, type Obstructed } from './obstacle.js';

/** A row of the list: an image that can be generated, one that cannot, or a heading. */
interface Row extends PickItem {
	readonly wanted?: Wanted;
	readonly obstructed?: Obstructed;
}

interface Question {
	readonly preferences: Preferences;
	readonly style: WantedStyles;
	/** What would be asked for with it. */
	readonly choicesOf: (wanted: Wanted) => Choices;
}

const promptButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('edit'),
	tooltip: 'Edit Prompt',
};
const sizeButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('symbol-ruler'),
	tooltip: 'Size',
};
const documentButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('go-to-file'),
	tooltip: 'Show in Document',
};

/**
 * Lets the user choose, and change prompts and sizes. The title says what that comes to, in requests
 * and in time, and those that cannot be generated stand below with the reason. More than may be
 * asked for without a question are selected by the user alone, so that none has to follow.
 *
 * @returns one image at least; `undefined` where that was cancelled
 */
export async function chooseImages(
	all: readonly Wanted[],
	obstructed: readonly Obstructed[],
	{ preferences, style, choicesOf }: Question,
): Promise<readonly Wanted[] | undefined> {
	const ready = all.filter(({ prompt }) => prompt !== '');
	const isFew = ready.length <= mostUnasked();
	let selected = new Set(isFew ? ready : []);
	for (;;) {
		const answer = await askPickMany<Row>({
			title,
			titleFor: (rows) => titleFor(wantedOf(rows), preferences),
			placeholder: isFew
				? `Select the images to generate${others(obstructed.length)}`
				: `Select which of ${all.length.toLocaleString('en-US')} images to generate${others(obstructed.length)}`,
			emptyText: '',
			items: Promise.resolve([...all.map(rowOf), ...rowsOf(obstructed)]),
			selected: ({ wanted }) => wanted !== undefined && selected.has(wanted),
			selectable: ({ wanted }) => wanted !== undefined,
			buttons: style.buttons,
		});
		if (answer === undefined || answer.type === 'back' || answer.type === 'button') {
			return undefined;
		}
		if (answer.type === 'value') {
			const chosen = wantedOf(answer.value);
			if (await haveAllPrompts(chosen)) {
				return chosen;
			}
			selected = new Set(chosen);
			continue;
		}
		selected = new Set(wantedOf(answer.selected));
		if (answer.type === 'list') {
			const shown = [...selected];
			await style.press(
				answer.button,
				shown.map((wanted) => [wanted.image.document, choicesOf(wanted)]),
			);
			continue;
		}
		const { item, button } = answer;
		if (item.obstructed !== undefined) {
			await showInDocument(item.obstructed);
			return undefined;
		}
		if (item.wanted !== undefined && button === promptButton) {
			if (await changePrompt(item.wanted)) {
				// Who says what it shows wants it.
				selected.add(item.wanted);
			}
		} else if (item.wanted !== undefined) {
			await changeSize(item.wanted);
		}
	}
}

/** Names images where none of those that are missing can be generated, with the reason of each. */
export async function showObstructed(obstructed: readonly Obstructed[]): Promise<void> {
	const answer = await askPick<Row>({
		title,
		placeholder:
			obstructed.length === 1
				? 'The image that is missing cannot be generated'
				: `None of the ${obstructed.length.toLocaleString('en-US')} missing images can be generated`,
		items: obstructed.map(obstructedRow),
		matchOnDescription: true,
	});
	if (answer?.type === 'value' && answer.value.obstructed !== undefined) {
		await showInDocument(answer.value.obstructed);
	}
}

function titleFor(selected: readonly Wanted[], preferences: Preferences): string {
	if (selected.length === 0) {
		return `${title} · none selected`;
	}
	const sizes = selected.map(({ size }) => size);
	const images =
		sizes.length === 1
			? '1 Missing Image'
			: `${sizes.length.toLocaleString('en-US')} Missing Images`;
	return `Generate ${images} · ${costOf(sizes, preferences)}`;
}

/** They stand at the end of what may be a long list. */
function others(count: number): string {
	return count === 0
		? ''
		: count === 1
			? '; the last one cannot be'
			: `; the last ${count.toLocaleString('en-US')} cannot be`;
}

function wantedOf(rows: readonly Row[]): Wanted[] {
	return rows.flatMap(({ wanted }) => wanted ?? []);
}

/** Asks for the prompts of those that have none; `false` where the user leaves one of these. */
async function haveAllPrompts(chosen: readonly Wanted[]): Promise<boolean> {
	for (const wanted of chosen) {
		if (wanted.prompt === '' && !(await changePrompt(wanted))) {
			return false;
		}
	}
	return true;
}

function rowOf(wanted: Wanted): Row {
	const { image, prompt, size } = wanted;
	return {
		...(prompt === ''
			? { icon: 'warning', label: 'no alt text: say what it shows' }
			: { label: oneLine(prompt, 80) }),
		description: relative(image.document),
		detail: `${relative(image.path)} · ${sizeWords(size)}`,
		buttons: [promptButton, sizeButton],
		wanted,
	};
}

function rowsOf(obstructed: readonly Obstructed[]): Row[] {
	return obstructed.length === 0
		? []
		: [
				separator('cannot be generated'),
				...obstructed.map((image) => ({ ...obstructedRow(image), buttons: [documentButton] })),
			];
}

/** The name stands as the document has it: that is what is to be changed there. */
function obstructedRow(image: Obstructed): Row {
	return {
		icon: 'circle-slash',
		label: oneLine(image.reference.destination, 80),
		description: relative(image.document),
		detail: obstacleWords(image),
		obstructed: image,
	};
}

function relative(file: string): string {
	return vscode.workspace.asRelativePath(vscode.Uri.file(file));
}

/** Selects the image in its document, so that it can be changed there. */
async function showInDocument({ document, reference: { span } }: Obstructed): Promise<void> {
	const open = await vscode.workspace.openTextDocument(vscode.Uri.file(document));
	const selection = new vscode.Range(open.positionAt(span.start), open.positionAt(span.end));
	await vscode.window.showTextDocument(open, { selection });
}
