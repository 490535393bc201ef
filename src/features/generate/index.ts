import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import type { GenerateArgument } from '../../editor/commandTable.js';
import { parseArgument, type ParsedArgument } from '../../editor/generation/argument.js';
import type { Choices, Order } from '../../editor/generation/order.js';
import { findOrigin, type Origin } from '../../editor/generation/origin.js';
import { referencesFromArgument } from '../../editor/generation/references.js';
import {
	copyReference,
	insertAtCursor,
	insertLater,
	Insertions,
} from '../../editor/generation/insertion.js';
import type { SavedImage } from '../../editor/generation/report.js';
import type { Announcement, Parts, Runner } from '../../editor/generation/runner.js';
import { openImage, revealImage } from '../../editor/generation/savedImage.js';
import { findTarget } from '../../editor/generation/target.js';
import type { Memory } from '../../editor/memory.js';
import { inBackground, tellFailure } from '../../editor/messages.js';
import { ensureSetUp } from '../../editor/service.js';
import { readSetting, SettingError } from '../../editor/settings.js';
import { askForImage } from './ask.js';

/** "Generate Image": from a prompt to a saved file, whatever happens to this window meanwhile. */
export function registerGenerate(runner: Runner, parts: Parts): vscode.Disposable {
	const insertions = new Insertions();
	runner.register('generate', {
		change: (order) => inBackground(change(order, runner, parts)),
		afterSaving: (saved, { origin }) => insert(saved, origin, insertions),
	});
	return vscode.Disposable.from(
		registerCommand('easel.generateImage', (argument) =>
			generate(argument, insertions, runner, parts),
		),
		insertions,
	);
}

/** Writes the reference where the command was given; where that is impossible, offers to do it. */
async function insert(
	saved: SavedImage,
	origin: Origin,
	insertions: Insertions,
): Promise<Announcement> {
	const open = { label: 'Open', run: () => openImage(saved.uri) };
	const copy = { label: 'Copy Reference', run: () => copyReference(saved, origin) };
	const reveal = { label: 'Reveal', run: () => revealImage(saved.uri) };
	if (origin.insertion === undefined) {
		return { buttons: [open, copy, reveal] };
	}
	switch (await insertions.insert(saved, origin)) {
		case 'inserted':
			return { buttons: [open, copy, reveal] };
		case 'deleted':
			return {
				note: 'The place where it belonged was deleted.',
				buttons: [
					{ label: 'Insert at Cursor', run: () => insertAtCursor(saved, origin) },
					copy,
					open,
				],
			};
		case 'away':
			return {
				buttons: [{ label: 'Insert', run: () => insertLater(saved, origin) }, copy, open],
			};
	}
}

/**
 * The command: asks for what the argument leaves open, makes the images, and returns those that
 * were saved; `undefined` where the user cancelled. Failures are told to the user.
 *
 * @throws {ArgumentError} naming the field that is wrong
 */
async function generate(
	argument: GenerateArgument | undefined,
	insertions: Insertions,
	runner: Runner,
	{ keys, memory }: Parts,
): Promise<vscode.Uri[] | undefined> {
	const given = parseArgument('generate', argument);
	const editor = vscode.window.activeTextEditor;
	// Whoever drives the command decides; a person who gives it in a document wants it there.
	const wanted = given.insert ?? given.prompt === undefined;
	const insertion = wanted && editor ? insertions.track(editor) : undefined;
	let made: vscode.Uri[] | undefined;
	try {
		const origin = await findOrigin(insertion);
		if (origin === undefined) {
			return undefined;
		}
		const start = await startingPoint(given, origin, memory);
		if (!(await ensureSetUp(keys))) {
			return undefined;
		}
		const choices = given.prompt === undefined ? await askForImage(start, memory) : start;
		if (choices === undefined) {
			return undefined;
		}
		const target = await findTarget('generate', origin, choices, given.output);
		if (target === undefined) {
			return undefined;
		}
		await memory.rememberPrompt('generate', choices.prompt);
		await memory.rememberSize(choices.size);
		made = await runner.makeAll({ operation: 'generate', choices, origin, target });
		return made;
	} catch (error) {
		if (error instanceof SettingError) {
			tellFailure(error);
			return undefined;
		}
		throw error;
	} finally {
		if (made === undefined) {
			insertions.forget(insertion);
		}
	}
}

/** Asks once more for a request that has failed, with everything as it was. */
async function change(order: Order, runner: Runner, { memory }: Parts): Promise<void> {
	const choices = await askForImage(order.choices, memory);
	const target = choices && (await targetOf(order, choices));
	if (choices !== undefined && target !== undefined) {
		await runner.makeAll({ ...order, choices, target });
	}
}

/** A name that was made of the prompt changes with it; one that somebody has set stays. */
async function targetOf({ origin, choices, target }: Order, changed: Choices) {
	const find = (naming: Choices) => findTarget('generate', origin, naming, undefined);
	if (target.root === undefined || (await find(choices))?.stem !== target.stem) {
		return target;
	}
	return find(changed);
}

async function startingPoint(
	given: ParsedArgument,
	origin: Origin,
	memory: Memory,
): Promise<Choices> {
	const scope = origin.document ?? origin.workspaceFolder;
	const asked = given.prompt === undefined;
	return {
		prompt: given.prompt ?? origin.selectedText,
		size: given.size ?? (asked ? memory.lastSize : undefined) ?? readSetting('image.size', scope),
		quality: given.quality ?? readSetting('image.quality', scope),
		count: given.count ?? 1,
		references: await referencesFromArgument(
			given.references ?? [],
			origin.workspaceFolder,
			'generate',
		),
	};
}
