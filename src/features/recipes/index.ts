import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { mayExist } from '../../editor/files.js';
import { imageNamePattern } from '../../images/fileName.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import type { Services } from '../../services.js';
import { besideName, readBeside } from '../../recipes/beside.js';
import { recipeMessages } from '../messages.js';
import { showProvenance } from './show.js';
import { stripRecipes } from './strip.js';

/**
 * Registers "How Was This Image Made?" and "Remove Prompt from File…", and lets the file beside an
 * image follow it.
 */
export function registerRecipes(deps: Services): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.showProvenance', (target) => showProvenance(target, deps)),
		registerCommand('easel.stripRecipe', (target, selected) =>
			stripRecipes(target, selected, deps.storage),
		),
		registerHandler('moveRecipes', moveRecipes),
	);
}

/** A file that is going to be renamed, with its new name; deleted where that is missing. */
type Move = readonly [from: vscode.Uri, to?: vscode.Uri];

/**
 * Returns the edit for recipes beside images that are going to be renamed or deleted: they go where
 * these go. A file that is no recipe, and one whose new name is taken, stays; and what was
 * chosen with its image is moved already.
 */
async function moveRecipes(moves: readonly Move[]): Promise<vscode.WorkspaceEdit> {
	const edit = new vscode.WorkspaceEdit();
	const metadata = { needsConfirmation: false, label: recipeMessages.fileOperation };
	const moved = new Set(moves.map(([from]) => from.toString()));
	for (const [from, to] of moves) {
		const beside = besideOf(from);
		if (!moved.has(beside.toString()) && isSameKind(from, to) && (await hasRecipe(from))) {
			if (to === undefined) {
				edit.deleteFile(beside, { ignoreIfNotExists: true }, metadata);
			} else if (!(await mayExist(besideOf(to)))) {
				edit.renameFile(beside, besideOf(to), { ignoreIfExists: true }, metadata);
			}
		}
	}
	return edit;
}

function besideOf(image: vscode.Uri): vscode.Uri {
	return image.with({ path: besideName(image.path) });
}

/** An image that gives way to one of another kind has another recipe then. */
function isSameKind(from: vscode.Uri, to: vscode.Uri = from): boolean {
	const kind = ({ path }: vscode.Uri) => imageNamePattern.exec(path)?.[0].toLowerCase();
	return kind(from) !== undefined && kind(from) === kind(to);
}

async function hasRecipe({ scheme, fsPath }: vscode.Uri): Promise<boolean> {
	return scheme === 'file' && (await readBeside(fsPath).catch(() => undefined)) !== undefined;
}
