import type { Dirent } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { ignoresCase } from '../gitignore.js';

/** Settings of the form of `files.exclude`, by their names; the later ones overrule the earlier. */
export type Exclude = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Makes a function that tells what the settings exclude. What a workspace writes there can be
 * anything: what is neither `true` nor `{ when }` excludes nothing. A glob with `when` counts only
 * beside a file of that name.
 *
 * @param base the folder that the globs are relative to, with `/` at the end
 */
export function excludedBy(
	exclude: Exclude,
	base: string,
): (place: string, beside: readonly Dirent[]) => boolean {
	const globs = Object.assign({}, ...Object.values(exclude)) as Record<string, unknown>;
	const active = Object.entries(globs).flatMap(([glob, condition]) => {
		const when = (condition as { when?: unknown } | null)?.when;
		if (condition !== true && typeof when !== 'string') {
			return [];
		}
		const matches = matcherOf(glob.replace(/^\.\/|\/$/g, ''));
		return matches === undefined ? [] : [{ matches, when }];
	});
	return (place, beside) => {
		const relative = place.slice(place.startsWith(base) ? base.length : 0).replace(/\/$/, '');
		const { name } = path.posix.parse(relative);
		return active.some(
			({ matches, when }) =>
				matches(relative) &&
				(typeof when !== 'string' ||
					beside.some((one) => one.name === when.replaceAll('$(basename)', name))),
		);
	};
}

/** `undefined` for what is no glob: nothing at all, or more than anybody writes. */
function matcherOf(glob: string): ((place: string) => boolean) | undefined {
	try {
		return picomatch(glob, { dot: true, nocase: ignoresCase });
	} catch {
		return undefined;
	}
}
