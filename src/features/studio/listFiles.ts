import { opendir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import { isBelow } from '../../files/containment.js';

export interface ListOptions {
	readonly isMeant: (name: string) => boolean;
	/** Limit of the list, at least 1; no more than twice as many are ever held. */
	readonly maxNames: number;
	/** Absolute. A link counts where it leads to a file below one of these. */
	readonly roots: readonly string[];
}

export interface ListedFiles {
	/** As people sort them: `2` before `10`, without letter case. */
	readonly names: readonly string[];
	/** Number of images beyond these; those that are listed come first. */
	readonly more: number;
	/** Number of images that are left out because they are links that lead elsewhere. */
	readonly elsewhere: number;
}

/**
 * Lists the files of a folder, not those of its subfolders, however many there are: it is read in
 * pieces, between which other work gets its turn.
 *
 * @param folder absolute
 * @throws the system's error where the folder cannot be read
 */
export async function listFiles(folder: string, options: ListOptions): Promise<ListedFiles> {
	const { isMeant, maxNames, roots } = options;
	let found: Found[] = [];
	let count = 0;
	for await (const entry of await opendir(folder, { bufferSize: 512 })) {
		const isLink = entry.isSymbolicLink();
		if ((isLink || entry.isFile()) && isMeant(entry.name)) {
			count += 1;
			found.push({ name: entry.name, key: sortingKey(entry.name), isLink });
			if (found.length >= 2 * maxNames) {
				found = firstOf(found, maxNames);
			}
		}
	}
	const listed = firstOf(found, maxNames);
	const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
	// A few links are followed at a time.
	const ends = await new PQueue({ concurrency: 16 }).addAll(
		listed.map(
			({ name, isLink }) =>
				async () =>
					isLink ? endOf(path.join(folder, name), realRoots) : 'here',
		),
	);
	return {
		names: listed.filter((_, index) => ends[index] === 'here').map(({ name }) => name),
		more: count - listed.length,
		elsewhere: ends.filter((end) => end === 'elsewhere').length,
	};
}

interface Found {
	readonly name: string;
	readonly key: string;
	readonly isLink: boolean;
}

/**
 * Returns a key that sorts names as plain text: a comparison by the rules of a language takes so
 * long for ten thousand that the user would feel it.
 */
export function sortingKey(name: string): string {
	return name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(16, '0'));
}

function firstOf(found: Found[], maxNames: number): Found[] {
	const order = (one: Found, other: Found) =>
		one.key < other.key ? -1 : one.key > other.key ? 1 : one.name < other.name ? -1 : 1;
	return found.sort(order).slice(0, maxNames);
}

/** Resolves a link; `undefined` where that is no file, or cannot be followed. */
async function endOf(
	link: string,
	roots: readonly string[],
): Promise<'here' | 'elsewhere' | undefined> {
	try {
		const end = await realpath(link);
		const isHere = roots.some((root) => isBelow(root, end, process.platform));
		return !(await stat(end)).isFile() ? undefined : isHere ? 'here' : 'elsewhere';
	} catch {
		return undefined;
	}
}
