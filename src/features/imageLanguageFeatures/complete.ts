import * as vscode from 'vscode';
import { imagePathsFor } from '../../documents/writeImageLink.js';
import { ageWords } from '../../editor/age.js';
import { languageOf } from '../../editor/documentLanguage.js';
import { imagePathAt } from '../../editor/nearImage.js';
import { richText } from '../../editor/richText.js';
import { safeText } from '../../editor/untrustedText.js';
import type { KnownImages } from '../../generation/galleryLookup.js';
import { linkContextOf } from '../../generation/writing.js';
import { latestImages } from './latest.js';

const maxOffered = 20;

/** Offers the latest images where a document is about to name one. */
export async function completeImages(
	document: vscode.TextDocument,
	position: vscode.Position,
	known: KnownImages,
): Promise<vscode.CompletionItem[]> {
	const typed = imagePathAt(document, position);
	if (typed === undefined) {
		return [];
	}
	const range = new vscode.Range(position.translate(0, -typed.typed.length), position);
	const images = await latestImages(known, maxOffered);
	const textBefore = document.getText(range.with(new vscode.Position(0, 0), range.start));
	const context = await linkContextOf(document.uri, textBefore);
	const pathOf = imagePathsFor(languageOf(document), context);
	return images.map(({ uri, prompt, savedAt }, index) => {
		const path = pathOf(uri);
		const item = new vscode.CompletionItem(
			{ label: safeText(path), description: ageWords(new Date(savedAt)) },
			vscode.CompletionItemKind.File,
		);
		item.insertText = typed.write(path);
		item.range = range;
		item.filterText = `${item.insertText} ${prompt}`;
		item.sortText = String(index).padStart(3, '0');
		item.detail = safeText(prompt);
		item.documentation = richText([{ type: 'picture', uri, width: 240 }]);
		return item;
	});
}
