import { posix, type PlatformPath } from 'node:path';
import { maxPathLength, type ResourceUri } from './imageLink.js';

/** Treatment of paths by a site generator, a program for notes or a host of repositories. */
interface SiteRules {
	/** Names in its folder by which it is recognized: all of one of the lists. */
	readonly recognizedBy: readonly (readonly RegExp[])[];
	/**
	 * Folder that it copies to the root of the site, as all folders below relative to its own, with
	 * `/`.
	 */
	readonly publicFolder?: string;
	/** Folders of its pages; `*` for any folder but its own, in which a README is no page. */
	readonly pages?: string;
	/** Folder of new images: in the public folder, else among the pages. */
	readonly images?: string;
	/** Other roots of a path with a leading `/`. */
	readonly roots?: readonly string[];
	/** Other roots of any other path. */
	readonly folders?: readonly string[];
	/** Beginnings of paths that mean folders. */
	readonly aliases?: Readonly<Record<string, readonly string[]>>;
	/** True if relative paths may start from the page's address: `guide/` for `guide.md`. */
	readonly hasAddresses?: boolean;
	/** True if a name alone means a file of any folder. */
	readonly findsByName?: boolean;
	/** True if `<img>` finds a file of the project by a leading `./` alone. */
	readonly needsDot?: boolean;
	/**
	 * Form of a path in front matter: a relative path although there is a public folder; a URL in
	 * which blanks and letters beyond ASCII are encoded; no `./` before what lies beside the page.
	 */
	readonly metadata?: 'relative' | 'encoded' | 'bare';
	/** True if the path at which the site is served stands in its links. */
	readonly writesBase?: boolean;
	/** True if its Markdown is MDX, whatever the file is called. */
	readonly isMdx?: boolean;
	/** Configuration files, beside those that it is recognized by. */
	readonly settingsIn?: readonly string[];
	/** Patterns by which a value is found there. */
	readonly settings?: Partial<Readonly<Record<keyof SiteSettings, RegExp>>>;
}

/** Rules that the configuration of a site may change. */
interface SiteSettings {
	readonly publicFolder?: string | undefined;
	readonly pages?: string | undefined;
	readonly images?: string | undefined;
	/** The path at which the site is served, with a slash at its beginning and none at its end. */
	readonly base?: string | undefined;
	/** The folder that counts in the place of the site's own. */
	readonly source?: string | undefined;
	/** Anything where links are written as in Markdown although there are others. */
	readonly markdownLinks?: string | undefined;
	/** Anything where pages are served as files beside each other, not as folders. */
	readonly hasFlatAddresses?: string | undefined;
}

/** A site that a document lies in, as plain data. */
export interface Site extends SiteSettings {
	readonly generator: SiteGenerator;
	/** Absolute: of the disk where links are read, of a URI where they are written. */
	readonly root: string;
}

export type SiteGenerator = keyof typeof generators;

/** The value of a key in JavaScript, TOML or YAML. */
const value = (key: string) =>
	new RegExp(`(?<![\\w-])["']?${key}["']?[ \\t]*[:=][ \\t]*\\[?\\s{0,20}["'\`]?([^"'\`\\s,#]+)`);
const base = (key: string) =>
	new RegExp(`(?<![\\w-])${key}[ \\t]*[:=][ \\t]*["'\`]?(?:https?://[^/"'\`\\s]*)?(/[^"'\`\\s]*)`);
const viteConfigs = ['config.ts', 'config.mts', 'config.js', 'config.mjs'];
const viteAliases = { '@/': ['src', ''], '~/': ['src', ''] };

/** In the order in which they count where a folder is several of them. */
export const generators = {
	Docusaurus: {
		recognizedBy: [[/^docusaurus\.config\.[cm]?[jt]s$/]],
		...{ publicFolder: 'static', pages: '*', images: 'img', hasAddresses: true },
		...{ aliases: { '@site/': [''] }, isMdx: true, metadata: 'encoded' },
		settings: { base: base('baseUrl'), publicFolder: value('staticDirectories') },
	},
	Hugo: {
		recognizedBy: [
			[/^hugo\.(?:toml|ya?ml|json)$/],
			// Other programs have a `config` and a `content` too.
			[
				...[/^config(?:\.(?:toml|ya?ml|json))?$/, /^content$/],
				/^(?:archetypes|layouts|static|themes)$/,
			],
		],
		...{ publicFolder: 'static', pages: 'content', images: 'images', hasAddresses: true },
		...{ roots: ['assets', 'content'], folders: ['static', 'assets'] },
		...{ writesBase: true, metadata: 'bare' },
		settings: {
			...{ base: base('base(?:URL|Url|url)'), publicFolder: value('staticDir') },
			pages: value('contentDir'),
		},
	},
	VitePress: {
		recognizedBy: [[/^\.vitepress$/]],
		...{ publicFolder: 'public', images: 'images', roots: [''], needsDot: true },
		aliases: viteAliases,
		settingsIn: viteConfigs.map((name) => `.vitepress/${name}`),
		settings: { base: base('base'), source: value('srcDir') },
	},
	VuePress: {
		recognizedBy: [[/^\.vuepress$/]],
		...{ publicFolder: '.vuepress/public', images: 'images', roots: [''], needsDot: true },
		aliases: { ...viteAliases, '@source/': [''], '~@source/': [''], '@alias/': [''] },
		settingsIn: viteConfigs.map((name) => `.vuepress/${name}`),
		settings: { base: base('base') },
	},
	Astro: {
		recognizedBy: [[/^astro\.config\.[cm]?[jt]s$/]],
		...{ publicFolder: 'public', pages: 'src', images: 'images', roots: [''], hasAddresses: true },
		...{ aliases: viteAliases, metadata: 'relative', writesBase: true },
		settings: { base: base('base'), publicFolder: value('publicDir'), pages: value('srcDir') },
	},
	MkDocs: {
		recognizedBy: [[/^mkdocs\.ya?ml$/]],
		...{ pages: 'docs', images: 'images', hasAddresses: true },
		settings: { pages: value('docs_dir'), hasFlatAddresses: /^use_directory_urls:\s*(false)/m },
	},
	Sphinx: {
		// A book of Jupyter is one, and has a `_config.yml` as Jekyll does.
		recognizedBy: [[/^conf\.py$/], [/^myst\.ya?ml$/], [/^_toc\.ya?ml$/]],
		...{ pages: '', images: 'images', roots: [''] },
	},
	Antora: { recognizedBy: [[/^antora\.ya?ml$/]], roots: [''] },
	Quarto: {
		recognizedBy: [[/^_quarto\.ya?ml$/]],
		...{ pages: '', images: 'images', roots: [''] },
	},
	Jekyll: {
		recognizedBy: [[/^_config\.(?:ya?ml|toml)$/]],
		...{ publicFolder: '', images: 'assets/images', hasAddresses: true, writesBase: true },
		// Hexo's; it is configured in a file of the same name.
		roots: ['source'],
		settings: { base: base('baseurl') },
	},
	Obsidian: {
		recognizedBy: [[/^\.obsidian$/]],
		...{ roots: [''], folders: [''], findsByName: true },
		settingsIn: ['.obsidian/app.json'],
		settings: {
			images: /"attachmentFolderPath"\s*:\s*"([^"]+)"/,
			markdownLinks: /"useMarkdownLinks"\s*:\s*(true)/,
		},
	},
	Foam: {
		recognizedBy: [[/^\.foam$/]],
		...{ pages: '', images: 'attachments', roots: [''], folders: [''], findsByName: true },
	},
	GitHub: { recognizedBy: [[/^\.git$/]], roots: [''] },
	/** Site that the setting `easel.documents.publicFolder` describes. */
	setting: { recognizedBy: [] },
} as const satisfies Readonly<Record<string, SiteRules>>;

/** The files whose contents tell of sites, anywhere in a workspace. */
export const siteFilesGlob =
	'**/{docusaurus.config.*,hugo.*,config.*,config,astro.config.*,mkdocs.*,conf.py,myst.*,_toc.*,antora.*,_quarto.*,_config.*,app.json,.vitepress,.vuepress,.obsidian,.foam,.git}';

/** Returns the rules for all sites of a generator. */
export function rulesOf({ generator }: Pick<Site, 'generator'>): SiteRules {
	return generators[generator];
}

/**
 * The sites whose folder has these names in it.
 *
 * @param read returns the text of a file there, empty where there is none
 */
export function sitesIn(
	root: string,
	names: readonly string[],
	read: (file: string) => string,
): Site[] {
	return (Object.keys(generators) as SiteGenerator[]).flatMap((generator) => {
		const rules = rulesOf({ generator });
		const { recognizedBy, settingsIn, settings = {}, publicFolder, pages, images } = rules;
		const isOneOf = (pattern: RegExp) => names.some((name) => pattern.test(name));
		const shown = recognizedBy.find((all) => all.every(isOneOf));
		if (shown === undefined) {
			return [];
		}
		const files = settingsIn ?? names.filter((name) => shown[0]?.test(name));
		const text = files
			.map(read)
			.join('\n')
			.replace(/^[ \t]*(?:#|\/\/).*/gm, '');
		const site: Record<string, string | undefined> = { publicFolder, pages, images };
		for (const [key, pattern] of Object.entries(settings)) {
			site[key] = pattern.exec(text)?.[1]?.replace(/\/+$/, '') || site[key];
		}
		return [{ ...site, generator, root: posix.join(root, site['source'] ?? '') }];
	});
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
export function siteOfPage(document: string, sites: readonly Site[]): Site | undefined {
	return sites.find(
		(site) => site.generator !== 'GitHub' && addressOf(document, site, posix) !== undefined,
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
): string | undefined {
	const site = siteOfPage(document.path, sites);
	const isOfSite = image.scheme === document.scheme && image.authority === document.authority;
	if (site?.publicFolder === undefined || !isOfSite) {
		return undefined;
	}
	const folder = posix.join(site.root, site.publicFolder, '/');
	return image.path.startsWith(folder)
		? `${servedAt(site)}/${image.path.slice(folder.length)}`
		: undefined;
}

/** Returns the prefix of the paths that a site serves. */
function servedAt(site: Site): string {
	return rulesOf(site).writesBase === true ? (site.base ?? '') : '';
}

/**
 * The path that a relative address in the HTML of a page starts from, where its site leaves it as it is and
 * serves the page elsewhere than where its document lies.
 */
export function addressInSite(document: string, site: Site | undefined): string {
	return site?.generator === 'MkDocs' && site.hasFlatAddresses === undefined
		? posix.join(site.root, site.pages ?? '', addressOf(document, site, posix) ?? '', 'index.html')
		: document;
}

/** The folder where a page's new images go; `undefined` where its site has none for them. */
export function siteImagesFolder(document: string, sites: readonly Site[]): string | undefined {
	const site = siteOfPage(document, sites);
	const beside = posix.dirname(document);
	// What belongs to a page of its own folder lies there.
	if (site?.generator === 'Hugo' && /\/_?index\.[^/]*$/.test(document)) {
		return beside;
	}
	if (site?.images === undefined) {
		return undefined;
	}
	return /^\.(?:\/|$)/.test(site.images)
		? posix.join(beside, site.images)
		: posix.join(site.root, site.publicFolder ?? site.pages ?? '', site.images);
}

/**
 * Returns the places of a document's path in a site, the likeliest first; absolute.
 *
 * @param written decoded, with `/`
 * @param document absolute
 */
export function pathsInSite(
	written: string,
	document: string,
	site: Site,
	paths: PlatformPath,
): string[] {
	const { roots = [], folders = [], hasAddresses } = rulesOf(site);
	const { root, publicFolder, base: served } = site;
	const within = (folder: string, rest: string) => paths.join(root, folder, rest);
	const address = addressOf(document, site, paths);
	const publicFolders = publicFolder === undefined || address === undefined ? [] : [publicFolder];
	if (written.startsWith('/')) {
		const starts = [...publicFolders, ...(site.pages === undefined ? [] : [site.pages]), ...roots];
		const isBased = served !== undefined && written.startsWith(`${served}/`);
		const rests = isBased ? [written.slice(served.length), written] : [written];
		return rests.flatMap((rest) =>
			starts.filter((start) => start !== '*').map((start) => within(start, rest)),
		);
	}
	const alias = aliasOf(written, site);
	if (alias !== undefined) {
		return alias[1].map((folder) => within(folder, written.slice(alias[0].length)));
	}
	const pages = site.pages === '*' ? '' : (site.pages ?? '');
	return [
		...(address === undefined || hasAddresses !== true
			? []
			: [pages, ...publicFolders].map((folder) => within(folder, `${address}/${written}`))),
		...folders.map((folder) => within(folder, written)),
	];
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
	return Object.entries(rulesOf(site).aliases ?? {}).find(([name]) => written.startsWith(name));
}

/** The path of a page below those of its site, without its extension; `undefined` for no page. */
function addressOf(
	document: string,
	{ root, pages = '' }: Site,
	paths: PlatformPath,
): string | undefined {
	const relative = paths.relative(pages === '*' ? root : paths.join(root, pages), document);
	const address = relative.replaceAll('\\', '/').replace(/\.[^./]*$/, '');
	const isPage =
		!/^\.\.(?:\/|$)/.test(address) &&
		!paths.isAbsolute(relative) &&
		(pages !== '*' || address.includes('/'));
	return isPage ? address.replace(/(?:^|\/)(?:_?index|readme)$/i, '') : undefined;
}
