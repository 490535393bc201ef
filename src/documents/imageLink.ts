import { posix, win32 } from 'node:path';

/** The parts of the editor's `Uri` that matter here, decoded as they are there. */
export interface ResourceUri {
	readonly scheme: string;
	readonly authority: string;
	/** Starts with `/`; on Windows with a drive, as in `/c:/docs/guide.md`. */
	readonly path: string;
}

/**
 * Link that is written into a document, in three parts, so that the alt text can be selected for
 * typing over. All three are text of the document's format; a snippet has to escape them for
 * itself.
 */
export interface ImageLink {
	readonly before: string;
	/** In one line. `undefined` where the format has no place for it. */
	readonly alt: string | undefined;
	readonly after: string;
}

/** Writers of each format. */
export interface LinkParts {
	/** Plain text without escapes, as `relativeReference` returns it. */
	readonly path: string;
	/** Plain text; it is made into one short line. */
	readonly alt: string;
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
 * @throws {RangeError} as {@link assertPath}
 */
export function relativeReference(fromDocument: ResourceUri, toFile: ResourceUri): string {
	assertPath(fromDocument.path);
	assertPath(toFile.path);
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

/** The whole link, for example for the clipboard. */
export function linkText({ before, alt, after }: ImageLink): string {
	return before + (alt ?? '') + after;
}

/**
 * Percent-encodes the characters of a path that `which` matches, as UTF-8 (RFC 3986, part 2.1).
 * @param which global, and matching characters that `encodeURIComponent` encodes
 * @throws {RangeError} as {@link assertPath}
 */
export function percentEncode(path: string, which: RegExp): string {
	assertPath(path);
	return path.replace(which, encodeURIComponent);
}

/** As {@link percentEncode}, and the white space at both ends, which readers of a format drop. */
export function percentEncodeWithEnds(path: string, which: RegExp): string {
	assertPath(path);
	const behindStart = path.trimStart();
	const name = behindStart.trimEnd();
	return (
		encodeURIComponent(path.slice(0, path.length - behindStart.length)) +
		percentEncode(name, which) +
		encodeURIComponent(behindStart.slice(name.length))
	);
}

/**
 * Refuses what no file system can have as a path; no time is spent on it.
 * @throws {RangeError} above 32,767 UTF-16 code units, the most that Windows allows
 */
export function assertPath(path: string): void {
	if (path.length > maxPathLength) {
		throw new RangeError('a path is longer than any system allows');
	}
}

/** In UTF-16 code units (Windows, "Maximum Path Length Limitation"); elsewhere it is 4,096 bytes. */
export const maxPathLength = 32_767;

function wholeUri({ scheme, authority, path }: ResourceUri): string {
	return authority === '' && scheme !== 'file'
		? `${scheme}:${path}`
		: `${scheme}://${authority}${path}`;
}

function driveOf(path: string): string | undefined {
	return /^\/([a-z]):(?=\/|$)/i.exec(path)?.[1]?.toLowerCase();
}
