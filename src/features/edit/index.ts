import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import type { GenerateArgument } from '../../editor/commandTable.js';
import { asUri, parseArgument, type ParsedArgument } from '../../generation/argument.js';
import type { Choices, CommandContext, Order } from '../../generation/order.js';
import { askReferences } from '../../generation/questions.js';
import { referencesFromArgument } from '../../generation/referenceImages.js';
import type { Parts } from '../../generation/parts.js';
import { registerRequestCommand } from '../../generation/requestCommands.js';
import { findTarget } from '../../generation/target.js';
import { inspectUri } from '../../editor/images.js';
import { foreignText } from '../../editor/foreignText.js';
import { inBackground, notify, tellingMistakes } from '../../editor/messages.js';
import { KeptFiles } from '../../editor/keptFiles.js';
import { ensureReady } from '../../editor/service.js';
import { readSetting } from '../../editor/settings.js';
import { ImageError, type ImageFacts } from '../../images/inspect.js';
import { nearestSize } from '../../service/contract.js';
import { askForEdit } from './ask.js';
import { imageAtCursor, registerAtCursor } from './atCursor.js';
import { Replacements } from './replace.js';

const title = 'Edit with Prompt';

type Needs = Pick<Parts, 'calls' | 'generator' | 'keys' | 'log' | 'preferences' | 'storage'>;

/** "Edit with Prompt…": a new image from others and an instruction; the originals stay. */
export function registerEdit(needs: Needs): vscode.Disposable {
	const { storage, log } = needs;
	const replacements = new Replacements(new KeptFiles(storage), storage, log);
	return vscode.Disposable.from(
		registerCommand('easel.editWithPrompt', (target, selected) =>
			tellingMistakes(() => edit(target, selected, needs)),
		),
		registerRequestCommand('change', 'edit', (order) => change(order, needs)),
		registerRequestCommand('replaceOriginal', 'edit', (original, edited) =>
			replacements.replace(original, edited),
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
 * @throws {SettingError}
 */
async function edit(
	called: vscode.Uri | string | GenerateArgument | undefined,
	selected: unknown,
	needs: Needs,
): Promise<vscode.Uri[] | undefined> {
	const target = typeof called === 'string' ? (asUri(called) ?? called) : called;
	const given = parseArgument('edit', isFromMenu(target) ? undefined : target);
	const found = await findReferences(target, selected, given);
	return withUsable(found, async ({ references, facts, first, again }) => {
		if (!(await ensureReady(needs.keys))) {
			return undefined;
		}
		const context = contextOf(first);
		const start = startingPoint(given, references, facts, first);
		// Whoever has chosen other images wants to see what is made of them.
		const asks = given.prompt === undefined || again;
		const choices = asks ? await askForEdit(start, facts, needs.preferences) : start;
		const order = choices && (await orderOf(choices, context, given.output));
		return order && (asks || (await needs.calls.allows(order))) ? make(order, needs) : undefined;
	});
}

/** Asks once more for a request that has failed, with everything as it was. */
async function change(order: Order, needs: Needs): Promise<void> {
	const { choices: before, context } = order;
	await withUsable(before.references, async ({ references, facts }) => {
		const choices = await askForEdit({ ...before, references }, facts, needs.preferences);
		const order = choices && (await orderOf(choices, context, undefined));
		return order && make(order, needs);
	});
}

async function orderOf(
	choices: Choices,
	context: CommandContext,
	output: vscode.Uri | string | undefined,
): Promise<Order | undefined> {
	const target = await findTarget('edit', context, choices, output);
	return target && { operation: 'edit', choices, context, target };
}

async function make(
	order: Order,
	{ generator, preferences }: Needs,
): Promise<vscode.Uri[] | undefined> {
	await preferences.rememberPrompt('edit', order.choices.prompt);
	return generator.makeAll(order);
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

/** References that can be used, and what they are. */
interface Usable {
	readonly references: readonly vscode.Uri[];
	readonly first: vscode.Uri;
	/** Of each, by its URI. */
	readonly facts: Map<string, ImageFacts>;
	/** Whether they were chosen in the place of others. */
	readonly again: boolean;
}

/**
 * Reads what the references are, by their bytes, and goes on with them. Where some cannot be used
 * this is told, and nothing is sent; it goes on when others were chosen in their place.
 */
async function withUsable(
	references: readonly vscode.Uri[],
	goOn: (usable: Usable) => Promise<vscode.Uri[] | undefined>,
	again = false,
): Promise<vscode.Uri[] | undefined> {
	const [first] = references;
	if (first === undefined) {
		return undefined;
	}
	const facts = new Map<string, ImageFacts>();
	const problems = new Map<vscode.Uri, ImageError>();
	for (const uri of references) {
		try {
			facts.set(uri.toString(), await inspectUri(uri));
		} catch (error) {
			if (!(error instanceof ImageError)) {
				throw error;
			}
			problems.set(uri, error);
		}
	}
	if (problems.size === 0) {
		return goOn({ references, first, facts, again });
	}
	const chooseOthers = async () => {
		const left = { references: references.filter((uri) => !problems.has(uri)) };
		if (await askReferences(title, left, [...problems.keys()])) {
			await withUsable(left.references, goOn, true);
		}
	};
	const words = [...problems.values()].map(({ message }) => message).join(' ');
	inBackground(
		notify('error', `${foreignText(words)} Nothing was sent.`, [
			{ label: 'Choose Other Images…', run: chooseOthers },
		]),
	);
	return [];
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
function contextOf(first: vscode.Uri): CommandContext {
	const document = vscode.window.activeTextEditor?.document;
	return {
		document: document?.uri,
		workspaceFolder: (
			vscode.workspace.getWorkspaceFolder(first) ?? vscode.workspace.workspaceFolders?.[0]
		)?.uri,
	};
}
