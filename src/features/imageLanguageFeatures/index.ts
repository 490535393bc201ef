import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { pause } from '../../editor/pause.js';
import { languageIds } from '../../documents/languages.js';
import type { Parts } from '../../generation/parts.js';
import { completeImages } from './complete.js';
import { hoverOver } from './hover.js';
import { insertImage } from './insert.js';

/** What documents show of the images that Easel has made: hovers, completions, and their list. */
export function registerImageLanguageFeatures({
	gallery,
}: Pick<Parts, 'gallery'>): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.insertImage', () => insertImage(gallery)),
		vscode.languages.registerHoverProvider(languageIds, {
			provideHover: async (document, position, token) =>
				(await pause(token)) ? hoverOver(document, position, gallery) : undefined,
		}),
		vscode.languages.registerCompletionItemProvider(
			languageIds,
			{
				provideCompletionItems: async (document, position, token) =>
					(await pause(token)) ? completeImages(document, position, gallery) : [],
			},
			'(',
			'/',
			'"',
			'{',
			':',
		),
	);
}
