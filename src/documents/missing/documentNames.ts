import { markdownLanguages } from '../languages.js';

const extensions = markdownLanguages.flatMap((language) =>
	language.extensions.map((extension) => `.${extension}`),
);

const documentName = new RegExp(`(?:${extensions.join('|').replaceAll('.', '\\.')})$`, 'i');

/** Whether a file of this name is a Markdown document. */
export function isDocumentName(name: string): boolean {
	return documentName.test(name);
}

/**
 * Whether a pattern of `.gitignore`, or a glob without braces, can match a document; most are about
 * folders and other files. It looks at the literal end: that of `*.log` is no document's.
 */
export function canMatchDocument(pattern: string): boolean {
	const end = /[^*?[\]\\/ ]*$/.exec(pattern.trimEnd().toLowerCase())?.[0] ?? '';
	return (
		!/^(?:#|\s*$)|\/\s*$/.test(pattern) &&
		extensions.some((extension) => extension.endsWith(end) || end.endsWith(extension))
	);
}
