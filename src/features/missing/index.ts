import path from 'node:path';
import * as vscode from 'vscode';
import { wallAround } from '../../documents/localPath.js';
import type { MissingImage } from '../../documents/missing/missingIn.js';
import { registerCommand } from '../../editor/commands.js';
import { handle } from '../../editor/entrance.js';
import { foreignText } from '../../editor/foreignText.js';
import type { Choices, Order } from '../../generation/order.js';
import { askSize, pickedSize } from '../../generation/questions.js';
import type { Parts } from '../../generation/parts.js';
import { notify, tellingMistakes } from '../../editor/messages.js';
import { offering } from '../../editor/offering.js';
import { ensureReady } from '../../editor/service.js';
import { readSetting } from '../../editor/settings.js';
import { askPromptOf, title, type Wanted } from './ask.js';
import { chooseImages, showObstructed } from './choose.js';
import { collect, missingInDocument } from './collect.js';
import { isObstructed } from './obstacle.js';
import { quickFixes } from './quickFix.js';

type Needs = Pick<Parts, 'generator' | 'keys' | 'log' | 'preferences'>;

/** "Generate Missing Images…": images that documents refer to and that do not exist. */
export function registerMissing(needs: Needs): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.generateMissingImages', (target, selected) =>
			tellingMistakes(() =>
				target !== undefined && typeof selected === 'string'
					? makeOne(target, selected, needs)
					: makeMany(rootsOf(target, selected), needs),
			),
		),
		handle('quickFixes', offering('Quick fixes', quickFixes)),
	);
}

/** The quick fix: one image of one document, under exactly the path that the document names. */
async function makeOne(
	document: vscode.Uri,
	file: string,
	{ generator, keys, preferences }: Needs,
): Promise<void> {
	const open = await vscode.workspace.openTextDocument(document);
	const image = (await missingInDocument(open)).find((one) => one.path === file);
	// Whoever calls the command can name an image that the quick fix does not offer.
	if (image === undefined || isObstructed(image)) {
		await notify(
			'info',
			`The image ${foreignText(path.basename(file))} is there now, or the document has changed.`,
		);
		return;
	}
	if (!(await ensureReady(keys))) {
		return;
	}
	const prompt = await askPromptOf(image);
	if (prompt === undefined) {
		return;
	}
	const choices = choicesOf(image, prompt);
	const size = await askSize(choices, preferences, { title, summary: '1 image' });
	if (size?.type === 'value') {
		const order = orderOf(image, { ...choices, size: pickedSize(size.value) });
		await preferences.rememberPrompt('generate', prompt);
		await generator.makeAll(order);
	}
}

async function makeMany(
	roots: readonly vscode.Uri[],
	{ generator, keys, log, preferences }: Needs,
): Promise<void> {
	if (roots.length === 0) {
		await notify('info', 'Open a folder first: its documents are searched for missing images.');
		return;
	}
	if (roots.some(({ scheme }) => scheme !== 'file')) {
		await notify('info', 'Missing images are found in folders on a disk only.');
		return;
	}
	const images = await collect(roots, log);
	if (images === undefined || images.length === 0) {
		return;
	}
	const obstructed = images.filter(isObstructed);
	if (obstructed.length === images.length) {
		await showObstructed(obstructed);
		return;
	}
	if (!(await ensureReady(keys))) {
		return;
	}
	const wanted = images
		.filter((image) => !isObstructed(image))
		.map((image): Wanted => ({
			image,
			prompt: image.reference.alt,
			size: readSetting('image.size', vscode.Uri.file(image.document)),
		}));
	const chosen = await chooseImages(wanted, obstructed, preferences);
	if (chosen === undefined) {
		return;
	}
	const orders = chosen.map(({ image, prompt, size }) =>
		orderOf(image, { ...choicesOf(image, prompt), size }),
	);
	await generator.makeSeries(title, orders);
}

/** What a menu names, else the whole workspace. */
function rootsOf(target: vscode.Uri | undefined, selected: unknown): readonly vscode.Uri[] {
	const all: unknown[] = Array.isArray(selected) ? selected : [];
	const uris = all.filter((one) => one instanceof vscode.Uri);
	return uris.length > 0
		? uris
		: target instanceof vscode.Uri
			? [target]
			: (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
}

function choicesOf({ document }: MissingImage, prompt: string): Choices {
	const scope = vscode.Uri.file(document);
	return {
		prompt,
		size: readSetting('image.size', scope),
		quality: readSetting('image.quality', scope),
		count: 1,
		references: [],
	};
}

/** The document stays as it is, so nothing is inserted; the file takes the name that it has there. */
function orderOf({ document, path: file }: MissingImage, choices: Choices): Order {
	const uri = vscode.Uri.file(document);
	const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
	const wall = vscode.Uri.file(wallAround(document, root?.fsPath));
	return {
		operation: 'generate',
		choices,
		context: { document: uri, workspaceFolder: root },
		target: {
			folder: vscode.Uri.file(path.dirname(file)),
			root: wall,
			stem: path.basename(file).replace(/\.png$/i, ''),
		},
	};
}
