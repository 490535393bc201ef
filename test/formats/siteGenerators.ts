import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { rm, symlink } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { cachedPackages } from '../host/cache';

/** A site generator, and what a fixture needs so that it can build it. */
export interface SiteGenerator {
	/** From npm, with their versions; none where Debian has the generator. */
	readonly packages?: readonly string[];
	/** The folder that is built, relative to that of the fixture. */
	readonly root: string;
	/** Files that Easel does not read: layouts and whole configurations. */
	readonly files: Readonly<Record<string, string>>;
	/** Run in `root`; a name with a slash lies in the packages. */
	readonly command: readonly [program: string, ...args: string[]];
	/** Folders of the pages that it reads, and of those that it writes, relative to `root`. */
	readonly pages: string;
	readonly output: string;
	/** Address path of the site. */
	readonly base: string;
	/** True where a page is a folder of its own. */
	readonly hasFolders: boolean;
	/** Pages that Easel writes links into, relative to `root`, with `#` for their names. */
	readonly documents: readonly string[];
	/** The start pages of the site and of a folder, and what is built of them, in `output`. */
	readonly starts: Readonly<Record<string, string>>;
	/** Links on which it gives up. */
	readonly unbuilt?: RegExp;
	/** File that lists the pages, where no other ones are built, relative to `root`. */
	readonly summary?: string;
	/** Beginning that a page needs. */
	readonly opening?: string;
	/** True where the page shows what its front matter says of an image. */
	readonly showsMetadata?: true;
	/** Its message about an image that it does not find, with the page's name. */
	readonly complaint?: RegExp;
}

/** Reports what Vite does not resolve, and goes on. */
const vitePlugin = `{
	name: 'unresolved',
	enforce: 'pre',
	async resolveId(source, importer, options) {
		if (!importer || !/[.](?:png|jpg)/.test(source)) return null;
		const found = await this.resolve(source, importer, { ...options, skipSelf: true });
		const file = found?.id.replace(/[?].*/, '');
		if (found && (fs.existsSync(file) || found.id.startsWith('/') && !found.id.startsWith('/src/'))) return null;
		console.log('unresolved: ' + importer.replace(/[?].*/, '') + ': ' + source);
		return fallback;
	},
}`;

const hugoLayout =
	'{{ with .Params.image }}{{ with $.Resources.Get . }}<meta property="og:image" content="{{ .Permalink }}">{{ else }}<meta property="og:image" content="{{ . | absURL }}">{{ end }}{{ end }}{{ .Content }}';

export const siteGenerators: Readonly<Record<string, SiteGenerator>> = {
	Docusaurus: {
		packages: [
			...['@docusaurus/core@3.10.2', '@docusaurus/preset-classic@3.10.2'],
			...['react@19.3.1', 'react-dom@19.3.1'],
		],
		root: 'website',
		files: {
			'docusaurus.config.ts': `export default {
	title: 'A',
	url: 'https://example.org',
	baseUrl: '/product/',
	onBrokenLinks: 'ignore',
	markdown: { hooks: { onBrokenMarkdownImages: 'warn' } },
	presets: [['classic', { docs: { routeBasePath: '/' }, blog: false }]],
};`,
		},
		command: ['@docusaurus/core/bin/docusaurus.mjs', 'build', '--no-minify'],
		...{ pages: 'docs', output: 'build', base: '/product/', hasFolders: true },
		documents: ['docs/guide/#.md', 'docs/#.md', 'docs/guide/#.mdx'],
		starts: { 'docs/README.md': 'index.html', 'docs/guide/index.mdx': 'guide/index.html' },
		showsMetadata: true,
		complaint: /Markdown image with URL .* in source file "([^"]*)".* couldn't be resolved/g,
	},
	VitePress: {
		packages: ['vitepress@1.6.4'],
		root: 'docs',
		files: {
			'.vitepress/config.mts': `import fs from 'node:fs';
const fallback = '\\0fallback.js';
export default { base: '/base/', srcDir: './src', vite: { plugins: [${vitePlugin}, { name: 'f', load: (id) => id === fallback ? 'export default ""' : null }] } };`,
		},
		command: ['vitepress/bin/vitepress.js', 'build'],
		...{ pages: 'src', output: '.vitepress/dist', base: '/base/', hasFolders: false },
		documents: ['src/guide/#.md', 'src/#.md'],
		starts: { 'src/index.md': 'index.html', 'src/guide/index.md': 'guide/index.html' },
		complaint: /unresolved: ([^:]*): /g,
	},
	VuePress: {
		packages: ['vuepress@2.0.0-rc.31', '@vuepress/bundler-vite@2.0.0-rc.31', 'vue@3.5.45'],
		root: '',
		files: {
			'docs/.vuepress/config.js': `import fs from 'node:fs';
import { viteBundler } from '@vuepress/bundler-vite';
const fallback = '\\0fallback.js';
export default {
	base: '/base/',
	bundler: viteBundler({ viteOptions: { plugins: [${vitePlugin}, { name: 'f', load: (id) => id === fallback ? 'export default ""' : null }] } }),
	theme: { name: 'plain', clientConfigFile: import.meta.dirname + '/theme.js' },
};`,
			'docs/.vuepress/theme.js': `import { h } from 'vue';
import { Content, defineClientConfig } from 'vuepress/client';
const Layout = () => h(Content);
export default defineClientConfig({ layouts: { Layout, NotFound: Layout } });`,
		},
		command: ['vuepress/bin/vuepress.js', 'build', 'docs'],
		...{ pages: 'docs', output: 'docs/.vuepress/dist', base: '/base/', hasFolders: false },
		documents: ['docs/guide/#.md', 'docs/#.md'],
		starts: { 'docs/README.md': 'index.html', 'docs/guide/index.md': 'guide/index.html' },
		complaint: /unresolved: ([^:]*): /g,
	},
	Astro: {
		packages: ['astro@7.3.5', '@astrojs/mdx@8.0.2'],
		root: '',
		files: {
			'astro.config.mjs': `import fs from 'node:fs';
import mdx from '@astrojs/mdx';
import { passthroughImageService } from 'astro/config';
const fallback = process.cwd() + '/src/assets/y.png';
export default { integrations: [mdx()], image: { service: passthroughImageService() }, vite: { plugins: [${vitePlugin}] } };`,
			'tsconfig.json':
				'{"compilerOptions":{"baseUrl":".","paths":{"@/*":["src/*"],"~/*":["src/*"]}}}',
			'src/content.config.ts': `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
export const collections = { docs: defineCollection({ loader: glob({ pattern: '**/*.{md,mdx}', base: './src/content/docs' }) }) };`,
			'src/pages/[...slug].astro': `---
import { getCollection, render } from 'astro:content';
export async function getStaticPaths() {
	const pages = await getCollection('docs');
	return pages.map((page) => ({ params: { slug: page.id }, props: { page } }));
}
const { Content } = await render(Astro.props.page);
---
<Content />`,
		},
		command: ['astro/bin/astro.mjs', 'build'],
		...{ pages: 'src/content/docs', output: 'dist', base: '/', hasFolders: true },
		documents: ['src/content/docs/guide/#.mdx', 'src/content/docs/#.md'],
		starts: {
			'src/pages/index.md': 'index.html',
			'src/content/docs/guide/index.mdx': 'guide/index.html',
		},
		complaint: /unresolved: ([^:]*): /g,
	},
	Hugo: {
		root: '',
		files: {
			'hugo.toml':
				'baseURL = "https://example.org/blog/"\n[markup.goldmark.renderer]\nunsafe = true\n',
			'layouts/_default/single.html': hugoLayout,
			'layouts/_default/list.html': hugoLayout,
		},
		command: ['hugo', '--config', 'hugo.toml'],
		...{ pages: 'content', output: 'public', base: '/blog/', hasFolders: true },
		documents: ['content/post/#.md', 'content/#.md', 'content/#/index.md'],
		starts: { 'content/_index.md': 'index.html', 'content/post/_index.md': 'post/index.html' },
		showsMetadata: true,
	},
	MkDocs: {
		root: '',
		files: {},
		command: ['mkdocs', 'build'],
		...{ pages: 'pages', output: 'site', base: '/', hasFolders: true },
		documents: ['pages/guide/#.md', 'pages/#.md', 'pages/#/index.md'],
		starts: { 'pages/index.md': 'index.html', 'pages/guide/README.md': 'guide/index.html' },
		complaint: /Documentation file '([^']*)' contains a link to/g,
	},
	Rspress: {
		packages: ['@rspress/core@2.0.22', 'react@19.3.1', 'react-dom@19.3.1'],
		root: '',
		files: {
			'rspress.config.ts': `import path from 'node:path';
import { defineConfig } from '@rspress/core';
export default defineConfig({ root: path.join(__dirname, 'pages'), base: '/base/' });`,
		},
		command: ['@rspress/core/bin/rspress.js', 'build'],
		...{ pages: 'pages', output: 'doc_build', base: '/base/', hasFolders: false },
		documents: ['pages/guide/#.mdx', 'pages/#.md'],
		starts: { 'pages/index.md': 'index.html', 'pages/guide/index.mdx': 'guide/index.html' },
		complaint: /File: \.\/([^:]*):\d+:\d+\n.*\n.*Error: Dead image/g,
	},
	Nextra: {
		packages: ['nextra@4.6.1', 'next@15.5.29', 'react@19.3.1', 'react-dom@19.3.1'],
		root: '',
		files: {
			'next.config.mjs': `import nextra from 'nextra';
export default nextra({ search: false })({
	basePath: '/base',
	output: 'export',
	images: { unoptimized: true },
	eslint: { ignoreDuringBuilds: true },
	webpack: (config) => ({
		...config,
		optimization: { ...config.optimization, minimize: false },
		plugins: [...config.plugins, { apply: sayErrors }],
	}),
});
// Next says the first five.
function sayErrors(compiler) {
	compiler.hooks.done.tap('errors', ({ compilation }) => {
		for (const { file, module, message } of compilation.errors) {
			console.log('unresolved: ' + (file ?? module?.resource)?.replace(/[?].*/, '') + ': ' + message);
		}
	});
}`,
			'mdx-components.js': `export { useMDXComponents } from 'nextra/mdx-components';`,
			'app/layout.jsx': `export default ({ children }) => <html><body>{children}</body></html>;`,
			'app/[[...mdxPath]]/page.jsx': `import { generateStaticParamsFor, importPage } from 'nextra/pages';
export const generateStaticParams = generateStaticParamsFor('mdxPath');
export default async function Page(props) {
	const { default: Content } = await importPage((await props.params).mdxPath);
	return <Content />;
}`,
		},
		command: ['next/dist/bin/next', 'build'],
		...{ pages: 'content', output: 'out', base: '/base/', hasFolders: false },
		documents: ['content/guide/#.mdx', 'content/#.md'],
		starts: { 'content/index.mdx': 'index.html', 'content/guide/index.md': 'guide.html' },
		complaint: /unresolved: \S*\/(content\/[^:]*): /g,
	},
	Jekyll: {
		root: '',
		files: {},
		command: ['jekyll', 'build', '--disable-disk-cache'],
		...{ pages: '', output: '_site', base: '/repo/', hasFolders: false },
		documents: ['guide/#.md', '#.md'],
		starts: { 'index.md': 'index.html', 'guide/index.md': 'guide/index.html' },
		opening: '---\n---\n',
	},
	Eleventy: {
		packages: ['@11ty/eleventy@3.1.8'],
		root: '',
		files: {},
		command: ['@11ty/eleventy/cmd.cjs'],
		...{ pages: 'src', output: '_site', base: '/', hasFolders: true },
		documents: ['src/guide/#.md', 'src/#.md'],
		starts: { 'src/index.md': 'index.html', 'src/guide/index.md': 'guide/index.html' },
	},
	Hexo: {
		packages: ['hexo@8.1.2', 'hexo-renderer-marked@7.0.1', 'hexo-renderer-ejs@2.0.0'],
		root: '',
		files: {
			'_config.yml': 'url: https://example.org/blog\nroot: /blog/\ntheme: plain\n',
			'package.json':
				'{"hexo":{"version":"8.1.2"},"dependencies":{"hexo":"8.1.2","hexo-renderer-marked":"7.0.1","hexo-renderer-ejs":"2.0.0"}}',
			'themes/plain/layout/index.ejs': '',
			'themes/plain/layout/page.ejs': '<%- page.content %>',
			'themes/plain/layout/post.ejs': '<%- page.content %>',
		},
		command: ['hexo/bin/hexo', 'generate'],
		...{ pages: 'source', output: 'public', base: '/blog/', hasFolders: false },
		documents: ['source/guide/#.md', 'source/#.md'],
		starts: { 'source/index.md': 'index.html', 'source/guide/index.md': 'guide/index.html' },
		opening: '---\ntitle: A page\n---\n',
	},
	/** Built by its fork, which is kept. */
	GitBook: {
		packages: ['honkit@6.1.7'],
		root: 'docs',
		files: {},
		command: ['honkit/bin/honkit.js', 'build'],
		...{ pages: '', output: '_book', base: '/', hasFolders: false, summary: 'SUMMARY.md' },
		documents: ['guide/#.md', '#.md'],
		starts: { 'README.md': 'index.html', 'guide/README.md': 'guide/index.html' },
	},
	Pelican: {
		root: '',
		files: {
			'pelicanconf.py': [
				"PATH = 'pages'",
				"SITEURL = ''",
				"TIMEZONE = 'UTC'",
				"FILENAME_METADATA = '(?P<title>.*)'",
				"DEFAULT_DATE = 'fs'",
				"PATH_METADATA = '(?P<address>.*)[.].*'",
				"ARTICLE_URL = ARTICLE_SAVE_AS = '{address}.html'",
				"STATIC_PATHS = ['images']",
				'DIRECT_TEMPLATES = []',
				'FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = None',
			].join('\n'),
		},
		command: ['pelican', 'pages', '-s', 'pelicanconf.py', '-o', 'output'],
		...{ pages: 'pages', output: 'output', base: '/', hasFolders: false },
		documents: ['pages/guide/#.md', 'pages/#.md'],
		starts: { 'pages/index.md': 'index.html', 'pages/guide/index.md': 'guide/index.html' },
		// It gives up on a file that is not there.
		unbuilt: / =300x200| 2x"|\{static\}.*(?:login|bersicht|9\.41|new|generic|silent)/,
		opening: 'Title: A page\n\n',
	},
	Sphinx: {
		root: 'docs',
		files: {
			'conf.py':
				"project = 'A'\nextensions = ['myst_parser']\nmyst_enable_extensions = ['colon_fence']\n",
			'index.rst': 'A\n=\n\n.. toctree::\n   :glob:\n\n   guide/*\n\n',
		},
		command: ['sphinx-build', '-b', 'html', '.', '_build'],
		...{ pages: '', output: '_build', base: '/', hasFolders: false },
		documents: ['guide/#.md', '#.md', 'guide/#.rst'],
		starts: { 'index.rst': 'index.html', 'guide/index.md': 'guide/index.html' },
		complaint: /([^:\n]*):\d+: WARNING: image file not readable/g,
	},
};

/** A site as its generator has built it. */
export interface BuiltSite {
	/** Output of the generator. */
	readonly said: string;
	/** File of a page, relative to the output. */
	fileOf(page: string): string;
	/** The contents of the images that a page shows, in order; `undefined` for one that is not there. */
	imagesOf(page: string): (Buffer | undefined)[];
	/** The alternative texts of these images; `undefined` for one without. */
	altsOf(page: string): (string | undefined)[];
	/** Returns whether the generator itself has found an image of the page missing. */
	complainsOf(page: string): boolean;
}

/**
 * Builds a site whose pages, images and other files are there.
 *
 * @param folder that of the fixture
 */
export async function buildSite(folder: string, generator: SiteGenerator): Promise<BuiltSite> {
	const root = join(folder, generator.root);
	const [program, ...args] = generator.command;
	const modules = generator.packages && (await cachedPackages(generator.packages));
	if (modules !== undefined && !existsSync(join(root, 'node_modules'))) {
		await symlink(modules, join(root, 'node_modules'), 'junction');
	}
	const commandLine =
		modules === undefined
			? [program, ...args]
			: [process.execPath, join(modules, program), ...args];
	const output = join(root, generator.output);
	const complained = new Set<string>();
	let said = '';
	for (let known = -1; complained.size > known;) {
		known = complained.size;
		const result = await outputOf(commandLine, root);
		said = result.said;
		for (const [, page = ''] of said.matchAll(generator.complaint ?? /(?!)/g)) complained.add(page);
		if (result.code === 0) break;
		// One that builds no site in which an image is missing builds the rest of it.
		for (const page of complained) await rm(join(root, page), { force: true });
	}
	const fileOf = (page: string) => {
		const address = relative(generator.pages, page).replace(/\.[^.]*$/, '');
		const isFolder = generator.hasFolders && !/(?:^|\/)index$/.test(address);
		return generator.starts[page] ?? address + (isFolder ? '/index.html' : '.html');
	};
	return {
		said,
		fileOf,
		imagesOf(page) {
			const file = fileOf(page);
			const url = new URL(generator.base + file, 'https://example.org');
			if (!existsSync(join(output, file))) {
				throw new Error(`There is no ${file}; the generator said:\n${said.slice(-4000)}`);
			}
			return sourcesIn(readFileSync(join(output, file), 'utf8')).map((source) => {
				const { protocol, href, pathname } = new URL(source, url);
				if (source === '') return undefined;
				if (protocol === 'data:') {
					return Buffer.from(href.replace(/^[^,]*,/, ''), 'base64');
				}
				const image = join(output, decodeURIComponent(pathname).slice(generator.base.length));
				return pathname.startsWith(generator.base) && existsSync(image)
					? readFileSync(image)
					: undefined;
			});
		},
		altsOf: (page) => altsIn(readFileSync(join(output, fileOf(page)), 'utf8')),
		complainsOf: (page) =>
			[...complained].some((one) => `/${one}`.endsWith(`/${relative(generator.pages, page)}`)),
	};
}

async function outputOf(
	[program, ...args]: readonly string[],
	cwd: string,
): Promise<{ said: string; code: number | null }> {
	const child = spawn(program!, args, {
		...{ cwd, stdio: ['ignore', 'pipe', 'pipe'] },
		env: {
			...process.env,
			...{ NODE_ENV: 'production', NO_COLOR: '1', CI: '1', ASTRO_TELEMETRY_DISABLED: '1' },
			...{ DOCUSAURUS_NO_PERSISTENT_CACHE: 'true', NEXT_TELEMETRY_DISABLED: '1' },
		},
	});
	let said = '';
	child.stdout.on('data', (data) => (said += data));
	child.stderr.on('data', (data) => (said += data));
	await once(child, 'close');
	return { said, code: child.exitCode };
}

/** Returns the images that a browser loads, and those of link previews. */
function sourcesIn(html: string): string[] {
	return elementsIn(html).flatMap(({ name, value }) => [
		...(name === 'img' ? [value('src') ?? ''] : []),
		...(name === 'source' ? [(value('srcset') ?? '').replace(/\s.*/, '')] : []),
		...(value('property') === 'og:image' ? [value('content') ?? ''] : []),
	]);
}

/** Returns the alternative texts of the images; `undefined` for one without. */
function altsIn(html: string): (string | undefined)[] {
	return elementsIn(html).flatMap(({ name, value }) => (name === 'img' ? [value('alt')] : []));
}

function elementsIn(html: string) {
	const found: { name: string; value: (attribute: string) => string | undefined }[] = [];
	const visit = (node: DefaultTreeAdapterTypes.Node) => {
		if ('attrs' in node) {
			const value = (name: string) => node.attrs.find((attr) => attr.name === name)?.value;
			found.push({ name: node.nodeName, value });
		}
		if ('childNodes' in node) node.childNodes.forEach(visit);
	};
	visit(parse(html));
	return found;
}
