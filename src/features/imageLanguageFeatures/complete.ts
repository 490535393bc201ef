import * as vscode from 'vscode';
import { asciidocTarget } from '../../documents/asciidoc.js';
import { htmlSource } from '../../documents/html.js';
import { formatOf, type DocumentFormat } from '../../documents/languages.js';
import { latexPath } from '../../documents/latex.js';
import { markdownDestination } from '../../documents/markdown.js';
import { relativeReference } from '../../documents/imageLink.js';
import { restructuredTextUri } from '../../documents/restructuredText.js';
import { typstString } from '../../documents/typst.js';
import { fileOf } from '../../generation/writing.js';
import type { Gallery } from '../../jobs/gallery.js';
import { ageWords } from '../../editor/age.js';
import { foreignText } from '../../editor/foreignText.js';
import { richText } from '../../editor/richText.js';
import { latestImages } from './latest.js';

const mostOffered = 20;

interface Syntax {
	/** What stands before the cursor where a path of an image is expected; the group is its start. */
	readonly before: RegExp;
	readonly write: (path: string) => string;
}

const markdown: Syntax = { before: /!\[[^\]]*\]\(<?([^)\s]*)$/, write: markdownDestination };
const html: Syntax = { before: /<img\b[^>]*\bsrc=["']([^"']*)$/i, write: htmlSource };

const syntaxes: Readonly<Record<DocumentFormat, readonly Syntax[]>> = {
	markdown: [markdown, html],
	mdx: [markdown, html],
	html: [html],
	vue: [html],
	asciidoc: [{ before: /image::?([^[\s]*)$/, write: asciidocTarget }],
	restructuredText: [{ before: /\.\. (?:image|figure):: *(\S*)$/, write: restructuredTextUri }],
	latex: [{ before: /\\includegraphics(?:\[[^\]]*\])?\{([^}]*)$/, write: latexPath }],
	typst: [{ before: /image\("([^"]*)$/, write: typstString }],
};

/** Offers the latest images where a document is about to name one. */
export async function completeImages(
	document: vscode.TextDocument,
	position: vscode.Position,
	gallery: Gallery,
): Promise<vscode.CompletionItem[]> {
	const line = document.lineAt(position).text.slice(0, position.character);
	const format = formatOf(document.languageId);
	for (const { before, write } of format === undefined ? [] : syntaxes[format]) {
		const typed = before.exec(line)?.[1];
		if (typed !== undefined) {
			const range = new vscode.Range(position.translate(0, -typed.length), position);
			return offered(document, range, write, gallery);
		}
	}
	return [];
}

async function offered(
	document: vscode.TextDocument,
	range: vscode.Range,
	write: (path: string) => string,
	gallery: Gallery,
): Promise<vscode.CompletionItem[]> {
	const images = await latestImages(gallery, mostOffered);
	return images.map(({ uri, prompt, savedAt }, index) => {
		const path = relativeReference(fileOf(document.uri), uri);
		const item = new vscode.CompletionItem(
			{ label: foreignText(path), description: ageWords(new Date(savedAt)) },
			vscode.CompletionItemKind.File,
		);
		item.insertText = write(path);
		item.range = range;
		item.filterText = `${item.insertText} ${prompt}`;
		item.sortText = String(index).padStart(3, '0');
		item.detail = foreignText(prompt);
		item.documentation = richText([{ type: 'picture', uri, width: 240 }]);
		return item;
	});
}
