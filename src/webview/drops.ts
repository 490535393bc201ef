import { pageMessages } from './messages.js';

/**
 * Part of a `DataTransfer` that can be asked for: what is dragged is read only when it is dropped.
 */
type Data = Pick<DataTransfer, 'types' | 'getData' | 'files'>;

/**
 * Type by which VS Code names what is dragged out of its explorer and its tabs. It gives
 * `text/uri-list` as well, but only the first one of several.
 */
const ownList = 'application/vnd.code.uri-list';
const commonList = 'text/uri-list';

/**
 * Returns whether something is dragged that may be images. Text that is dragged goes its own way.
 */
export function mayHaveImages({ types }: Pick<DataTransfer, 'types'>): boolean {
	return [ownList, commonList, 'Files'].some((type) => types.includes(type));
}

/** Returns what was dropped or pasted: files with their bytes, or else where something lies. */
export function contentsOf(data: Data): { uris: readonly string[]; files: readonly File[] } {
	const own = parseUriList(data.getData(ownList));
	if (own.length > 0) {
		return { uris: own, files: [] };
	}
	const files = Array.from(data.files);
	return files.length > 0
		? { uris: [], files }
		: { uris: parseUriList(data.getData(commonList)), files: [] };
}

/** Reads a file that was dropped or pasted; returns why not, in words, where it cannot be used. */
export async function readDropped(
	file: File,
	maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | string> {
	const { name, size } = file;
	if (size > maxBytes) {
		return pageMessages.tooLarge(name, inMebibytes(size), inMebibytes(maxBytes));
	}
	// A folder has no bytes.
	const bytes = await file.bytes().catch(() => undefined);
	return bytes === undefined || size === 0 ? pageMessages.unreadable(name) : bytes;
}

function inMebibytes(bytes: number): number {
	return Math.ceil(bytes / 1024 / 1024);
}

/** Reads a `text/uri-list` (RFC 2483, part 5): a URI in each line, comments begin with `#`. */
export function parseUriList(list: string): string[] {
	return list
		.split(/\r\n|\r|\n/)
		.map((line) => line.trim())
		.filter((line) => line !== '' && !line.startsWith('#'));
}
