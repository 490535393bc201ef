import { lstatSync } from 'node:fs';
import { findImages, type FoundImage } from '../findImages.js';
import { localPaths, type LinkingDocument } from '../localPath.js';

/** A link as it would be written. */
export interface MendedLink {
	readonly kind: FoundImage['kind'];
	/** Its new destination, with the escapes of the document. */
	readonly written: string;
	/** The file that it is to mean, absolute. */
	readonly file: string;
}

/** Returns whether a link means a file by the rules by which it was not found before. */
export function isMended({ kind, written, file }: MendedLink, place: LinkingDocument): boolean {
	const [found] = findImages(textOf(kind, written));
	const href = found?.href ?? (kind === 'import' || kind === 'value' ? written : undefined);
	const files = href === undefined ? [] : localPaths({ href }, place);
	return files.find((one) => lstatSync(one, { throwIfNoEntry: false })) === file;
}

function textOf(kind: FoundImage['kind'], written: string): string {
	switch (kind) {
		case 'html':
			return `<img src="${written}">`;
		case 'embed':
			return `![[${written}]]`;
		case 'directive':
			return `\`\`\`{image} ${written}\n\`\`\``;
		case 'reference':
			return `![a]\n\n[a]: ${written}`;
		case 'inline':
		case 'sized':
			return `![](${written})`;
		case 'import':
		case 'value':
		case 'other':
			return '';
	}
}
