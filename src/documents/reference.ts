import { posix, win32 } from 'node:path';

/** The parts of the editor's `Uri` that matter here, decoded as they are there. */
export interface ResourceUri {
	readonly scheme: string;
	readonly authority: string;
	/** Starts with `/`; on Windows with a drive, as in `/c:/docs/guide.md`. */
	readonly path: string;
}

/**
 * Returns how a document refers to a file, as the editor's own drop does it: relative, with `/` and
 * without a leading `./`, where both have the same scheme and authority; else the whole URI. Drives
 * and folders of Windows are compared without regard to case. On two different drives it is the
 * whole URI too, because a link cannot lead from one to the other.
 *
 * The result is plain text without any escapes; each document format adds its own. A name with a
 * colon does get `./`, else its beginning is taken for a scheme (RFC 3986, part 4.2).
 * @param fromDocument the notebook, for a cell; any file inside the first workspace folder, for an
 * untitled document
 */
export function relativeReference(fromDocument: ResourceUri, toFile: ResourceUri): string {
	if (fromDocument.scheme !== toFile.scheme || fromDocument.authority !== toFile.authority) {
		return wholeUri(toFile);
	}
	const folder = posix.dirname(fromDocument.path);
	const fromDrive = driveOf(fromDocument.path);
	const toDrive = driveOf(toFile.path);
	if (fromDrive !== toDrive) {
		return wholeUri(toFile);
	}
	// The slash behind the folder: a bare `c:` is the current folder of that drive.
	const relative =
		fromDrive === undefined
			? posix.relative(folder, toFile.path)
			: win32.relative(`${folder.slice(1)}/`, toFile.path.slice(1)).replaceAll('\\', '/');
	return /^[^/]*:/.test(relative) ? `./${relative}` : relative;
}

function wholeUri({ scheme, authority, path }: ResourceUri): string {
	return authority === '' && scheme !== 'file'
		? `${scheme}:${path}`
		: `${scheme}://${authority}${path}`;
}

function driveOf(path: string): string | undefined {
	return /^\/([a-z]):(?=\/|$)/i.exec(path)?.[1]?.toLowerCase();
}
