import { posix, type PlatformPath } from 'node:path';
import {
	generators,
	type GeneratorRules,
	type SiteGenerator,
	type SiteSettings,
} from './generators.js';
import { maxPathLength, type ResourceUri } from './imageLink.js';

/** Folder whose files a site serves, or takes for the images of its pages. */
export interface SiteFolder {
	readonly holds: 'pages' | 'public' | 'assets';
	/** Relative to that of the site, with `/`. */
	readonly folder: string;
	/** Its place among those of its kind; empty for the first one, without slashes at its ends. */
	readonly at: string;
	/** The language of its pages, where they have one. */
	readonly language?: string | undefined;
}

/** Reason for which a site may serve what is in no folder that is known. */
export type SiteDoubt = 'settings' | 'theme' | 'addresses';

/** A site that a document lies in, as plain data. */
export interface Site extends SiteSettings {
	readonly generator: SiteGenerator;
	/** Absolute: of the disk where links are read, of a URI where they are written. */
	readonly root: string;
	/** By its configuration, in the place of `pages` and `publicFolder`. */
	readonly siteFolders?: readonly SiteFolder[] | undefined;
	readonly doubts?: readonly SiteDoubt[] | undefined;
}

/** Returns the rules for all sites of a generator. */
export function rulesOf({ generator }: Pick<Site, 'generator'>): GeneratorRules {
	return generators[generator];
}

/**
 * The sites whose folder has these names in it.
 *
 * @param read returns the text of a file there: empty where there is none, `undefined` where it
 *   cannot be read
 */
export function sitesIn(
	root: string,
	names: readonly string[],
	read: (file: string) => string | undefined,
): Site[] {
	const found = (Object.keys(generators) as SiteGenerator[]).flatMap((generator) => {
		const rules = rulesOf({ generator });
		const { recognizedBy, settingsIn, settings = {}, publicFolder, pages, images } = rules;
		const isOneOf = (pattern: RegExp) => names.some((name) => pattern.test(name));
		const shown = recognizedBy.find((all) => all.every(isOneOf));
		if (shown === undefined || rules.folderName?.test(root) === false) {
			return [];
		}
		const files = settingsIn ?? names.filter((name) => shown[0]?.test(name));
		const texts = files.map(read);
		const text = texts.join('\n').replace(/^[ \t]*(?:#|\/\/).*/gm, '');
		if (rules.says?.test(text) === false) {
			return [];
		}
		const site: Record<string, string | undefined> = { publicFolder, pages, images };
		const isProgram = files.some((file) => /\.(?:[cm]?[jt]s|py)$/.test(file));
		let isKnown = !texts.includes(undefined);
		for (const [key, pattern] of Object.entries(settings)) {
			const [all = '', found] = pattern.exec(text) ?? [];
			// Anything but a literal is known to the program alone.
			const isLiteral = !isProgram || /["'`]/.test(all.replace(/^["']?\w+["']?/, ''));
			isKnown &&= all === '' || (isLiteral && !found?.includes('${'));
			site[key] = (isLiteral ? found?.replace(/\/+$/, '') : undefined) || site[key];
		}
		const doubts: SiteDoubt[] = [
			...(isKnown ? [] : (['settings'] as const)),
			...(site['theme'] === undefined ? [] : (['theme'] as const)),
			...(site['permalinks'] === undefined ? [] : (['addresses'] as const)),
		];
		return [
			{ ...site, generator, root: posix.join(root, site['source'] ?? rules.source ?? ''), doubts },
		];
	});
	const hasRow = found.some(({ generator }) => generator !== 'other' && generator !== 'GitHub');
	return hasRow ? found.filter(({ generator }) => generator !== 'other') : found;
}

/**
 * The site that `easel.documents.publicFolder` describes.
 *
 * @param publicFolder what is copied to the root of the site, relative to the workspace folder
 * @param paths those of the workspace folder
 * @returns `undefined` where it describes none within the workspace folder
 */
export function siteOfSetting(
	workspaceFolder: string | undefined,
	publicFolder: string,
	paths: PlatformPath = posix,
): Site | undefined {
	if (workspaceFolder === undefined || publicFolder.length > maxPathLength) {
		return undefined;
	}
	const folder = posix.join('.', publicFolder.trim().replaceAll('\\', '/').replace(/^\/+/, ''));
	const [name, ...above] = folder.replace(/\/$/, '').split('/').reverse();
	return name === undefined || /^\.{1,2}(?:\/|$)/.test(folder)
		? undefined
		: {
				generator: 'setting',
				root: paths.join(workspaceFolder, ...above.reverse()),
				publicFolder: name,
			};
}

/** The sites that a document is to be read by: as the setting says first, where it says something. */
export function sitesFor(
	workspaceFolder: string | undefined,
	publicFolder: string,
	sites: readonly Site[],
	paths: PlatformPath = posix,
): readonly Site[] {
	const set = siteOfSetting(workspaceFolder, publicFolder, paths);
	return set === undefined ? sites : [set, ...sites];
}

/** The site that a document is a page of: the nearest one. */
export function siteOfPage(
	document: string,
	sites: readonly Site[],
	paths: PlatformPath = posix,
): Site | undefined {
	return sites.find(
		(site) => site.generator !== 'GitHub' && pageIn(site, document, paths) !== undefined,
	);
}

/**
 * Returns the reference of a page to an image that its site copies to the root: by a path with a
 * leading `/`. Plain text without escapes, as `relativeReference` returns it.
 *
 * @returns `undefined` where the image is not copied, or the document is no page
 */
export function servedPath(
	document: ResourceUri,
	image: ResourceUri,
	sites: readonly Site[],
	isHtml = false,
): string | undefined {
	const site = siteOfPage(document.path, sites);
	const isOfSite = image.scheme === document.scheme && image.authority === document.authority;
	if (site === undefined || !isOfSite) {
		return undefined;
	}
	for (const { folder, at } of foldersOf(site, 'public')) {
		const start = posix.join(site.root, folder, '/');
		if (image.path.startsWith(start)) {
			const rest = posix.join(at, image.path.slice(start.length));
			return rulesOf(site).startsAtRoot === true ? rest : `${servedAt(site, isHtml)}/${rest}`;
		}
	}
	return undefined;
}

/** Returns the folders of a site that hold one kind of files, the one for new ones first. */
function foldersOf(
	{ siteFolders, pages, publicFolder }: Site,
	holds: SiteFolder['holds'],
): readonly SiteFolder[] {
	const configured = siteFolders?.filter((one) => one.holds === holds) ?? [];
	const folder = { pages, public: publicFolder, assets: undefined }[holds];
	return configured.length > 0 || folder === undefined || folder === '*'
		? configured
		: [{ holds, folder, at: '' }];
}

/**
 * Returns whether a site publishes what lies in a folder, linked or not.
 *
 * @param folder absolute, as the site's root is
 */
export function publishesFolder(site: Site, folder: string): boolean {
	const { copiesPages = false } = rulesOf(site);
	const all = [
		...foldersOf(site, 'public').map((one) => ({ ...one, hidden: /^[._]/ })),
		...(copiesPages ? foldersOf(site, 'pages').map((one) => ({ ...one, hidden: /^\./ })) : []),
	];
	return all.some(({ folder: of, hidden }) => {
		const parts = posix.relative(posix.join(site.root, of), folder).split('/');
		const isInside = parts[0] !== '..';
		// The root itself is that of wikis, and of Jekyll, which leaves out hidden folders.
		const isCopied = of !== '' || site.generator === 'Jekyll';
		const isHidden = (of === '' || copiesPages) && parts.some((part) => hidden.test(part));
		return isInside && isCopied && !isHidden;
	});
}

/** Returns the prefix of the paths that a site serves. */
function servedAt(site: Site, isHtml: boolean): string {
	const { writesBase, prefix = '' } = rulesOf(site);
	return writesBase === true || (writesBase === 'html' && isHtml) ? (site.base ?? '') : prefix;
}

/**
 * The path that a relative address in the HTML of a page starts from, where its site leaves it as it is and
 * serves the page elsewhere than where its document lies.
 */
export function addressInSite(document: string, site: Site | undefined): string {
	if (site?.generator === 'Docsify') {
		return posix.join(site.root, 'index.html');
	}
	const isFolder = site?.generator === 'MkDocs' || site?.generator === 'Zensical';
	return isFolder && site.hasFlatAddresses === undefined
		? posix.join(site.root, site.pages ?? '', addressOf(document, site, posix) ?? '', 'index.html')
		: document;
}

/** The folder where a page's new images go; `undefined` where its site has none for them. */
export function siteImagesFolder(document: string, sites: readonly Site[]): string | undefined {
	const site = siteOfPage(document, sites);
	const beside = posix.dirname(document);
	// What belongs to a page of its own folder lies there.
	if (site && rulesOf(site).bundles?.test(document) === true) {
		return beside;
	}
	const [served] = site === undefined ? [] : foldersOf(site, 'public');
	if (site?.images === undefined || (site.generator === 'Eleventy' && served === undefined)) {
		return undefined;
	}
	if (/^\.(?:\/|$)/.test(site.images)) {
		return posix.join(beside, site.images);
	}
	// What is copied under a name is a folder of images itself.
	return served === undefined || served.at === ''
		? posix.join(site.root, served?.folder ?? site.pages ?? '', site.images)
		: posix.join(site.root, served.folder);
}

/**
 * Returns the places of a document's path in a site, the likeliest first; absolute.
 *
 * @param written decoded, with `/`
 * @param document absolute; `undefined` for any page of the site
 */
export function pathsInSite(
	written: string,
	document: string | undefined,
	site: Site,
	paths: PlatformPath,
): string[] {
	const { roots = [], folders = [], hasAddresses } = rulesOf(site);
	const { root, base: served } = site;
	const within = (folder: string, rest: string) => paths.join(root, folder, rest);
	const page = document === undefined ? undefined : pageIn(site, document, paths);
	const isPage = page !== undefined || document === undefined;
	const publicFolders = isPage ? foldersOf(site, 'public') : [];
	const pageFolders = foldersOf(site, 'pages');
	const assetFolders = foldersOf(site, 'assets');
	const inFolders = (address: string, all: readonly SiteFolder[]) =>
		all.flatMap(({ folder, at, language }) => {
			const inLanguage = language === undefined ? [] : restBehind(language, address);
			return [address, ...inLanguage]
				.flatMap((one) => restBehind(at, one))
				.map((rest) => within(folder, rest));
		});
	if (written.startsWith('/')) {
		const isBased = served !== undefined && written.startsWith(`${served}/`);
		const rests = isBased ? [written.slice(served.length), written] : [written];
		return rests.flatMap((rest) => [
			...inFolders(posix.normalize(rest), [...publicFolders, ...pageFolders, ...assetFolders]),
			...roots.map((start) => within(start, rest)),
		]);
	}
	const alias = aliasOf(written, site);
	if (alias !== undefined) {
		const rest = written.slice(alias[0].length);
		const beside = document === undefined ? [] : paths.join(paths.dirname(document), rest);
		return alias[1].flatMap((folder) => (folder === '.' ? beside : within(folder, rest)));
	}
	const addresses = hasAddresses === true ? (page?.addresses ?? []) : [];
	const servedFrom =
		site.pages === '*' ? [{ holds: 'pages', folder: '', at: '' } as const] : pageFolders;
	// A page has the files beside it in its other languages.
	const isTranslated = pageFolders.some(({ language }) => language !== undefined);
	const beside = page === undefined || !isTranslated ? [] : [posix.dirname(`/${page.path}`)];
	return [
		...addresses.flatMap((address) =>
			inFolders(posix.join('/', address, written), [...servedFrom, ...publicFolders]),
		),
		...beside.flatMap((folder) => inFolders(posix.join(folder, written), pageFolders)),
		...inFolders(`/${written}`, assetFolders),
		...folders.map((folder) => within(folder, written)),
	];
}

/** Returns a path below a folder of the site relative to that; none where it does not lie there. */
function restBehind(at: string, address: string): string[] {
	const start = at === '' ? '/' : `/${at}/`;
	return address === `/${at}`
		? ['']
		: address.startsWith(start)
			? [address.slice(start.length)]
			: [];
}

/** Beginning of a path that only a generator or a bundler understands. */
export const looksAliased = /^(?:[@~$][^/]*|%[^/%]+%)\//;

/** Returns whether a path begins with a name that one of the sites knows. */
export function startsWithAlias(written: string, sites: readonly Site[]): boolean {
	return sites.some((site) => aliasOf(written, site) !== undefined);
}

/**
 * Returns the name of an image behind the alias that a path begins with; `undefined` where it
 * cannot be.
 */
export function aliasedPath(
	written: string,
	image: string,
	sites: readonly Site[],
): string | undefined {
	for (const site of sites) {
		const [name, folders] = aliasOf(written, site) ?? ['', []];
		const folder = folders
			.filter((one) => one !== '.')
			.map((one) => posix.join(site.root, one, '/'))
			.find((one) => image.startsWith(one));
		if (folder !== undefined) {
			return name + image.slice(folder.length);
		}
	}
	return undefined;
}

function aliasOf(
	written: string,
	site: Site,
): [name: string, folders: readonly string[]] | undefined {
	const aliases = Object.entries(rulesOf(site).aliases ?? {});
	const [name, folders] = aliases.find(([name]) => written.startsWith(name)) ?? [];
	return name === undefined || folders === undefined
		? undefined
		: [name, folders.map((folder) => (folder === '*' ? (site.publicFolder ?? '') : folder))];
}

/** The path of a page below those of its site, without its extension; `undefined` for no page. */
function addressOf(document: string, site: Site, paths: PlatformPath): string | undefined {
	return pageIn(site, document, paths)?.addresses[0];
}

/** A document as a page of its site. */
interface SitePage {
	/** Its file below the pages of its language. */
	readonly path: string;
	/** Its addresses, the likeliest first, without slashes at their ends. */
	readonly addresses: readonly string[];
	readonly language: string | undefined;
}

/** Returns what a document is in a site; `undefined` for no page. */
function pageIn(site: Site, document: string, paths: PlatformPath): SitePage | undefined {
	const all = foldersOf(site, 'pages');
	const from = all.length > 0 ? all : [{ folder: '', at: '', language: undefined }];
	const found = from.flatMap(({ folder, at, language }) => {
		const relative = paths.relative(paths.join(site.root, folder), document).replaceAll('\\', '/');
		const isInside = !/^\.\.(?:\/|$)/.test(relative) && !paths.isAbsolute(relative);
		return isInside && (site.pages !== '*' || relative.includes('/'))
			? [{ path: posix.join(at, relative), language, depth: relative.length }]
			: [];
	});
	// That of the innermost folder.
	const [page] = found.sort((one, other) => one.depth - other.depth);
	if (page === undefined) {
		return undefined;
	}
	const { hasLocalizedFiles } = rulesOf(site);
	const name = page.path.replace(/\.[^./]*$/, '');
	const suffix = hasLocalizedFiles === true ? localizedName.exec(name)?.[1] : undefined;
	const language = suffix ?? page.language;
	const names = suffix === undefined ? [name] : [name, name.slice(0, -suffix.length - 1)];
	const addresses = names.map((one) => one.replace(/(?:^|\/)(?:_?index|readme)$/i, ''));
	const inLanguage = language === undefined ? [] : addresses.map((one) => `${language}/${one}`);
	return { path: page.path, addresses: [...addresses, ...inLanguage], language };
}

/** Name of a file in a language: `overview.fr`, `overview.pt-BR`. */
const localizedName = /\.([a-z]{2}(?:[-_][a-z]{2,4})?)$/i;

/**
 * Returns the folders that a site publishes, absolute, without those of other languages than the
 * document's: what its links may be made to mean.
 */
export function publishedFolders(
	document: string,
	site: Site,
	paths: PlatformPath,
): readonly string[] {
	const language = pageIn(site, document, paths)?.language;
	const all = (['pages', 'public', 'assets'] as const).flatMap((holds) => foldersOf(site, holds));
	const ours = all.filter((one) => one.language === undefined || one.language === language);
	const isWhole = foldersOf(site, 'pages').length === 0;
	return isWhole ? [site.root] : ours.map(({ folder }) => paths.join(site.root, folder));
}
