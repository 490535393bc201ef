import path from 'node:path';
import { maxPathLength } from './imageLink.js';
import {
	looksAliased,
	pathsInSite,
	rulesOf,
	siteOfPage,
	sitesFor,
	startsWithAlias,
	type Site,
} from './sites.js';

/** A document on a disk, and what its links go by. */
export interface LinkingDocument {
	/** Absolute path. */
	readonly document: string;
	/** The workspace folder that it lies in, absolute. */
	readonly workspaceFolder: string | undefined;
	/** Value of `easel.documents.publicFolder`: relative to the workspace folder, empty for none. */
	readonly publicFolder?: string | undefined;
	/** The sites that it lies in, the nearest first. */
	readonly sites?: readonly Site[] | undefined;
	/**
	 * The folders that a relative path may start from, absolute, the likeliest first; by default the
	 * document's own alone.
	 */
	readonly folders?: readonly string[] | undefined;
}

/**
 * Returns the paths of a reference, the likeliest first: as the sites of the document read it, and
 * as the editor's own Markdown does: relative to the document, or, where it starts with `/`, to the
 * workspace folder. Query and fragment are left out.
 *
 * @param href as in `FoundImage`: percent-encoded. A sequence that is none stays as it is
 * @returns absolute paths, which may lie anywhere; none of what names no file: another scheme or
 *   host, a fragment alone, a folder, a placeholder of a template such as `{{ site.logo }}`
 */
export function localPaths(
	{ href }: { readonly href: string },
	{ document, workspaceFolder, publicFolder = '', folders, sites = [] }: LinkingDocument,
): readonly string[] {
	const all = sitesFor(workspaceFolder, publicFolder, sites, path);
	const written = pathIn(href, all);
	if (written === undefined) {
		return [];
	}
	const inSites = all.flatMap((site) => pathsInSite(written, document, site, path));
	const isRooted = written.startsWith('/');
	const starts = isRooted ? [workspaceFolder] : (folders ?? [path.dirname(document)]);
	const inEditor = starts.flatMap((start) =>
		start === undefined ? [] : path.join(start, written),
	);
	const site = siteOfPage(document, all, path);
	const isOfSite =
		isRooted || startsWithAlias(written, all) || (site && rulesOf(site).startsAtRoot) === true;
	return [...new Set(isOfSite ? [...inSites, ...inEditor] : [...inEditor, ...inSites])];
}

/**
 * Returns whether it is known where a reference leads: not behind a variable of a template, or a name that
 * only a generator knows.
 */
export function isUnderstood(
	{ href }: { readonly href: string },
	sites: readonly Site[] = [],
): boolean {
	const written = pathIn(href, sites);
	return written === undefined
		? !placeholder.test(href)
		: !looksAliased.test(written) || startsWithAlias(written, sites);
}

/** The path that a reference names, decoded; `undefined` where it names no file of this machine. */
function pathIn(href: string, sites: readonly Site[]): string | undefined {
	// Docusaurus leaves alone what is behind this scheme.
	const reference = href.replace(/^pathname:\/\/(?=\/)/, '');
	if (
		reference.length > maxReferenceLength ||
		/^(?:[a-z][a-z\d+.-]*:|\/\/|\\\\)/i.test(reference) ||
		(placeholder.test(reference) && !startsWithAlias(reference, sites))
	) {
		return undefined;
	}
	const name = decodePercent(reference.replace(/[?#][^]*/, ''));
	return name === '' || /[/\\]$|\0/.test(name) ? undefined : name;
}

const placeholder = /\{[{%]|\$\{|^\{/;

/**
 * The folder that a missing image may not leave: the path in the document decides where it goes, so
 * a document that lies in no workspace decides about its own folder alone.
 */
export function wallAround(document: string, workspaceFolder: string | undefined): string {
	return workspaceFolder ?? path.dirname(document);
}

/** Returns whether a path leads into a folder; symbolic links are not considered. */
export function isInside(file: string, folder: string): boolean {
	const relative = path.relative(folder, file);
	return !/^\.\.(?:[\\/]|$)/.test(relative) && !path.isAbsolute(relative);
}

/** Longest reference: three code units for each of a path. */
const maxReferenceLength = 3 * maxPathLength;

/**
 * Undoes percent-encoding; what is no character of UTF-8 stays as it is, and so do its neighbors
 * (RFC 3629, part 4).
 */
export function decodePercent(text: string): string {
	return text.includes('%') ? text.replace(encoded, decodeURIComponent) : text;
}

/** Characters whose bytes are encoded: none that has a shorter form, is half of a pair, or the last. */
const encoded = new RegExp(
	[
		'%[0-7]x',
		'%(?:c[2-9a-f]|dx)y',
		'%e0%[ab]xy',
		'%(?:e[1-9a-cef]yy|ed%[89]xy)',
		'%(?:f0%[9ab]xyy|f[1-3]yyy|f4%8xyy)',
	]
		.map((form) => `(?:${form})`)
		.join('|')
		.replaceAll('x', '[\\da-f]')
		.replaceAll('y', '%[89ab][\\da-f]')
		.replace(/^.*$/, '(?:$&)+'),
	'gi',
);
