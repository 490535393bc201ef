import * as vscode from 'vscode';
import { verdictOn } from '../../documents/missing/decide.js';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { askPickMany } from '../../editor/pickMany.js';
import type { Preferences } from '../../editor/preferences.js';
import { askPick } from '../../editor/quickInput.js';
import type { PickItem } from '../../editor/shownItems.js';
import { costOf, mostUnasked } from '../../generation/confirmMany.js';
import type { Choices } from '../../generation/draft.js';
import { oneLine, separator, sizeWords } from '../../generation/questions.js';
import { fixLinks, isFixable, relativePath } from './fixLinks.js';
import { changePrompt, changeSize, title, type Wanted } from './ask.js';
import type { WantedStyles } from './style.js';
import { obstacleWords, type Obstructed } from './obstacle.js';

/** A row of the list: an image that can be generated, one that cannot, or a heading. */
interface Row extends PickItem {
	readonly wanted?: Wanted;
	readonly obstructed?: Obstructed;
	/** What may be fixed in it. */
	readonly link?: MissingImage;
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
const sizeForAllButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('symbol-ruler'),
	tooltip: 'Size for All',
};
const documentButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('go-to-file'),
	tooltip: 'Show in Document',
};

const fixButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('wrench'),
	tooltip: 'Fix Link',
};
const fixAllButton: vscode.QuickInputButton = {
	iconPath: new vscode.ThemeIcon('tools'),
	tooltip: 'Fix All Links',
};

/**
 * Lets the user choose, and change prompts and sizes. The title says what that comes to, in requests
 * and in time, and those that cannot be generated stand below with the reason. More than may be
 * asked for without a question are selected by the user alone, so that none has to follow; so are those
 * whose links may mean another file, or nothing. Links to other files can be fixed there.
 *
 * @param all those of `references` that can be generated, each file once
 * @returns one image at least; `undefined` where that was cancelled
 */
export async function chooseImages(
	all: readonly Wanted[],
	obstructed: readonly Obstructed[],
	references: readonly MissingImage[],
	{ preferences, style, choicesOf }: Question,
): Promise<readonly Wanted[] | undefined> {
	const ready = all.filter(({ prompt, image }) => prompt !== '' && verdictOn(image) === 'missing');
	const isFew = ready.length <= mostUnasked();
	let selected = new Set(isFew ? ready : []);
	let links = references.filter(isFixable);
	const fixed = new Set<string>();
	const fix = async (some: readonly MissingImage[]) => {
		await fixLinks(some);
		for (const { path: file } of some) {
			fixed.add(file);
		}
		links = links.filter((link) => !some.includes(link));
	};
	for (;;) {
		const left = all.filter(({ image }) => !fixed.has(image.path));
		const rest = obstructed.filter((image) => !fixed.has(image.path));
		if (left.length + rest.length === 0) {
			return undefined;
		}
		const barred = rest.filter((image) => !isElsewhere(image));
		const missing = left.filter(({ image }) => verdictOn(image) === 'missing');
		const answer = await askPickMany<Row>({
			title,
			titleFor: (rows) => titleFor(wantedOf(rows), preferences),
			placeholder:
				links.length > 0
					? sumsOf(missing.length, links.length, barred.length)
					: isFew
						? `Select the images to generate${others(barred.length)}`
						: `Select which of ${left.length.toLocaleString('en-US')} images to generate${others(barred.length)}`,
			emptyText: '',
			items: Promise.resolve([
				...missing.map(rowOf),
				...section('only if you tick them', left.filter(isDoubtful).map(rowOf)),
				...section('exist elsewhere', [
					...left.filter(({ image }) => isElsewhere(image)).map(rowOf),
					...rest.filter(isElsewhere).map(withButtons),
				]),
				...section('cannot be generated', barred.map(withButtons)),
			]),
			selected: ({ wanted }) => wanted !== undefined && selected.has(wanted),
			selectable: ({ wanted }) => wanted !== undefined,
			buttons: [
				...style.buttons,
				...(left.length > 1 ? [sizeForAllButton] : []),
				...(links.length > 0 ? [fixAllButton] : []),
			],
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
		if (answer.type === 'list' && answer.button === fixAllButton) {
			await fix(links);
			continue;
		}
		if (answer.type === 'list' && answer.button === sizeForAllButton) {
			await changeSize(left);
			continue;
		}
		if (answer.type === 'list') {
			const shown = [...selected];
			await style.press(
				answer.button,
				shown.map((wanted) => [wanted.image.document, choicesOf(wanted)]),
			);
			continue;
		}
		const { item, button } = answer;
		if (button === fixButton) {
			await fix(links.filter((link) => link.path === item.link?.path));
			continue;
		}
		if (item.link !== undefined && button === documentButton) {
			await showInDocument(item.link);
			return undefined;
		}
		if (item.wanted !== undefined && button === promptButton) {
			if (await changePrompt(item.wanted)) {
				// Who says what it shows wants it.
				selected.add(item.wanted);
			}
		} else if (item.wanted !== undefined) {
			await changeSize([item.wanted]);
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
	const isElse = isElsewhere(image);
	const doubt = image.doubt === 'example' ? ' · the path looks like an example' : '';
	return {
		...(isElse
			? existing(image)
			: prompt === ''
				? speechless(image)
				: { label: oneLine(prompt, 80) }),
		description: relativePath(image.document),
		detail: `${relativePath(image.path)} · ${sizeWords(size)}${doubt}`,
		buttons: [
			...(isFixable(image) ? [fixButton] : []),
			...(isElse ? [documentButton] : []),
			...[promptButton, sizeButton],
		],
		link: image,
		wanted,
	};
}

function existing({ candidates }: MissingImage) {
	const names = candidates.map(relativePath).join(', ');
	return candidates.length === 1
		? { icon: 'wrench', label: `${names} exists: Fix Link` }
		: { icon: 'question', label: `${names} exist` };
}

function speechless({ reference: { alt } }: MissingImage) {
	const words = alt === '' ? 'no alt text' : `“${oneLine(alt, 40)}” is no alt text`;
	return { icon: 'warning', label: `${words}: say what it shows` };
}

function isDoubtful({ image }: Wanted): boolean {
	return verdictOn(image) === 'doubtful';
}

function isElsewhere({ candidates }: MissingImage): boolean {
	return candidates.length > 0;
}

function section(words: string, rows: readonly Row[]): Row[] {
	return rows.length === 0 ? [] : [separator(words), ...rows];
}

/**
 * How many images are really missing, and how many links can be fixed. Where the field has no room for
 * it, VS Code shows it as a hover as well, which lies over the buttons.
 */
function sumsOf(missing: number, links: number, barred: number): string {
	const number = (count: number) => count.toLocaleString('en-US');
	const fixable = `${number(links)} link${links === 1 ? '' : 's'} can be fixed`;
	const rest = barred === 0 ? '' : `, ${number(barred)} cannot be generated`;
	return `${number(missing)} missing, ${fixable}${rest}`;
}

function withButtons(image: Obstructed): Row {
	return {
		...obstructedRow(image),
		buttons: [...(isFixable(image) ? [fixButton] : []), documentButton],
	};
}

/** The name stands as the document has it: that is what is to be changed there. */
function obstructedRow(image: Obstructed): Row {
	const isElse = isElsewhere(image);
	return {
		...(isElse
			? existing(image)
			: { icon: 'circle-slash', label: oneLine(image.reference.destination, 80) }),
		description: relativePath(image.document),
		detail: isElse ? oneLine(image.reference.destination, 80) : obstacleWords(image),
		obstructed: image,
		link: image,
	};
}

/** Selects the image in its document, so that it can be changed there. */
async function showInDocument({ document, reference: { span } }: MissingImage): Promise<void> {
	const open = await vscode.workspace.openTextDocument(vscode.Uri.file(document));
	const selection = new vscode.Range(open.positionAt(span.start), open.positionAt(span.end));
	await vscode.window.showTextDocument(open, { selection });
}
