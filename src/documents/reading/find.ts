import path from 'node:path';
import { codeOf } from '../../files/fsErrors.js';
import { foldedPath, lastName } from '../missing/nameIndex.js';
import { excludedBy, type Exclude } from '../missing/exclude.js';
import { Folders } from './folders.js';
import type { SearchOrder } from './searchOrder.js';

/** One step of a search for files. */
export interface FindOrder extends SearchOrder {
	/** Extensions of the files: letters and digits, in any case. */
	readonly extensions: readonly string[];
	/** The folded names of the files, where not all are wanted; see `foldedPath`. */
	readonly names?: readonly string[];
}

/** Result of a step. */
export interface FindAnswer {
	/** Places that are left: folders with `/` at the end. */
	readonly open: readonly string[];
	/** Absolute. */
	readonly files: readonly string[];
}

/** In milliseconds; the user sees no difference to now. */
const maxStepMs = 50;

/** Looks for files for about 50 ms. Nothing is found in what cannot be read. */
export function find(order: FindOrder): FindAnswer {
	const { root, places, extensions, respectGitignore } = order;
	const startedAt = performance.now();
	const wanted = order.names && new Set(order.names);
	const names = new RegExp(`\\.(?:${extensions.join('|')})$`, 'i');
	const folders = new Folders(root, { names, respectGitignore, onProblem: () => undefined });
	const open = [...places];
	const files: string[] = [];
	for (let place; (place = open.pop()) !== undefined;) {
		for (const one of insideOf(place, folders)) {
			if (one.endsWith('/')) {
				open.push(one);
			} else if (wanted?.has(foldedPath(lastName(one))) !== false) {
				files.push(path.normalize(one));
			}
		}
		if (performance.now() - startedAt > maxStepMs) {
			break;
		}
	}
	return { open, files };
}

function insideOf(folder: string, folders: Folders): readonly string[] {
	try {
		return folders.inside(folder);
	} catch (error) {
		// It may have gone, or be of another user. What is wrong in ourselves has no code.
		if (codeOf(error) === '') {
			throw error;
		}
		return [];
	}
}

/** Returns the files of a list that the settings do not exclude. */
export interface ShownOrder {
	readonly exclude: Exclude;
	/** Relative to the folder of the settings, with `/`. */
	readonly files: readonly string[];
}

/** Those of the files that neither the settings exclude nor, in packages and `.git`, everybody. */
export function shown({ exclude, files }: ShownOrder): string[] {
	const isExcluded = excludedBy(exclude, '');
	const isLeftOut = (place: string) =>
		/(?:^|\/)(?:node_modules|\.git)$/.test(place) || isExcluded(place, []);
	const known = new Map<string, boolean>();
	const isHidden = (place: string): boolean => {
		let hidden = known.get(place);
		if (hidden === undefined) {
			const above = path.posix.dirname(place);
			hidden = (above !== '.' && isHidden(above)) || isLeftOut(place);
			known.set(place, hidden);
		}
		return hidden;
	};
	return files.filter((file) => !isHidden(file));
}
