import { lstatSync } from 'node:fs';
import path from 'node:path';
import { nameProblem } from '../../files/nameProblem.js';
import { findImages, type FoundImage } from '../findImages.js';
import { localPath, wallAround } from '../localPath.js';

/** A reference to a file that does not exist. */
export interface MissingImage {
	/** Absolute path of the document. */
	readonly document: string;
	readonly reference: FoundImage;
	/** Absolute path of the file that is not there. */
	readonly path: string;
	/**
	 * Why no image can be made there: `format` where the name does not end in `.png`, `outside`
	 * where the path leaves its {@link wallAround} (symbolic links not considered), `name` where the
	 * system can have no file or folder of a name in it.
	 */
	readonly obstacle: 'format' | 'outside' | 'name' | undefined;
}

/** The missing images of one document, for example of one that is open. */
export function* missingIn(
	text: string,
	document: string,
	workspaceFolder: string | undefined,
	system: NodeJS.Platform = process.platform,
): Generator<MissingImage> {
	const isMissing = (href: string) => missingFile(href, document, workspaceFolder) !== undefined;
	for (const reference of findImages(text, isMissing)) {
		const file = missingFile(reference.href, document, workspaceFolder);
		if (file !== undefined) {
			const obstacle = obstacleTo(file, wallAround(document, workspaceFolder), system);
			yield { document, reference, path: file, obstacle };
		}
	}
}

/**
 * The file that a link of a document names and that is not there, absolute. Missing is what the file
 * system says it did not find, so that it can be made there; a broken link, or what lies in a folder
 * that may not be looked into, is not.
 *
 * @param href as in `FoundImage`
 */
export function missingFile(
	href: string,
	document: string,
	workspaceFolder: string | undefined,
): string | undefined {
	const file = localPath({ href }, document, workspaceFolder);
	try {
		const isMissing = file !== undefined && !lstatSync(file, { throwIfNoEntry: false });
		return isMissing ? file : undefined;
	} catch {
		return undefined;
	}
}

function obstacleTo(file: string, wall: string, system: NodeJS.Platform): MissingImage['obstacle'] {
	if (!/\.png$/i.test(file)) {
		return 'format';
	}
	const relative = path.relative(wall, file);
	if (/^\.\.(?:[\\/]|$)/.test(relative) || path.isAbsolute(relative)) {
		return 'outside';
	}
	const names = relative.split(path.sep);
	return names.at(-1)?.toLowerCase() === '.png' || names.some((name) => nameProblem(name, system))
		? 'name'
		: undefined;
}
