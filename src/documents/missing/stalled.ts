import path from 'node:path';
import { EaselError } from '../../easelError.js';
import type { ScanOrder } from './look.js';

/** The search has come upon something that it does not get past. */
export class SearchStalledError extends EaselError {
	override readonly name = 'SearchStalledError';

	constructor(
		words: string,
		override readonly setting: string,
	) {
		super(words);
	}
}

/**
 * Says what has taken too long, by the name that a person knows it by, and what to do about it.
 *
 * @param what the number of a glob, or the path of a document
 */
export function stalledBy(what: number | string, order: ScanOrder): SearchStalledError {
	if (typeof what === 'number') {
		const glob = Object.keys(order.exclude)[what] ?? '';
		return new SearchStalledError(
			`The setting files.exclude has a pattern that takes too long: “${glob}”. Change or remove it, and look again.`,
			'files.exclude',
		);
	}
	const name = nameOf(path.normalize(what), order);
	return new SearchStalledError(
		`“${name}” takes too long to read. Leave it out with the setting files.exclude, and look again.`,
		'files.exclude',
	);
}

/** Relative to the workspace folder, with `/`. */
function nameOf(place: string, { roots }: ScanOrder): string {
	for (const { workspaceFolder } of roots) {
		const relative = path.relative(workspaceFolder ?? '', place);
		if (workspaceFolder !== undefined && !relative.startsWith('..') && !path.isAbsolute(relative)) {
			return relative.replaceAll(path.sep, '/') || path.basename(place);
		}
	}
	return place;
}
