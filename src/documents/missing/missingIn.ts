import path from 'node:path';
import { nameProblem } from '../../files/nameProblem.js';
import { findImages, type FoundImage } from '../findImages.js';
import { wallAround } from '../localPath.js';
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
	files = new MissingFiles(),
	system: NodeJS.Platform = process.platform,
): Generator<MissingImage> {
	const missing = (href: string) => files.of(href, document, workspaceFolder);
	for (const reference of findImages(text, (href) => missing(href) !== undefined)) {
		const file = missing(reference.href);
		if (file !== undefined) {
			const obstacle = obstacleTo(file, wallAround(document, workspaceFolder), system);
			yield { document, reference, path: file, obstacle };
		}
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
