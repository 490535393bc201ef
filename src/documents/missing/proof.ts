import { lstatSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FoundImage } from '../findImages.js';
import { decodePercent, isUnderstood, type LinkingDocument } from '../localPath.js';
import { rulesOf, siteOfPage, sitesFor, startsWithAlias, type Site } from '../sites.js';

/**
 * Reason for which a link may be right although its file was not found:
 * - `alias`: only a generator knows the beginning of the path;
 * - `generator`, `settings`, `theme`: the generator, its configuration or its theme may serve it;
 * - `address`: the page is served elsewhere than where its file lies;
 * - `included`: the document is a part of others, whose place counts;
 * - `site`: nothing says where paths with a leading slash begin;
 * - `language`: a file for another language is there;
 * - `unpublished`: a file of this name lies where the site does not take it from, or in the folder of
 *   another language.
 */
export type UnknownReason =
	| 'alias'
	| 'generator'
	| 'settings'
	| 'theme'
	| 'address'
	| 'included'
	| 'site'
	| 'language'
	| 'unpublished';

/**
 * Returns why a link that was not found may be right all the same; `undefined` where it is proved
 * to lead nowhere: its site is understood, and was looked through.
 *
 * @param files where it was looked for, absolute
 * @param frontMatter that of the document
 */
export function whyUnknown(
	{ href, kind }: Pick<FoundImage, 'href' | 'kind'>,
	{ document, workspaceFolder, publicFolder = '', sites = [] }: LinkingDocument,
	files: readonly string[],
	frontMatter: string,
): UnknownReason | undefined {
	if (!isUnderstood({ href }, sites)) {
		return 'alias';
	}
	if (files.some(hasLocalizedFile)) {
		return 'language';
	}
	const site = siteOfPage(document, sitesFor(workspaceFolder, publicFolder, sites, path), path);
	const written = decodePercent(href);
	if (written.startsWith('/')) {
		return site === undefined || site.generator === 'other'
			? whyUnknownAtRoot(written, workspaceFolder, sites)
			: whyUnknownInSite(written, site);
	}
	const start = site?.root ?? workspaceFolder;
	const within = `/${start === undefined ? '' : path.relative(start, document)}`.replaceAll(
		'\\',
		'/',
	);
	if (partOfOthers.test(within)) {
		return 'included';
	}
	if (site === undefined || site.generator === 'other') {
		return undefined;
	}
	const { unsure = [], hasAddresses, bundles, movedPages } = rulesOf(site);
	const isAliased = startsWithAlias(written, [site]);
	if ((unsure.includes('relative') && !isAliased) || (kind === 'html' && unsure.includes('html'))) {
		return 'generator';
	}
	if (isAliased) {
		return site.doubts?.includes('settings') === true ? 'settings' : undefined;
	}
	// Where the address counts for HTML alone, what is left is relative to the file.
	const startsFromFile =
		hasAddresses !== true || unsure.includes('html') || bundles?.test(document) === true;
	const isMoved =
		site.doubts?.includes('addresses') === true ||
		movedPages?.test(within) === true ||
		ownAddress.test(frontMatter);
	return !startsFromFile && isMoved ? 'address' : undefined;
}

/** Folders of documents that are no pages, but parts of pages elsewhere. */
const partOfOthers = /\/_?(?:snippets?|includes?|partials?|fragments?|shared|reusables?)\//i;

/** A page's own address in its front matter. */
const ownAddress = /^(?:permalink|slug|url)[ \t]*[:=]/m;

function whyUnknownInSite(written: string, site: Site): UnknownReason | undefined {
	const { unsure = [], ofTheme } = rulesOf(site);
	if (unsure.includes('root')) {
		return 'generator';
	}
	if (site.doubts?.includes('settings') === true) {
		return 'settings';
	}
	return site.doubts?.includes('theme') === true && ofTheme?.test(written) === true
		? 'theme'
		: undefined;
}

/** Looks for the folder that a path names first, where no site says what its slash means. */
function whyUnknownAtRoot(
	written: string,
	workspaceFolder: string | undefined,
	sites: readonly Site[],
): UnknownReason | undefined {
	if (sites.some(({ generator }) => generator === 'other')) {
		return 'generator';
	}
	const root = sites.find(({ generator }) => generator === 'GitHub')?.root ?? workspaceFolder;
	const [first = '', ...rest] = written.replace(/^\/+/, '').split('/');
	const isThere =
		root !== undefined &&
		rest.length > 0 &&
		lstatSync(path.join(root, first), { throwIfNoEntry: false });
	return isThere ? undefined : 'site';
}

/** Returns whether a file lies there that is named after another one and a language. */
function hasLocalizedFile(file: string): boolean {
	const { dir, name, ext } = path.parse(file);
	return namesIn(dir).some(
		(other) =>
			other.startsWith(`${name}.`) &&
			other.endsWith(ext) &&
			/^\.[a-z]{2}(?:[-_][a-z]{2,4})?\.$/i.test(other.slice(name.length, 1 - ext.length)),
	);
}

/** The last folder that was looked into, as it was then: links of one document mean few folders. */
let lastFolder:
	{ readonly folder: string; readonly mtimeMs: number; readonly names: string[] } | undefined;

function namesIn(folder: string): readonly string[] {
	try {
		const { mtimeMs } = statSync(folder);
		if (lastFolder?.folder !== folder || lastFolder.mtimeMs !== mtimeMs) {
			lastFolder = { folder, mtimeMs, names: readdirSync(folder) };
		}
		return lastFolder.names;
	} catch {
		return [];
	}
}

/**
 * Returns whether a file of another name answers a link: `overview.fr.png` for `overview.png`, where
 * the generator does so (mkdocs-static-i18n: suffix; gohugo.io: page resources).
 */
export function isLocalized(
	files: readonly string[],
	{ document, sites = [] }: LinkingDocument,
): boolean {
	const site = siteOfPage(document, sites, path);
	return site && rulesOf(site).hasLocalizedFiles === true ? files.some(hasLocalizedFile) : false;
}
