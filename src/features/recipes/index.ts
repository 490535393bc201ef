import * as vscode from 'vscode';
import { BackupStore } from '../../editor/backupStore.js';
import { registerCommand } from '../../editor/commands.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import type { Services } from '../../generation/services.js';
import { besidesFollow } from './follow.js';
import { showProvenance } from './show.js';
import { stripRecipes } from './strip.js';
import { Strippings } from './strippings.js';

/**
 * "How Was This Image Made?", and "Remove Prompt from File…": that goes from its files. What lies beside an image
 * goes where that goes.
 */
export function registerRecipes(deps: Services): vscode.Disposable {
	const { storage } = deps;
	const strippings = new Strippings(new BackupStore(storage), storage);
	return vscode.Disposable.from(
		registerCommand('easel.showProvenance', (target) => showProvenance(target, deps)),
		registerCommand('easel.stripRecipe', (target, selected) =>
			stripRecipes(target, selected, strippings),
		),
		registerHandler('besidesFollow', besidesFollow),
		strippings,
	);
}
