import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { readBounded } from '../../files/boundedRead.js';
import { sha256Of } from '../../images/hash.js';
import { inspectImage, maxImageBytes } from '../../images/inspect.js';
import { isEmptyStyle, styleHash } from '../../recipes/applyStyle.js';
import { maxGuideBytes, parseStyleGuide } from '../../recipes/styleGuide.js';
import { decodePercent, isInside } from '../localPath.js';

/** A file that one of the places of a link names, letter by letter or but for letter case. */
export interface FoundFile {
	readonly file: string;
	readonly isExact: boolean;
}

/** Folders whose names are remembered; more need more memory than they save time. */
const maxFolders = 2000;

/** SHA-256 of images that Easel has saved on this machine, hexadecimal, by their sizes in bytes. */
export type MadeImages = ReadonlyMap<number, readonly string[]>;

/** The files that links name, looked up in lists of folders, so that letter case counts everywhere. */
export class ImageFiles {
	/** Names by their folded form. */
	readonly #folders = new Map<string, ReadonlyMap<string, readonly string[]> | undefined>();
	readonly #bytes = new Map<string, number | undefined>();
	readonly #guides = new Map<string, Promise<string | undefined>>();

	/** @param made none where only what files say counts, as in CI */
	constructor(private readonly made: MadeImages = new Map()) {}

	/**
	 * Returns the first file that is there exactly as it is named, else the first but for letter case.
	 *
	 * @param root outside of it, the system says what is there
	 */
	find(files: readonly string[], root: string): FoundFile | undefined {
		const found = files.flatMap((file) => this.#find(file, root) ?? []);
		return found.find(({ isExact }) => isExact) ?? found[0];
	}

	#find(file: string, root: string): FoundFile | undefined {
		const folder = path.dirname(file);
		if (file === root) {
			return { file, isExact: true };
		}
		if (!isInside(file, root)) {
			return lstatSync(file, { throwIfNoEntry: false }) && { file, isExact: true };
		}
		const within = this.#find(folder, root);
		const names = within && this.#namesIn(within.file);
		const name = path.basename(file);
		const same = names?.get(folded(name));
		if (within === undefined || same === undefined) {
			return undefined;
		}
		const exact = same.find(
			(one) => one === name || one.normalize('NFC') === name.normalize('NFC'),
		);
		const actual = exact ?? same[0]!;
		return {
			file: path.join(within.file, actual),
			isExact: within.isExact && exact !== undefined,
		};
	}

	/**
	 * Returns the size of an image's file in bytes; `undefined` where it is no regular file, or a link
	 * leads out of its folder.
	 */
	bytesOf(file: string, root: string): number | undefined {
		if (!this.#bytes.has(file)) {
			this.#bytes.set(file, regularBytes(file, root));
		}
		return this.#bytes.get(file);
	}

	/** Returns whether Easel has saved exactly this file. */
	async isMade(file: string, root: string): Promise<boolean> {
		const hashes = this.made.get(this.bytesOf(file, root) ?? 0);
		return hashes?.includes(await sha256Of(file, maxImageBytes)) === true;
	}

	/**
	 * Returns the hash of what a style guide applies; `undefined` where it is missing, applies nothing or
	 * cannot be used.
	 *
	 * @param folder that its references with a leading `/` start from, and that nothing leads out of
	 */
	styleIn(guide: string, folder: string): Promise<string | undefined> {
		let style = this.#guides.get(guide);
		if (style === undefined) {
			style = this.#readStyle(guide, folder).catch(() => undefined);
			this.#guides.set(guide, style);
		}
		return style;
	}

	async #readStyle(guide: string, folder: string): Promise<string | undefined> {
		if (this.bytesOf(guide, folder) === undefined) {
			return undefined;
		}
		const content = await readBounded(guide, { maxBytes: maxGuideBytes });
		const parsed = parseStyleGuide(new TextDecoder('utf-8', { fatal: true }).decode(content));
		const references: string[] = [];
		for (const written of parsed.references) {
			const way = written.replaceAll('\\', '/');
			const start = way.startsWith('/') ? folder : path.dirname(guide);
			const reference = path.join(start, way);
			if (this.bytesOf(reference, folder) === undefined) {
				return undefined;
			}
			references.push(await sha256Of(reference, maxImageBytes));
		}
		return isEmptyStyle(parsed) ? undefined : styleHash({ ...parsed, references });
	}

	#namesIn(folder: string): ReadonlyMap<string, readonly string[]> | undefined {
		if (!this.#folders.has(folder)) {
			if (this.#folders.size >= maxFolders) {
				this.#folders.clear();
			}
			this.#folders.set(folder, listed(folder));
		}
		return this.#folders.get(folder);
	}
}

function folded(name: string): string {
	return name.toLowerCase().normalize('NFC');
}

function listed(folder: string): ReadonlyMap<string, readonly string[]> | undefined {
	try {
		const names = new Map<string, string[]>();
		for (const name of readdirSync(folder)) {
			const key = folded(name);
			const same = names.get(key);
			if (same === undefined) {
				names.set(key, [name]);
			} else {
				same.push(name);
			}
		}
		return names;
	} catch {
		return undefined;
	}
}

/**
 * Returns a link with the letter case of a file, where its names differ in that alone; `undefined`
 * where they are escaped.
 *
 * @param raw the path as the document has it
 */
export function withCaseOf(file: string, raw: string): string | undefined {
	const [, written = '', behind = ''] = /^([^?#]*)([^]*)$/.exec(raw) ?? [];
	const names = written.split('/');
	const actual = file.split(path.sep);
	for (let back = 1; back <= names.length; back++) {
		const at = names.length - back;
		const [name, real] = [names[at]!.replace(/^<|>$/g, ''), actual[actual.length - back]];
		if (decodePercent(name) === real) {
			continue;
		}
		if (real === undefined || name.toLowerCase() !== real.toLowerCase()) {
			// What stands before is an alias, a parent folder or the site's own address.
			return back > 1 && names.join('/') !== written ? names.join('/') + behind : undefined;
		}
		names[at] = names[at]!.replace(name, real);
	}
	return names.join('/') + behind;
}

function regularBytes(file: string, root: string): number | undefined {
	try {
		const isWithin = isInside(realpathSync.native(file), realpathSync.native(root));
		const found = isWithin ? statSync(file) : undefined;
		return found?.isFile() === true ? found.size : undefined;
	} catch {
		return undefined;
	}
}

/** Returns the width of an image in pixels; `undefined` where it cannot be read. */
export async function widthOf(file: string): Promise<number | undefined> {
	try {
		return (await inspectImage(file)).width;
	} catch {
		return undefined;
	}
}
