import path from 'node:path';
import { findImages, type FoundImage } from '../findImages.js';
import { MissingFiles } from './missingFiles.js';

/** A reference to a file that does not exist. */
export interface MissingImage {
	/** Absolute path of the document. */
	readonly document: string;
	readonly reference: FoundImage;
	/** Absolute path of the file that is not there. */
	readonly path: string;
	/**
	 * Why no image can be made there: `format` where the name does not end in `.png`, `outside`
	 * where the path leaves the workspace folder (symbolic links not considered).
	 */
	readonly obstacle: 'format' | 'outside' | undefined;
}

/** The missing images of one document, for example of one that is open. */
export function* missingIn(
	text: string,
	document: string,
	workspaceFolder: string | undefined,
	files = new MissingFiles(),
): Generator<MissingImage> {
	const missing = (href: string) => files.of(href, document, workspaceFolder);
	for (const reference of findImages(text, (href) => missing(href) !== undefined)) {
		const file = missing(reference.href);
		if (file !== undefined) {
			const obstacle = obstacleTo(file, workspaceFolder);
			yield { document, reference, path: file, obstacle };
		}
	}
}

function obstacleTo(file: string, workspaceFolder: string | undefined): MissingImage['obstacle'] {
	if (!/\.png$/i.test(file)) {
		return 'format';
	}
	const relative = workspaceFolder === undefined ? '' : path.relative(workspaceFolder, file);
	return /^\.\.(?:[\\/]|$)/.test(relative) || path.isAbsolute(relative) ? 'outside' : undefined;
}
