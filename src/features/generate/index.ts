import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import type { GenerateArgument } from '../../editor/commandTable.js';
import { parseArgument, type ParsedArgument } from '../../generation/argument.js';
import type { Choices, CommandContext, Order } from '../../generation/order.js';
import { findCommandContext, selectedText } from '../../generation/commandContext.js';
import { referencesFromArgument } from '../../generation/referenceImages.js';
import type { Parts } from '../../generation/parts.js';
import { registerRequestCommand } from '../../generation/requestCommands.js';
import { findTarget } from '../../generation/target.js';
import type { Preferences } from '../../editor/preferences.js';
import { tellingMistakes } from '../../editor/messages.js';
import { ensureReady } from '../../editor/service.js';
import { readSetting } from '../../editor/settings.js';
import { askForImage } from './ask.js';

type Needs = Pick<Parts, 'calls' | 'generator' | 'insertions' | 'keys' | 'preferences'>;

/** "Generate Image": from a prompt to a saved file, whatever happens to this window meanwhile. */
export function registerGenerate(needs: Needs): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.generateImage', (argument) =>
			tellingMistakes(() => generate(argument, needs)),
		),
		registerRequestCommand('change', 'generate', (order) => change(order, needs)),
	);
}

/**
 * The command: asks for what the argument leaves open, makes the images, and returns those that
 * were saved; `undefined` where the user cancelled. Failures of images are told to the user.
 *
 * @throws {ArgumentError} naming the field that is wrong
 * @throws {SettingError}
 */
async function generate(
	argument: GenerateArgument | undefined,
	{ calls, generator, insertions, keys, preferences }: Needs,
): Promise<vscode.Uri[] | undefined> {
	const given = parseArgument('generate', argument);
	const editor = vscode.window.activeTextEditor;
	// Whoever drives the command decides; a person who gives it in a document wants it there.
	const wanted = given.insert ?? given.prompt === undefined;
	const insertion = wanted && editor ? insertions.track(editor) : undefined;
	const selected = selectedText(editor);
	let made: vscode.Uri[] | undefined;
	try {
		const context = await findCommandContext(insertion);
		if (context === undefined) {
			return undefined;
		}
		const start = await startingPoint(given, context, selected, preferences);
		if (!(await ensureReady(keys))) {
			return undefined;
		}
		const choices = given.prompt === undefined ? await askForImage(start, preferences) : start;
		if (choices === undefined) {
			return undefined;
		}
		const target = await findTarget('generate', context, choices, given.output);
		if (target === undefined) {
			return undefined;
		}
		const order: Order = { operation: 'generate', choices, context, target };
		if (given.prompt !== undefined && !(await calls.allows(order))) {
			return undefined;
		}
		await preferences.rememberPrompt('generate', choices.prompt);
		await preferences.rememberSize(choices.size);
		made = await generator.makeAll(order);
		return made;
	} finally {
		if (made === undefined) {
			insertions.forget(insertion);
		}
	}
}

/** Asks once more for a request that has failed, with everything as it was. */
async function change(order: Order, { generator, preferences }: Needs): Promise<void> {
	const choices = await askForImage(order.choices, preferences);
	const target = choices && (await targetOf(order, choices));
	if (choices !== undefined && target !== undefined) {
		await generator.makeAll({ ...order, choices, target });
	}
}

/** A name that was made of the prompt changes with it; one that somebody has set stays. */
async function targetOf({ context, choices, target }: Order, changed: Choices) {
	const find = (naming: Choices) => findTarget('generate', context, naming, undefined);
	if (target.root === undefined || (await find(choices))?.stem !== target.stem) {
		return target;
	}
	return find(changed);
}

async function startingPoint(
	given: ParsedArgument,
	context: CommandContext,
	selected: string,
	preferences: Preferences,
): Promise<Choices> {
	const scope = context.document ?? context.workspaceFolder;
	const asked = given.prompt === undefined;
	return {
		prompt: given.prompt ?? selected,
		size: given.size ?? (asked ? preferences.offeredSize(scope) : readSetting('image.size', scope)),
		quality: given.quality ?? readSetting('image.quality', scope),
		count: given.count ?? 1,
		references: await referencesFromArgument(
			given.references ?? [],
			context.workspaceFolder,
			'generate',
		),
	};
}
