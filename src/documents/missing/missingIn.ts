import { lstatSync } from 'node:fs';
import path from 'node:path';
import { nameProblem } from '../../files/nameProblem.js';
import { findImages, type FoundImage } from '../findImages.js';
import { localPaths, wallAround, type LinkingDocument } from '../localPath.js';

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
	place: LinkingDocument,
	system: NodeJS.Platform = process.platform,
): Generator<MissingImage> {
	const { document, workspaceFolder } = place;
	const isMissing = (href: string) => missingFile(href, place) !== undefined;
	for (const reference of findImages(text, isMissing)) {
		const file = missingFile(reference.href, place);
		if (file !== undefined) {
			const obstacle = obstacleTo(file, wallAround(document, workspaceFolder), system);
			yield { document, reference, path: file, obstacle };
		}
	}
}

/**
 * The file that a link of a document names and that is not there, absolute: the likeliest where it
 * may lie in several places, and none of them has it. Missing is what the file system says it did not
 * find, so that it can be made there; a broken link, or what lies in a folder that may not be looked
 * into, is not.
 *
 * @param href as in `FoundImage`
 */
export function missingFile(href: string, place: LinkingDocument): string | undefined {
	const files = localPaths({ href }, place);
	try {
		const isMissing = files.every((file) => !lstatSync(file, { throwIfNoEntry: false }));
		return isMissing ? files[0] : undefined;
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
