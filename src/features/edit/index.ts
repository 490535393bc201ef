import * as vscode from 'vscode';
import { registerCommand, runCommand } from '../../editor/commands.js';
import type { GenerateArgument } from '../../editor/commandTable.js';
import { asUri, parseArgument, type ParsedArgument } from '../../editor/generation/argument.js';
import type { Choices, Order } from '../../editor/generation/order.js';
import type { Origin } from '../../editor/generation/origin.js';
import { askReferences } from '../../editor/generation/questions.js';
import { referencesFromArgument } from '../../editor/generation/references.js';
import { reportSettingError, type SavedImage } from '../../editor/generation/report.js';
import type { Parts, Runner } from '../../editor/generation/runner.js';
import { insertAtCursor } from '../../editor/generation/insertion.js';
import { openImage } from '../../editor/generation/savedImage.js';
import { findTarget } from '../../editor/generation/target.js';
import { inspectUri } from '../../editor/images.js';
import { KeptFiles } from '../../editor/keptFiles.js';
import { foreignText, notify, type Button } from '../../editor/messages.js';
import { ensureSetUp } from '../../editor/service.js';
import { readSetting, SettingError } from '../../editor/settings.js';
import { ImageError, type ImageFacts } from '../../images/inspect.js';
import { nearestSize } from '../../service/contract.js';
import { askForEdit } from './ask.js';
import { imageAtCursor, registerAtCursor } from './atCursor.js';
import { Replacements } from './replace.js';

const title = 'Edit with Prompt';

/**
 * "Edit with Prompt…": a new image from others and an instruction; the originals stay.
 *
 * @param storage our own, absolute
 */
export function registerEdit(runner: Runner, parts: Parts, storage: string): vscode.Disposable {
	const replacements = new Replacements(new KeptFiles(storage), storage, parts.log);
	runner.register('edit', {
		change: (order) => void change(order, runner, parts),
		afterSaving: (saved, order) =>
			Promise.resolve({ buttons: nextSteps(saved, order, replacements) }),
	});
	return vscode.Disposable.from(
		registerCommand('easel.editWithPrompt', (target, selected) =>
			edit(target, selected, runner, parts),
		),
		registerAtCursor(),
		replacements,
	);
}

/**
 * The command: takes the images that a menu or an argument names, else the one in front, else asks;
 * then asks for the instruction. Returns the saved images, or `undefined` where the user cancelled.
 *
 * @throws {ArgumentError} naming the field that is wrong
 */
async function edit(
	called: vscode.Uri | string | GenerateArgument | undefined,
	selected: unknown,
	runner: Runner,
	parts: Parts,
): Promise<vscode.Uri[] | undefined> {
	const target = typeof called === 'string' ? (asUri(called) ?? called) : called;
	const given = parseArgument('edit', isFromMenu(target) ? undefined : target);
	try {
		const references = await findReferences(target, selected, given);
		const [first] = references;
		if (first === undefined) {
			return undefined;
		}
		const facts = await check(references);
		if (facts === undefined) {
			return [];
		}
		if (!(await ensureSetUp(parts.keys))) {
			return undefined;
		}
		const origin = originOf(first);
		const start = startingPoint(given, references, facts, first);
		const choices =
			given.prompt === undefined ? await askForEdit(start, facts, parts.memory) : start;
		return choices && (await make(choices, origin, given.output, runner, parts));
	} catch (error) {
		if (error instanceof SettingError) {
			void reportSettingError(error);
			return undefined;
		}
		throw error;
	}
}

/** Asks once more for a request that has failed, with everything as it was. */
async function change(order: Order, runner: Runner, parts: Parts): Promise<void> {
	const facts = await check(order.choices.references);
	const choices = facts && (await askForEdit(order.choices, facts, parts.memory));
	if (choices !== undefined) {
		await make(choices, order.origin, undefined, runner, parts);
	}
}

async function make(
	choices: Choices,
	origin: Origin,
	output: vscode.Uri | string | undefined,
	runner: Runner,
	{ memory }: Parts,
): Promise<vscode.Uri[] | undefined> {
	const target = await findTarget('edit', origin, choices, output);
	if (target === undefined) {
		return undefined;
	}
	await memory.rememberPrompt('edit', choices.prompt);
	return runner.makeAll({ operation: 'edit', choices, origin, target });
}

function nextSteps(
	saved: SavedImage,
	{ choices, origin }: Order,
	replacements: Replacements,
): Button[] {
	const original = choices.references[0];
	const ofOriginal: Button[] =
		original === undefined
			? []
			: [
					{ label: 'Compare', run: () => runCommand('easel.compareImages', original, saved.uri) },
					{ label: 'Replace Original', run: () => replacements.replace(original, saved.uri) },
				];
	return [
		...ofOriginal,
		{ label: 'Open', run: () => openImage(saved.uri) },
		{ label: 'Insert', run: () => insertAtCursor(saved, origin) },
	];
}

/** Menus pass the file's URI; that of a webview an object of its own kind, which names no file. */
function isFromMenu(target: unknown): boolean {
	return typeof target === 'object' && target !== null && 'webview' in target;
}

async function findReferences(
	target: unknown,
	selected: unknown,
	given: ParsedArgument,
): Promise<readonly vscode.Uri[]> {
	if (given.references !== undefined && given.references.length > 0) {
		const root = vscode.workspace.workspaceFolders?.[0]?.uri;
		return referencesFromArgument(given.references, root, 'edit');
	}
	if (target instanceof vscode.Uri && !isDocument(target)) {
		const all: unknown[] = Array.isArray(selected) ? selected : [];
		const uris = all.filter((one) => one instanceof vscode.Uri);
		// A right click outside the selection is meant for that one file.
		return uris.some((uri) => uri.toString() === target.toString()) ? uris : [target];
	}
	const inFront = imageInFront() ?? (await imageAtCursor());
	if (inFront !== undefined) {
		return [inFront];
	}
	const chosen: Pick<Choices, 'references'> = { references: [] };
	return (await askReferences(title, chosen)) ? chosen.references : [];
}

/** The context menu of a document passes the document, and means the image under its cursor. */
function isDocument(uri: vscode.Uri): boolean {
	return uri.toString() === vscode.window.activeTextEditor?.document.uri.toString();
}

/** The image that the active tab shows. */
function imageInFront(): vscode.Uri | undefined {
	const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
	return input instanceof vscode.TabInputCustom ? input.uri : undefined;
}

/**
 * Reads what the references are, by their bytes. What cannot be used is told, and nothing is sent;
 * `undefined` then.
 */
async function check(
	references: readonly vscode.Uri[],
): Promise<Map<string, ImageFacts> | undefined> {
	const facts = new Map<string, ImageFacts>();
	for (const uri of references) {
		try {
			facts.set(uri.toString(), await inspectUri(uri));
		} catch (error) {
			if (!(error instanceof ImageError)) {
				throw error;
			}
			void notify('error', `${foreignText(error.message)} Nothing was sent.`, [
				{
					label: 'Choose Other Images…',
					run: async () => {
						await runCommand('easel.editWithPrompt', { references: [] });
					},
				},
			]);
			return undefined;
		}
	}
	return facts;
}

function startingPoint(
	given: ParsedArgument,
	references: readonly vscode.Uri[],
	facts: ReadonlyMap<string, ImageFacts>,
	first: vscode.Uri,
): Choices {
	const dimensions = facts.get(first.toString());
	return {
		prompt: given.prompt ?? '',
		size:
			given.size ??
			(dimensions === undefined ? readSetting('image.size', first) : nearestSize(dimensions)),
		quality: 'unset',
		count: given.count ?? 1,
		references,
	};
}

/** An edit belongs to the folder of its first reference, and to the document in front, if any. */
function originOf(first: vscode.Uri): Origin {
	const document = vscode.window.activeTextEditor?.document;
	return {
		document: document?.uri,
		selectedText: '',
		workspaceFolder: (
			vscode.workspace.getWorkspaceFolder(first) ?? vscode.workspace.workspaceFolders?.[0]
		)?.uri,
	};
}
