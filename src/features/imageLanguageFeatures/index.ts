import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
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
			provideHover: (document, position) => hoverOver(document, position, gallery),
		}),
		vscode.languages.registerCompletionItemProvider(
			languageIds,
			{
				provideCompletionItems: (document, position) => completeImages(document, position, gallery),
			},
			'(',
			'/',
			'"',
			'{',
			':',
		),
	);
}
