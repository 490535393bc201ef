import * as vscode from 'vscode';
import { markdownText } from './untrustedText.js';

/** Paragraph of a hover or a completion. */
export type Paragraph =
	| {
			readonly type: 'text';
			/** Untrusted: nothing in it becomes a link. */
			readonly text: string;
	  }
	| {
			readonly type: 'picture';
			readonly uri: vscode.Uri;
			/** In pixels. */
			readonly width: number;
			readonly height?: number;
	  }
	| { readonly type: 'links'; readonly links: readonly CommandLink[] };

/**
 * A link that runs a command of ours. VS Code decodes what a link passes twice, so it passes nothing
 * but an identifier, and the command looks up what that means.
 */
export interface CommandLink {
	readonly label: string;
	readonly command: `_easel.${string}`;
	/** A UUID. */
	readonly id: string;
}

/** Longest text of a paragraph, in UTF-16 code units. */
const maxTextLength = 500;

/** The one place where Markdown is written for VS Code. Only the commands of its links may run. */
export function richText(paragraphs: readonly Paragraph[]): vscode.MarkdownString {
	const text = new vscode.MarkdownString(paragraphs.map(markdownOf).join('\n\n'));
	const links = paragraphs.flatMap((one) => (one.type === 'links' ? one.links : []));
	if (links.length > 0) {
		text.isTrusted = { enabledCommands: [...new Set(links.map(({ command }) => command))] };
	}
	return text;
}

function markdownOf(paragraph: Paragraph): string {
	switch (paragraph.type) {
		case 'text':
			return markdownText(paragraph.text, maxTextLength);
		case 'picture': {
			const { uri, width, height } = paragraph;
			const size = `width=${String(width)}${height === undefined ? '' : `,height=${String(height)}`}`;
			return `![](${uri.toString()}|${size})`;
		}
		case 'links':
			return paragraph.links.map(linkOf).join(' · ');
	}
}

function linkOf({ label, command, id }: CommandLink): string {
	if (!/^[\da-f-]{36}$/i.test(id)) {
		throw new Error('A link passes nothing but a UUID.');
	}
	return `[${markdownText(label, maxTextLength)}](command:${command}?${encodeURIComponent(JSON.stringify([id]))})`;
}
