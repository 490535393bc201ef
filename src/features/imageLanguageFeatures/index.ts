import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import { provideCompletions, provideHover } from '../../editor/providers.js';
import { languageIds } from '../../documents/languages.js';
import type { Parts } from '../../generation/parts.js';
import { completeImages } from './complete.js';
import { hoverOver } from './hover.js';
import { registerImageCommands } from './imageCommands.js';
import { insertImage } from './insert.js';

/** What documents show of the images that Easel has made: hovers, completions, and their list. */
export function registerImageLanguageFeatures({
	gallery,
}: Pick<Parts, 'gallery'>): vscode.Disposable {
	return vscode.Disposable.from(
		registerCommand('easel.insertImage', () => insertImage(gallery)),
		registerImageCommands(gallery),
		provideHover(languageIds, (document, position) => hoverOver(document, position, gallery)),
		provideCompletions(languageIds, ['(', '/', '"', '{', ':'], (document, position) =>
			completeImages(document, position, gallery),
		),
	);
}
