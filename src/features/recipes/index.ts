import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { handle } from '../../editor/entrance.js';
import { KeptFiles } from '../../editor/keptFiles.js';
import { inBackground } from '../../editor/messages.js';
import type { Parts } from '../../generation/parts.js';
import { besidesFollow } from './follow.js';
import { showProvenance } from './show.js';
import { stripRecipes, tellFailed } from './strip.js';
import { Strippings } from './strippings.js';

type Needs = Pick<Parts, 'gallery' | 'keys' | 'log' | 'storage'>;

/**
 * "How Was This Image Made?", and "Remove Prompt from File…": that goes from its files. What lies beside an image
 * goes where that goes.
 */
export function registerRecipes(needs: Needs): vscode.Disposable {
	const { log, storage } = needs;
	const strippings = new Strippings(new KeptFiles(storage), storage, log, (outcome) => {
		inBackground(tellFailed(outcome));
	});
	return vscode.Disposable.from(
		registerCommand('easel.showProvenance', (target) => showProvenance(target, needs)),
		registerCommand('easel.stripRecipe', (target, selected) =>
			stripRecipes(target, selected, strippings),
		),
		handle('besidesFollow', besidesFollow),
		strippings,
	);
}
