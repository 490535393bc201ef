import { posix } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { parseDocument } from 'yaml';
import type { SiteGenerator } from '../generators.js';
import type { Site, SiteDoubt, SiteFolder } from '../sites.js';

/** Answer of a configuration about its site. */
interface Configuration {
	readonly folders: readonly SiteFolder[];
	readonly doubts: readonly SiteDoubt[];
}

type Read = (file: string) => string | undefined;
type List = (folder: string) => readonly string[];

/**
 * Returns a site with the folders that its configuration names, and with the doubts that it leaves.
 *
 * @param names those in the folder of the site
 * @param read returns the text of a file there: empty where there is none, `undefined` where it
 *   cannot be read
 * @param list returns the names in a folder there
 */
export function configured(site: Site, names: readonly string[], read: Read, list: List): Site {
	const found = configurationOf(site, names, read, list);
	if (found === undefined) {
		return site;
	}
	const { folders, doubts } = found;
	const first = (holds: SiteFolder['holds']) =>
		folders.find((one) => one.holds === holds && one.at === '')?.folder;
	return {
		...site,
		...(folders.length > 0 && { siteFolders: folders }),
		pages: first('pages') ?? site.pages,
		publicFolder: first('public') ?? site.publicFolder,
		doubts: [...new Set([...(site.doubts ?? []), ...doubts])],
	};
}

type Reader = (
	names: readonly string[],
	read: Read,
	list: List,
	site: Site,
) => Configuration | undefined;

const readers: Partial<Record<SiteGenerator, Reader>> = {
	...{ Docusaurus: docusaurus, Eleventy: eleventy, Hugo: hugo },
	...{ MkDocs: mkdocs, Zensical: mkdocs, Zola: zola },
};

function configurationOf(
	site: Site,
	names: readonly string[],
	read: Read,
	list: List,
): Configuration | undefined {
	try {
		return readers[site.generator]?.(names, read, list, site);
	} catch {
		return { folders: [], doubts: ['settings'] };
	}
}

/** A configuration as its keys in small letters: Hugo reads them so. */
interface Settings {
	readonly [key: string]: unknown;
}

/** Configurations by their texts: each folder of a site asks for the same. */
const understood = new Map<string, Settings>();
const maxUnderstood = 50;

/** @throws {Error} where it cannot be understood */
function parsed(file: string, text: string | undefined): Settings {
	if (text === undefined) {
		throw new Error(`${file} cannot be read.`);
	}
	const known = understood.get(text);
	if (known !== undefined) {
		return known;
	}
	const value: unknown = file.endsWith('.toml') ? parseToml(text) : parsedYaml(text);
	const settings = settingsIn(inSmallLetters(value));
	if (understood.size >= maxUnderstood) {
		understood.clear();
	}
	understood.set(text, settings);
	return settings;
}

/** Parses YAML, which has all of JSON; tags that only the generator knows are left aside. */
function parsedYaml(text: string): unknown {
	const document = parseDocument(text, { logLevel: 'silent' });
	const [error] = document.errors;
	if (error !== undefined) {
		throw error;
	}
	return document.toJS({ maxAliasCount: 100 });
}

function inSmallLetters(value: unknown): unknown {
	if (Array.isArray(value)) {
		return value.map(inSmallLetters);
	}
	return value === null || typeof value !== 'object' || value instanceof Date
		? value
		: Object.fromEntries(
				Object.entries(value).map(([key, one]) => [key.toLowerCase(), inSmallLetters(one)]),
			);
}

function settingsIn(value: unknown): Settings {
	return value !== null && typeof value === 'object' && !Array.isArray(value)
		? (value as Settings)
		: {};
}

/** Returns the text or the texts of a setting. */
function textsIn(value: unknown): string[] {
	const all: unknown[] = Array.isArray(value) ? value : [value];
	return all.filter((one) => typeof one === 'string' && one !== '') as string[];
}

const textIn = (value: unknown) => textsIn(value)[0];

/** Page resources, languages and mounts of Hugo (gohugo.io: configuration, module, multilingual). */
function hugo(names: readonly string[], read: Read, list: List): Configuration {
	const all = hugoSettings(names, read, list);
	const languages = Object.entries(settingsIn(all['languages']));
	const [language = 'en'] = textsIn(all['defaultcontentlanguage']);
	const module = settingsIn(all['module']);
	const mounts = (Array.isArray(module['mounts']) ? module['mounts'] : []).map(settingsIn);
	const themes = textsIn(all['theme']);
	const [themesFolder = 'themes'] = textsIn(all['themesdir']);
	const present = themes.filter((theme) => list(posix.join(themesFolder, theme)).length > 0);

	/** The folders that are mounted there, else those that the settings name. */
	const mounted = (
		holds: SiteFolder['holds'],
		target: string,
		otherwise: readonly SiteFolder[],
	) => {
		const found = mounts.flatMap((mount): SiteFolder[] => {
			const [source, at] = [textIn(mount['source']), textIn(mount['target'])];
			const name = at && posix.normalize(at).replace(/\/$/, '');
			if (source === undefined || (name !== target && !name?.startsWith(`${target}/`))) {
				return [];
			}
			const ofLanguage = textIn(mount['lang']);
			const language = holds === 'pages' ? ofLanguage : undefined;
			return [{ holds, folder: source, at: name.slice(target.length + 1), language }];
		});
		const ofThemes = present.map((theme): SiteFolder => {
			return { holds, folder: posix.join(themesFolder, theme, target), at: '' };
		});
		// A page of a theme is none that the user writes.
		return [...(found.length > 0 ? found : otherwise), ...(holds === 'pages' ? [] : ofThemes)];
	};
	const [content = 'content'] = textsIn(all['contentdir']);
	const ofLanguages = languages.flatMap(([name, settings]): SiteFolder[] => {
		const folder = textIn(settingsIn(settings)['contentdir']);
		return folder === undefined ? [] : [{ holds: 'pages', folder, at: '', language: name }];
	});
	const isFirst = ({ language: one }: SiteFolder) => (one === language ? -1 : 0);
	const statics = [all, ...languages.map(([, one]) => settingsIn(one))].flatMap((settings) =>
		Object.entries(settings)
			.filter(([key]) => /^staticdir\d*$/.test(key))
			.flatMap(([, folder]) => textsIn(folder)),
	);
	const [assets = 'assets'] = textsIn(all['assetdir']);
	const isElsewhere = module['imports'] !== undefined || present.length < themes.length;
	const hasAddresses = all['permalinks'] !== undefined || all['uglyurls'] !== undefined;
	return {
		folders: [
			...mounted('pages', 'content', [
				...ofLanguages.sort((one, other) => isFirst(one) - isFirst(other)),
				// The other languages have their pages there, under names of their own.
				...(ofLanguages.length > 0 && ofLanguages.length === languages.length
					? []
					: [{ holds: 'pages', folder: content, at: '' } as const]),
			]),
			...mounted(
				'public',
				'static',
				(statics.length > 0 ? statics : ['static']).map((folder) => {
					return { holds: 'public', folder, at: '' };
				}),
			),
			...mounted('assets', 'assets', [{ holds: 'assets', folder: assets, at: '' }]),
		],
		doubts: [
			...(isElsewhere ? (['theme'] as const) : []),
			...(hasAddresses ? (['addresses'] as const) : []),
		],
	};
}

const hugoFile = /^(?:hugo|config)\.(?:toml|ya?ml|json)$/;

/** Returns the whole configuration: a file, and the files of `config/_default`, each under its name. */
function hugoSettings(names: readonly string[], read: Read, list: List): Settings {
	const folder = 'config/_default';
	const split = list(folder).filter((name) => /\.(?:toml|ya?ml|json)$/.test(name));
	const files = names.filter((name) => hugoFile.test(name)).slice(0, 1);
	const parts = [
		...files.map((name) => parsed(name, read(name))),
		...split.map((name) => {
			const part = parsed(name, read(posix.join(folder, name)));
			const key = posix.parse(name).name.toLowerCase();
			return /^(?:hugo|config)$/.test(key) ? part : { [key]: part };
		}),
	];
	return Object.assign({}, ...parts) as Settings;
}

/** Folders of languages (mkdocs-static-i18n: `docs_structure: folder`). */
function mkdocs(
	names: readonly string[],
	read: Read,
	_list: List,
	{ pages: docs = 'docs' }: Site,
): Configuration {
	const file = names.find((name) => /^(?:mkdocs\.ya?ml|zensical\.toml)$/.test(name)) ?? '';
	const all = parsed(file, read(file));
	const project = settingsIn(all['project'] ?? all);
	const plugins: readonly unknown[] = Array.isArray(project['plugins'])
		? project['plugins']
		: [project['plugins']];
	const i18n = settingsIn(
		plugins.map((one) => settingsIn(one)['i18n']).find((one) => one !== undefined),
	);
	const languages = (Array.isArray(i18n['languages']) ? i18n['languages'] : []).map(settingsIn);
	const isFolder = i18n['docs_structure'] === 'folder';
	const ordered = languages.sort((one) => (one['default'] === true ? -1 : 0));
	return {
		folders: isFolder
			? [
					{ holds: 'pages', folder: docs, at: '' },
					...ordered.flatMap(({ locale }): SiteFolder[] => {
						const language = textIn(locale);
						return language === undefined
							? []
							: [{ holds: 'pages', folder: posix.join(docs, language), at: '', language }];
					}),
				]
			: [],
		doubts: all['inherit'] === undefined ? [] : ['settings'],
	};
}

/** `staticDirectories`, of which there may be several. */
function docusaurus(names: readonly string[], read: Read): Configuration | undefined {
	const file = names.find((name) => /^docusaurus\.config\./.test(name)) ?? '';
	const list = /\bstaticDirectories['"]?\s*:\s*\[([^\]]*)\]/.exec(read(file) ?? '')?.[1];
	const folders = [...(list ?? '').matchAll(/["'`]([^"'`$]+)["'`]/g)].map(([, name = '']) => name);
	return {
		folders: folders.map((folder) => ({ holds: 'public', folder, at: '' })),
		doubts: /[^\s,"'`]\s*(?:,|$)/.test((list ?? '').replace(/(["'`])[^"'`]*\1/g, ''))
			? ['settings']
			: [],
	};
}

/** Folders that `addPassthroughCopy` copies, by their literals. */
function eleventy(names: readonly string[], read: Read): Configuration {
	const file = names.find((name) => /^(?:\.eleventy|eleventy\.config)\./.test(name)) ?? '';
	const text = (read(file) ?? '').replace(/^[ \t]*\/\/.*/gm, '');
	const input = /\binput\s*:\s*["'`]([^"'`$]+)["'`]/.exec(text)?.[1] ?? '.';
	const calls = [...text.matchAll(/addPassthroughCopy\(\s*(?:["'`]([^"'`]+)["'`]|\{([^}]*)\})/g)];
	const folders = calls.flatMap(([, plain, mapped]): SiteFolder[] => {
		const pairs =
			plain === undefined
				? [...(mapped ?? '').matchAll(/["'`]([^"'`]+)["'`]\s*:\s*["'`]([^"'`]*)["'`]/g)].map(
						([, from = '', to = '']) => [from, to],
					)
				: [[plain, posix.relative(posix.join('/', input), posix.join('/', plain))]];
		return pairs.flatMap(([from = '', to = '']) =>
			/[*{]/.test(from) || to.startsWith('..') || /\.\w+$/.test(from)
				? []
				: [
						{
							holds: 'public',
							folder: from.replace(/\/$/, ''),
							at: posix.normalize(to).replace(/^\.?\/?|\/$/g, ''),
						},
					],
		);
	});
	return { folders: [...folders, { holds: 'pages', folder: input, at: '' }], doubts: [] };
}

/** The static files of a theme, where it lies in the site. */
function zola(names: readonly string[], read: Read, list: List): Configuration {
	const file = names.find((name) => /^(?:config|zola)\.toml$/.test(name)) ?? '';
	const theme = textIn(parsed(file, read(file))['theme']);
	const isThere = theme === undefined || list(posix.join('themes', theme)).length > 0;
	const folders = [
		'static',
		...(theme !== undefined && isThere ? [posix.join('themes', theme, 'static')] : []),
	];
	return {
		folders: folders.map((folder) => ({ holds: 'public', folder, at: '' })),
		doubts: isThere ? [] : ['theme'],
	};
}
