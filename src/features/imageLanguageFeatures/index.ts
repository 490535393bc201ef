import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import { offering } from '../../editor/offering.js';
import type { Parts } from '../../generation/parts.js';
import { completeImages } from './complete.js';
import { hoverOver } from './hover.js';
import { registerImageCommands } from './imageCommands.js';
import { insertImage } from './insert.js';

/** What documents show of the images that Easel has made: hovers, completions, and their list. */
export function registerImageLanguageFeatures({
	gallery,
	marks,
}: Pick<Parts, 'gallery' | 'marks'>): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.insertImage', () => insertImage({ gallery, marks })),
		registerImageCommands(gallery),
		registerHandler(
			'hover',
			offering('A hover', (document: vscode.TextDocument, position: vscode.Position) =>
				hoverOver(document, position, gallery),
			),
		),
		registerHandler(
			'completions',
			offering('Completions', (document: vscode.TextDocument, position: vscode.Position) =>
				completeImages(document, position, gallery),
			),
		),
	);
}
