import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import { safeProvider } from '../../editor/safeProvider.js';
import type { Services } from '../../generation/services.js';
import { completeImages } from './complete.js';
import { hoverOver, registerHoverLinks } from './hover.js';
import { insertImage } from './insert.js';

/** What documents show of the images that Easel has made: hovers, completions, and their list. */
export function registerImageLanguageFeatures(deps: Services): vscode.Disposable {
	const { history } = deps;
	return vscode.Disposable.from(
		registerCommand('easel.insertImage', () => insertImage(deps)),
		registerHoverLinks(history),
		registerHandler(
			'hover',
			safeProvider('A hover', (document: vscode.TextDocument, position: vscode.Position) =>
				hoverOver(document, position, history),
			),
		),
		registerHandler(
			'completions',
			safeProvider('Completions', (document: vscode.TextDocument, position: vscode.Position) =>
				completeImages(document, position, history),
			),
		),
	);
}
