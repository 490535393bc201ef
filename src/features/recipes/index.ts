import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { KeptFiles } from '../../editor/keptFiles.js';
import { inBackground } from '../../editor/messages.js';
import type { Parts } from '../../generation/parts.js';
import { stripRecipes, tellFailed } from './strip.js';
import { Strippings } from './strippings.js';

type Needs = Pick<Parts, 'log' | 'storage'>;

/** "Strip Recipe…": how an image was made goes from its files. */
export function registerRecipes({ log, storage }: Needs): vscode.Disposable {
	const strippings = new Strippings(new KeptFiles(storage), storage, log, (outcome) => {
		inBackground(tellFailed(outcome));
	});
	return vscode.Disposable.from(
		registerCommand('easel.stripRecipe', (target, selected) =>
			stripRecipes(target, selected, strippings),
		),
		strippings,
	);
}
