/**
 * Form in which a site shows one picture on light and another one on dark pages: `<picture>`, by what
 * the system prefers; the fragments of Material for MkDocs; the component of Docusaurus; the classes of
 * Furo and its like; classes with a rule of their own, as attributes; the utilities of Tailwind.
 */
export type DarkForm =
	'picture' | 'fragments' | 'themedImage' | 'classes' | 'attributes' | 'utilities' | 'none';

/** Treatment of paths by a site generator, a program for notes or a host of repositories. */
export interface GeneratorRules {
	/** Page of its documentation that says so. */
	readonly documentation: string;
	/** Names in its folder by which it is recognized: all of one of the lists. */
	readonly recognizedBy: readonly (readonly RegExp[])[];
	/** Text that one of the files with the first of these names has in it. */
	readonly says?: RegExp;
	/** Name of the folder itself. */
	readonly folderName?: RegExp;
	/**
	 * Folder that it copies to the root of the site, as all folders below relative to its own, with
	 * `/`.
	 */
	readonly publicFolder?: string;
	/** Folders of its pages; `*` for any folder but its own, in which a README is no page. */
	readonly pages?: string;
	/** True if it copies all files that lie among its pages. */
	readonly copiesPages?: true;
	/** The folder that counts in the place of its own, where it does not say another one. */
	readonly source?: string;
	/** Folder of new images: in the public folder, else among the pages. */
	readonly images?: string;
	/** Other roots of a path with a leading `/`. */
	readonly roots?: readonly string[];
	/** Other roots of any other path. */
	readonly folders?: readonly string[];
	/** Beginnings of paths that mean folders; `*` for the public one, `.` for that of the page. */
	readonly aliases?: Readonly<Record<string, readonly string[]>>;
	/** True if relative paths may start from the page's address: `guide/` for `guide.md`. */
	readonly hasAddresses?: boolean;
	/** Pages that have their images beside them, wherever they are served. */
	readonly bundles?: RegExp;
	/** Pages, by their paths in the site, whose addresses are not those of their files. */
	readonly movedPages?: RegExp;
	/** Starts of links that prove nothing where their file is not found. */
	readonly unsure?: readonly LinkStart[];
	/** Paths with a leading `/` that a theme from elsewhere may serve. */
	readonly ofTheme?: RegExp;
	/** True if a file `name.xx.png` answers `name.png` in the language `xx`. */
	readonly hasLocalizedFiles?: boolean;
	/** True if a name alone means a file of any folder. */
	readonly findsByName?: boolean;
	/** True if `<img>` finds a file of the project by a leading `./` alone. */
	readonly needsDot?: boolean;
	/**
	 * Form of a path in front matter: a relative path although there is a public folder; a URL in
	 * which blanks and letters beyond ASCII are encoded; no `./` before what lies beside the page.
	 */
	readonly metadata?: 'relative' | 'encoded' | 'bare';
	/** True if the path at which the site is served stands in its links; `html` if in raw HTML alone. */
	readonly writesBase?: boolean | 'html';
	/** Text before the path of a file that is copied to the root of the site. */
	readonly prefix?: string;
	/** True if relative paths start from the root of the site, wherever the page lies. */
	readonly startsAtRoot?: true;
	/** Form of a picture that has another one for dark pages; `<picture>` where it says none. */
	readonly dark?: DarkForm;
	/** True if its Markdown is MDX, whatever the file is called. */
	readonly isMdx?: boolean;
	/** Configuration files, beside those that it is recognized by. */
	readonly settingsIn?: readonly string[];
	/** Patterns by which a value is found there. */
	readonly settings?: Partial<Readonly<Record<keyof SiteSettings, RegExp>>>;
}

/**
 * Start of a link: the root of the site, the file or the address of a page, the latter for raw HTML
 * alone.
 */
export type LinkStart = 'root' | 'relative' | 'html';

/** Rules that the configuration of a site may change. */
export interface SiteSettings {
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
	/** Anything where addresses of pages are not those of their files. */
	readonly permalinks?: string | undefined;
	/** Name of its theme, where it has the form for dark pages that other themes lack. */
	readonly darkTheme?: string | undefined;
	/** Name of a theme that serves files of its own. */
	readonly theme?: string | undefined;
}

/** The value of a key in JavaScript, TOML or YAML; the first one of a list. */
const value = (key: string) =>
	new RegExp(
		`(?<![\\w-])["']?${key}["']?[ \\t]*[:=][ \\t]*${inOwnFolder}\\[?\\s{0,20}["'\`]?([^"'\`\\s,#]+)`,
	);
/** The path of an address, where there is one. */
const base = (key: string) =>
	new RegExp(
		`(?<![\\w-])${key}[ \\t]*[:=][ \\t]*(?:["'\`]?(?:https?://[^/"'\`\\s]*)?(/[^"'\`\\s]*)|\\S)`,
	);
const inOwnFolder =
	'(?:(?:path\\.)?(?:join|resolve)\\(\\s{0,20}(?:__dirname|import\\.meta\\.dirname)\\s{0,20},\\s{0,20})?';
const viteConfigs = ['config.ts', 'config.mts', 'config.js', 'config.mjs'];
const pelicanPath = /^PATH\s*=\s*(?:["']([^"']+)|\S)/m;
/** The theme of that name: as the value of `theme`, or as its `name`. */
const material =
	/^theme:(?:[ \t]*|[^\S\n]*\n(?:(?:[^\S\n][^\n]*)?\n)*?[ \t]+name:[ \t]*)["']?(material)(?![\w-])/m;
const nextConfigs = ['package.json', 'next.config.ts', 'next.config.js', 'next.config.mjs'];
const viteAliases = { '@/': ['src', ''], '~/': ['src', ''] };
const dependency = (name: string) => new RegExp(`"${name}"\\s*:\\s*"`);

/** In the order in which they count where a folder is several of them. */
export const generators = {
	Docusaurus: {
		documentation: 'https://docusaurus.io/docs/markdown-features/assets',
		recognizedBy: [[/^docusaurus\.config\.[cm]?[jt]s$/]],
		...{ publicFolder: 'static', pages: '*', images: 'img', hasAddresses: true },
		...{ aliases: { '@site/': [''] }, isMdx: true, metadata: 'encoded', unsure: ['html'] },
		dark: 'themedImage',
		settings: { base: base('baseUrl'), publicFolder: value('staticDirectories') },
	},
	Zola: {
		documentation: 'https://www.getzola.org/documentation/content/overview/',
		recognizedBy: [[/^(?:config|zola)\.toml$/, /^content$/]],
		says: /^\s*base_url\s*=/m,
		...{ publicFolder: 'static', pages: 'content', images: 'images', hasAddresses: true },
		...{ roots: ['content'], writesBase: true, ofTheme: /^/ },
		settings: { base: base('base_url') },
	},
	Hugo: {
		documentation: 'https://gohugo.io/render-hooks/images/',
		recognizedBy: [
			[/^hugo\.(?:toml|ya?ml|json)$/],
			// Other programs have a `config` and a `content` too.
			[
				...[/^config(?:\.(?:toml|ya?ml|json))?$/, /^content$/],
				/^(?:archetypes|layouts|static|themes)$/,
			],
		],
		...{ publicFolder: 'static', pages: 'content', images: 'images', hasAddresses: true },
		...{ roots: ['assets', 'content'], folders: ['static', 'assets'], ofTheme: /^/ },
		// Goldmark leaves out raw HTML unless it is allowed.
		...{ writesBase: true, metadata: 'bare', hasLocalizedFiles: true, dark: 'none' },
		bundles: /[\\/]_?index\.[^\\/]*$/,
		settings: {
			...{ base: base('base(?:URL|Url|url)'), publicFolder: value('staticDir') },
			pages: value('contentDir'),
		},
	},
	VitePress: {
		documentation: 'https://vitepress.dev/guide/asset-handling',
		recognizedBy: [[/^\.vitepress$/]],
		...{ publicFolder: 'public', images: 'images', roots: [''], needsDot: true },
		dark: 'attributes',
		aliases: viteAliases,
		settingsIn: viteConfigs.map((name) => `.vitepress/${name}`),
		settings: {
			...{ base: base('base'), source: value('srcDir') },
			publicFolder: value('publicDir'),
		},
	},
	VuePress: {
		documentation: 'https://vuepress.vuejs.org/guide/assets',
		recognizedBy: [[/^\.vuepress$/]],
		...{ publicFolder: '.vuepress/public', images: 'images', roots: [''], needsDot: true },
		aliases: { ...viteAliases, '@source/': [''], '~@source/': [''], '@alias/': [''] },
		settingsIn: viteConfigs.map((name) => `.vuepress/${name}`),
		settings: { base: base('base') },
	},
	/** Starlight's pages are Astro's. */
	Astro: {
		documentation: 'https://docs.astro.build/en/guides/images/',
		recognizedBy: [[/^astro\.config\.[cm]?[jt]s$/]],
		...{ publicFolder: 'public', pages: 'src', images: 'images', roots: [''], hasAddresses: true },
		...{ aliases: viteAliases, metadata: 'relative', writesBase: true, unsure: ['html'] },
		settings: { base: base('base'), publicFolder: value('publicDir'), pages: value('srcDir') },
	},
	Rspress: {
		documentation: 'https://rspress.rs/guide/basic/static-assets',
		recognizedBy: [[/^rspress\.config\.[cm]?[jt]s$/]],
		...{ source: 'docs', pages: '', publicFolder: 'public', images: 'images', writesBase: 'html' },
		settings: { base: base('base'), source: value('root') },
	},
	Nextra: {
		documentation: 'https://nextra.site/docs/guide/image',
		recognizedBy: [[/^package\.json$/]],
		says: dependency('nextra'),
		...{ publicFolder: 'public', pages: '*', images: 'images', writesBase: 'html' },
		...{ settingsIn: nextConfigs, settings: { base: base('basePath') } },
	},
	Fumadocs: {
		documentation: 'https://www.fumadocs.dev/docs/headless/mdx/remark-image',
		recognizedBy: [[/^package\.json$/]],
		says: dependency('fumadocs-(?:core|mdx|ui)'),
		...{ publicFolder: 'public', pages: '*', images: 'images', isMdx: true },
		...{ settingsIn: nextConfigs, settings: { base: base('basePath') } },
	},
	MkDocs: {
		documentation: 'https://www.mkdocs.org/user-guide/writing-your-docs/',
		recognizedBy: [[/^mkdocs\.ya?ml$/]],
		...{ pages: 'docs', images: 'images', hasAddresses: true, hasLocalizedFiles: true },
		// It leaves a path with a leading slash to the server, which may have other sites.
		...{ unsure: ['root'], dark: 'fragments', copiesPages: true },
		settings: {
			pages: value('docs_dir'),
			hasFlatAddresses: /^use_directory_urls:\s*(false)/m,
			darkTheme: material,
		},
	},
	Zensical: {
		documentation: 'https://zensical.org/docs/authoring/images/',
		recognizedBy: [[/^zensical\.toml$/]],
		...{ pages: 'docs', images: 'images', hasAddresses: true, hasLocalizedFiles: true },
		...{ unsure: ['root'], dark: 'fragments', copiesPages: true },
		settings: {
			pages: value('docs_dir'),
			hasFlatAddresses: /^\s*use_directory_urls\s*=\s*(false)/m,
		},
	},
	mdBook: {
		documentation: 'https://rust-lang.github.io/mdBook/format/markdown.html',
		recognizedBy: [[/^book\.toml$/]],
		...{ pages: 'src', images: 'images', unsure: ['root'], copiesPages: true },
		settings: { pages: value('src') },
	},
	Sphinx: {
		documentation: 'https://www.sphinx-doc.org/en/master/usage/restructuredtext/basics.html',
		// A book of Jupyter is one, and has a `_config.yml` as Jekyll does.
		recognizedBy: [[/^conf\.py$/], [/^_toc\.ya?ml$/]],
		...{ pages: '', images: 'images', roots: [''], dark: 'classes' },
		settings: {
			darkTheme: /^html_theme\s*=\s*["'](furo|pydata_sphinx_theme|sphinx_book_theme)["']/m,
		},
	},
	MyST: {
		documentation: 'https://mystmd.org/guide/figures',
		recognizedBy: [[/^myst\.ya?ml$/]],
		...{ pages: '', images: 'images', roots: [''], unsure: ['root'], dark: 'none' },
	},
	Antora: {
		documentation: 'https://docs.antora.org/antora/latest/page/images',
		recognizedBy: [[/^antora\.ya?ml$/]],
		roots: [''],
	},
	Quarto: {
		documentation: 'https://quarto.org/docs/websites/website-tools.html',
		recognizedBy: [[/^_quarto\.ya?ml$/]],
		...{ pages: '', images: 'images', roots: [''], dark: 'none' },
	},
	Hexo: {
		documentation: 'https://hexo.io/docs/asset-folders',
		recognizedBy: [[/^_config\.ya?ml$/, /^source$/, /^(?:scaffolds|themes|package\.json)$/]],
		...{ publicFolder: 'source', pages: 'source', images: 'images', hasAddresses: true },
		...{ writesBase: 'html', unsure: ['relative'] },
		settings: { base: base('root') },
	},
	Jekyll: {
		documentation: 'https://jekyllrb.com/docs/posts/',
		recognizedBy: [[/^_config\.(?:ya?ml|toml)$/]],
		...{ publicFolder: '', images: 'assets/images', hasAddresses: true, writesBase: true },
		...{ ofTheme: /^\/assets\//, movedPages: /\/_\w+\// },
		settings: {
			...{ base: base('baseurl'), permalinks: /^(permalink):/m },
			theme: /^(?:remote_)?theme:[ \t]*(\S+)/m,
		},
	},
	Eleventy: {
		documentation: 'https://www.11ty.dev/docs/copy/',
		recognizedBy: [[/^(?:\.eleventy|eleventy\.config)\.[cm]?[jt]s$/]],
		...{ pages: '', images: 'images', hasAddresses: true, unsure: ['root', 'relative'] },
	},
	Mintlify: {
		documentation: 'https://www.mintlify.com/docs/create/image-embeds',
		recognizedBy: [[/^(?:docs|mint)\.json$/]],
		says: /mintlify\.com\/|"navigation"\s*:/,
		...{ publicFolder: '', pages: '', images: 'images', isMdx: true, unsure: ['relative'] },
		dark: 'utilities',
	},
	Docsify: {
		documentation: 'https://docsify.js.org/#/configuration',
		recognizedBy: [[/^index\.html$/]],
		says: /\$docsify/,
		// It reads a path with a leading slash as one without, and has no folder for files.
		...{ pages: '', images: 'media', roots: [''], unsure: ['root', 'html'] },
	},
	GitBook: {
		documentation: 'https://gitbook.com/docs/getting-started/git-sync/content-configuration',
		recognizedBy: [[/^\.gitbook\.ya?ml$/], [/^\.gitbook$/]],
		...{ pages: '', images: '.gitbook/assets', unsure: ['root'] },
		settings: { source: /^root:[ \t]*["']?\.?\/?([^"'\s#]*)/m },
	},
	Pelican: {
		documentation: 'https://docs.getpelican.com/en/stable/content.html',
		recognizedBy: [[/^pelicanconf\.py$/]],
		...{ pages: 'content', publicFolder: 'content', images: 'images', prefix: '{static}' },
		aliases: {
			...{ '{static}/': ['*'], '{attach}/': ['*'], '{filename}/': ['*'] },
			...{ '{static}': ['.'], '{attach}': ['.'], '{filename}': ['.'] },
		},
		...{ unsure: ['root', 'relative'], dark: 'none' },
		settings: { pages: pelicanPath, publicFolder: pelicanPath },
	},
	Obsidian: {
		documentation: 'https://help.obsidian.md/attachments',
		recognizedBy: [[/^\.obsidian$/]],
		...{ roots: [''], folders: [''], findsByName: true, dark: 'none' },
		settingsIn: ['.obsidian/app.json'],
		settings: {
			images: /"attachmentFolderPath"\s*:\s*"([^"]+)"/,
			markdownLinks: /"useMarkdownLinks"\s*:\s*(true)/,
		},
	},
	Foam: {
		documentation: 'https://foambubble.github.io/foam/user/features/including-notes',
		recognizedBy: [[/^\.foam$/]],
		...{ pages: '', images: 'attachments', roots: [''], folders: [''], findsByName: true },
	},
	/** Clones of both wikis are called so; each host writes its first page in its own letter case. */
	'GitHub wiki': {
		documentation:
			'https://docs.github.com/en/communities/documenting-your-project-with-wikis/editing-wiki-content',
		recognizedBy: [[/^_?Home\.[a-z]+$/]],
		folderName: /\.wiki$/,
		...{ publicFolder: '', pages: '', images: 'images', unsure: ['root'] },
		...{ folders: [''], startsAtRoot: true },
	},
	'GitLab wiki': {
		documentation: 'https://docs.gitlab.com/user/project/wiki/markdown/',
		recognizedBy: [[/^home\.[a-z]+$/]],
		folderName: /\.wiki$/,
		...{ pages: '', images: 'images', roots: [''], folders: [''], unsure: ['root'] },
		dark: 'none',
	},
	'Azure DevOps wiki': {
		documentation: 'https://learn.microsoft.com/en-us/azure/devops/project/wiki/markdown-guidance',
		recognizedBy: [[/^\.attachments$/]],
		...{ publicFolder: '', pages: '', images: '.attachments', dark: 'none' },
	},
	/** Looks of a site of a generator that has no row here. */
	other: {
		documentation: '',
		recognizedBy: [
			[
				/^(?:gatsby|next|nuxt|gridsome|svelte|vite|vocs|remix|rsbuild)(?:\.config|-config)\.[cm]?[jt]sx?$/,
			],
			[/^(?:docfx|metalsmith|book)\.json$/],
			[/^(?:_bookdown|_site|antora-playbook|docpress|nikola)\.ya?ml$/],
			[/^(?:_?layouts|_includes|archetypes|themes)$/, /^(?:content|_?posts|pages|source)$/],
		],
		...{ pages: '', roots: ['', 'static', 'public'] },
	},
	GitHub: {
		documentation:
			'https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax',
		recognizedBy: [[/^\.git$/]],
		roots: [''],
	},
	/** Site that the setting `easel.documents.publicFolder` describes. */
	setting: { documentation: '', recognizedBy: [] },
} as const satisfies Readonly<Record<string, GeneratorRules>>;

export type SiteGenerator = keyof typeof generators;

/** The files whose contents tell of sites, anywhere in a workspace. */
export const siteFilesGlob =
	'**/{docusaurus.config.*,hugo.*,config.*,config,zola.toml,astro.config.*,rspress.config.*,next.config.*,package.json,mkdocs.*,zensical.toml,book.toml,conf.py,myst.*,_toc.*,antora.*,_quarto.*,_config.*,.eleventy.*,eleventy.config.*,docs.json,mint.json,index.html,.gitbook.*,pelicanconf.py,app.json,.vitepress,.vuepress,.obsidian,.foam,.gitbook,.attachments,.git}';
