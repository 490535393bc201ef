import path from 'node:path';
import { longestPath, type ResourceUri } from './imageLink.js';
import { siteFolder } from './site.js';

/** A document on a disk, and what its links go by. */
export interface LinkingDocument {
	/** Absolute path. */
	readonly document: string;
	/** The workspace folder that it lies in, absolute. */
	readonly workspaceFolder: string | undefined;
	/** As `siteReference` takes it: relative to the workspace folder, empty for none. */
	readonly publicFolder?: string | undefined;
	/**
	 * The folders that a relative path may start from, absolute, the likeliest first; by default the
	 * document's own alone.
	 */
	readonly folders?: readonly string[] | undefined;
}

/**
 * Where the file of a reference may lie, the likeliest place first. On a page of a site a path with
 * a leading `/` is the site's own, as `siteReference` writes it; behind that comes what the editor
 * takes it for. Whatever else is written has the places that {@link localPath} gives it, or none.
 *
 * @param reference as {@link localPath} takes it
 * @returns absolute paths, which may lie anywhere
 */
export function localPaths(
	reference: { readonly href: string },
	{ document, workspaceFolder, publicFolder = '', folders }: LinkingDocument,
): readonly string[] {
	const roots = [siteOf(document, workspaceFolder, publicFolder), workspaceFolder];
	// A path with the slash has the same place, whatever the folder; one without it, whatever the root.
	const files = (folders ?? [path.dirname(document)]).flatMap((folder) =>
		roots.map((root) => localPath(reference, path.join(folder, 'document'), root)),
	);
	return [...new Set(files.filter((file) => file !== undefined))];
}

/** The `siteFolder` of a document that lies on a disk. */
function siteOf(
	document: string,
	workspaceFolder: string | undefined,
	publicFolder: string,
): string | undefined {
	if (workspaceFolder === undefined) {
		return undefined;
	}
	const root = resourceOf(workspaceFolder);
	const folder = siteFolder({
		document: resourceOf(document),
		workspaceFolder: root,
		publicFolder,
	});
	// Not the folder itself: of a network share of Windows it has lost a slash.
	return folder === undefined
		? undefined
		: path.join(workspaceFolder, path.posix.relative(root.path, folder));
}

function resourceOf(file: string): ResourceUri {
	const normal = path.posix.normalize(file.replaceAll(path.sep, '/'));
	return { scheme: 'file', authority: '', path: normal };
}

/**
 * Where the file of a reference lies, as the editor's own Markdown resolves it: relative to the
 * document, or, where it starts with `/`, to the workspace folder; query and fragment are left out.
 * `undefined` where it names no file: another scheme or host, a fragment alone, a folder, a
 * placeholder of a template such as `{{ site.logo }}`, or `/` without a workspace folder.
 *
 * @param href as in `FoundImage`: percent-encoded. A sequence that is none stays as it is
 * @param documentPath absolute, as `workspaceFolder` is
 * @returns an absolute path, which may lie anywhere
 */
export function localPath(
	{ href }: { readonly href: string },
	documentPath: string,
	workspaceFolder: string | undefined,
): string | undefined {
	if (
		href.length > longestReference ||
		/^(?:[a-z][a-z\d+.-]*:|\/\/|\\\\)/i.test(href) ||
		/\{[{%]|\$\{|^\{/.test(href)
	) {
		return undefined;
	}
	const name = decodePercent(href.replace(/[?#][^]*/, ''));
	if (name === '' || /[/\\]$|\0/.test(name)) {
		return undefined;
	}
	if (!name.startsWith('/')) {
		return path.join(path.dirname(documentPath), name);
	}
	return workspaceFolder === undefined ? undefined : path.join(workspaceFolder, name);
}

/**
 * The folder that a missing image may not leave: the path in the document decides where it goes, so
 * a document that lies in no workspace decides about its own folder alone.
 */
export function wallAround(document: string, workspaceFolder: string | undefined): string {
	return workspaceFolder ?? path.dirname(document);
}

/** Of three code units each, so that no longer one names a path that a file system has. */
const longestReference = 3 * longestPath;

/**
 * Undoes percent-encoding; what is no character of UTF-8 stays as it is, and so do its neighbors
 * (RFC 3629, part 4). It is one pass over code units, because the text may be a whole document, and
 * a call for each sequence takes ten times as long.
 */
export function decodePercent(text: string): string {
	const first = text.indexOf('%');
	if (first < 0) {
		return text;
	}
	const bytes = Buffer.alloc(2 * text.length);
	bytes.write(text, 'utf16le');
	const units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
	let length = first;
	for (let at = first; at < units.length;) {
		const code = encodedAt(units, at);
		if (code === undefined) {
			units[length++] = units[at]!;
			at += 1;
		} else if (code > 0xffff) {
			units[length++] = 0xd800 + ((code - 0x10000) >> 10);
			units[length++] = 0xdc00 + (code & 0x3ff);
			at += 12;
		} else {
			units[length++] = code;
			at += 3 * bytesOf(code);
		}
	}
	return bytes.toString('utf16le', 0, 2 * length);
}

const percentSign = 0x25;

/** The character whose bytes stand encoded at a place; `undefined` where none does. */
function encodedAt(units: Uint16Array, at: number): number | undefined {
	const lead = byteAt(units, at);
	if (lead < 0x80) {
		return lead < 0 ? undefined : lead;
	}
	const more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf8 ? 3 : 0;
	let code = lead & (0x3f >> more);
	for (let index = 1; index <= more; index++) {
		const byte = byteAt(units, at + 3 * index);
		if (byte < 0x80 || byte > 0xbf) {
			return undefined;
		}
		code = (code << 6) | (byte & 0x3f);
	}
	// Not one that has a shorter form, or half of a pair, or beyond the last.
	const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
	return more > 0 && isCharacter && bytesOf(code) === more + 1 ? code : undefined;
}

/** In UTF-8. */
function bytesOf(code: number): number {
	return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/** A byte as `%` and two digits; less than 0 where it is none. */
function byteAt(units: Uint16Array, at: number): number {
	return units[at] === percentSign ? (digitOf(units[at + 1]) << 4) | digitOf(units[at + 2]) : -1;
}

/** -1 for what is no hexadecimal digit, or behind the end. */
function digitOf(unit = digits.length): number {
	return digits[unit] ?? -1;
}

const digits = Int8Array.from({ length: 128 }, (_, unit) =>
	'0123456789abcdef'.indexOf(String.fromCharCode(unit).toLowerCase()),
);
