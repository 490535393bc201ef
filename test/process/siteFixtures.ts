import { verdictOn } from '../../src/documents/missing/decide.js';
import type { MissingImage } from '../../src/documents/missing/missingIn.js';

/** Outcome of a link: `money` is offered ticked, `unsure` is not. */
export type Fate = 'found' | 'fixed' | 'several' | 'unknown' | 'unsure' | 'money';

/** A small site, with a page that shows images in all the ways of its generator. */
export interface SiteFixture {
	readonly name: string;
	/** Besides those of all fixtures. */
	readonly files: Readonly<Record<string, string>>;
	readonly page: string;
	/** Folder of the images of all fixtures, and the page's way to it. */
	readonly images: readonly [folder: string, written: string];
	/** Starts of links whose images are unknown where they are not found. */
	readonly unsure?: RegExp;
	/** Links on the page, each to one image. */
	readonly links: readonly (readonly [written: string, fate: Fate])[];
}

/** Files that lie in the folder of the images of each site. */
export const commonImages = [
	...['flow.png', 'Login.PNG', 'U\u0308bersicht.png', 'Shot at 9.41.07\u202fPM.png'],
	...['two words.png', 'photo.jpg', 'sub/deep.png'],
	...['one/twice.png', 'other/twice.png'],
];

/**
 * Returns the links that every page has.
 *
 * @param at the folder of the images, as it is written there
 * @param ofOtherForm outcome of a link that has another form of a name: programs for notes find it
 */
const commonLinks = (
	at: string,
	ofOtherForm: Fate = 'fixed',
): readonly (readonly [string, Fate])[] => [
	[`![The flow](${at}flow.png)`, 'found'],
	[`![Two words](<${at}two words.png>) `, 'found'],
	[`![Two words](${at}two%20words.png)`, 'found'],
	[`![The flow, large](${at}flow.png =300x200)`, 'found'],
	[`<picture><source srcset="${at}flow.png 2x" /></picture>`, 'found'],
	[`![The login](${at}login.png)`, ofOtherForm],
	[`![Overview](${at}\u00fcbersicht.png)`, ofOtherForm],
	[`![A shot](<${at}Shot at 9.41.07 PM.png>)`, ofOtherForm],
	[`![The flow](nowhere\\flow.png)`, 'fixed'],
	[`![The flow](nowhere\\_sub\\deep.png)`, 'fixed'],
	[`![Moved](elsewhere/deep.png)`, 'fixed'],
	[`![Twice](elsewhere/twice.png)`, 'several'],
	[`![A new lighthouse](${at}new.png)`, 'money'],
	[`![image](${at}generic.png)`, 'unsure'],
	[`![](${at}silent.png)`, 'unsure'],
	['![The syntax of links](path/to/image.png)', 'unsure'],
	['![A logo](@unknown/package.png)', 'unknown'],
	['![A logo]({{site.variable}}/knows.png)', 'unknown'],
	['![A logo](${base}/knows.png)', 'unknown'],
];

const value = (line: string) => `---\n${line}\n---\n`;

export const siteFixtures: readonly SiteFixture[] = [
	{
		name: 'Docusaurus',
		files: { 'website/docusaurus.config.ts': "export default { baseUrl: '/product/' };" },
		page: 'website/docs/guide/page.md',
		images: ['website/static/img', '/img/'],
		links: [
			[value('image: /img/flow.png'), 'found'],
			['![A](@site/static/img/flow.png)', 'found'],
			['![A](pathname:///img/flow.png)', 'found'],
			['![A](../../static/img/flow.png)', 'found'],
			['<img src="/product/img/flow.png" />', 'found'],
			["<img src={require('@site/static/img/flow.png').default} />", 'found'],
			[
				"import useBaseUrl from '@docusaurus/useBaseUrl';\n\n<img src={useBaseUrl('/img/flow.png')} alt=\"A\" />",
				'found',
			],
			['import flow from \'@site/static/img/flow.png\';\n\n<img src={flow} alt="A" />', 'found'],
			['![A lamp](@site/static/img/lamp.png)', 'money'],
			['![The login](@site/static/img/login.png)', 'fixed'],
		],
	},
	{
		name: 'Hugo',
		files: { 'hugo.toml': 'baseURL = "https://example.org/blog/"', 'assets/cut.png': '' },
		page: 'content/post/page.md',
		images: ['static/images', '/images/'],
		links: [
			['+++\nimage = "images/flow.png"\n+++\n', 'found'],
			['{{< figure src="/images/flow.png" alt="A" >}}', 'found'],
			['{{< figure src="cut.png" alt="A" >}}', 'found'],
			['![A](/blog/images/flow.png)', 'found'],
			['![A](../../images/flow.png)', 'found'],
			['{{< figure\n  src="/images/login.png"\n>}}', 'fixed'],
			['{{< figure src="/images/lamp.png" alt="A lamp" >}}', 'money'],
		],
	},
	{
		name: 'VitePress',
		files: {
			'docs/.vitepress/config.mts': "export default { base: '/base/', srcDir: './src' }",
			'docs/src/beside.png': '',
		},
		page: 'docs/src/guide/page.md',
		images: ['docs/src/public/images', '/images/'],
		links: [
			[value('image: { src: /images/flow.png }'), 'found'],
			['![A](/beside.png)', 'found'],
			['![A](../beside.png)', 'found'],
			['<img src="../beside.png">', 'found'],
			['<img src="/base/images/flow.png">', 'found'],
			['<img src="/images/LOGIN.png" alt="A">', 'fixed'],
		],
	},
	{
		name: 'VuePress',
		files: { 'docs/.vuepress/config.js': 'module.exports = {}', 'docs/beside.png': '' },
		page: 'docs/guide/page.md',
		images: ['docs/.vuepress/public/images', '/images/'],
		links: [
			[value('heroImage: /images/flow.png'), 'found'],
			['![A](@source/beside.png)', 'found'],
			['![A](../beside.png)', 'found'],
			['<img src="../beside.png">', 'found'],
			['<img src="/images/flow.png">', 'found'],
			['<img src="@source/beside.png">', 'found'],
		],
	},
	{
		name: 'Astro',
		files: { 'astro.config.mjs': 'export default {}', 'src/assets/y.png': '' },
		page: 'src/content/docs/page.mdx',
		images: ['public/images', '/images/'],
		links: [
			[value('cover: ../../assets/y.png'), 'found'],
			['![A](@/assets/y.png)', 'found'],
			['![A](~/assets/y.png)', 'found'],
			['![A](../../assets/y.png)', 'found'],
			['import y from \'../../assets/y.png\';\n\n<img src={y.src} alt="A" />', 'found'],
			['![A](/src/assets/y.png)', 'found'],
			['![A tree](@/assets/tree.png)', 'money'],
		],
	},
	{
		name: 'Jekyll',
		files: { '_config.yml': 'title: A\nbaseurl: "/repo" # served there' },
		page: 'guide/page.md',
		images: ['assets/images', '/assets/images/'],
		links: [
			[value('image: /assets/images/flow.png'), 'found'],
			['![A](/repo/assets/images/flow.png)', 'found'],
			['![A]({{site.baseurl}}/assets/images/flow.png)', 'found'],
			['<img src="{{ site.baseurl }}/assets/images/flow.png">', 'found'],
		],
	},
	{
		name: 'MkDocs',
		files: { 'mkdocs.yml': 'site_name: A\ndocs_dir: pages\n' },
		page: 'pages/guide/page.md',
		images: ['pages/images', '../images/'],
		links: [
			[value('image: images/flow.png'), 'fixed'],
			['![A](/images/flow.png)', 'found'],
			['![A](/images/lamp.png)', 'unknown'],
			['<img src="../../images/flow.png">', 'found'],
			['![A](../images/flow.png){ width=300 }', 'found'],
			['!!! note\n\n    ![A](../images/flow.png)', 'found'],
		],
	},
	{
		name: 'Sphinx',
		files: { 'docs/conf.py': 'project = "A"' },
		page: 'docs/guide/page.md',
		images: ['docs/_static', '/_static/'],
		links: [
			['```{figure} ../_static/flow.png\n:alt: A\n```', 'found'],
			['```{image} /_static/two\\ words.png\n```', 'found'],
			['```{image} /_static/two words.png\n```', 'fixed'],
			[':::{image} ../_static/flow.png\n:::', 'found'],
			['![A](../_static/flow.png)', 'found'],
			[':::{figure} ../_static/lamp.png\n:alt: A lamp\n:::', 'money'],
			['```{image} ../_static/LOGIN.png\n```', 'fixed'],
		],
	},
	{
		name: 'Jekyll: a post',
		files: { '_config.yml': 'title: A\ntheme: minima' },
		page: '_posts/2026-11-27-page.md',
		images: ['assets/images', '/assets/images/'],
		// A post has another address, and the theme has assets of its own.
		unsure: /^/,
		links: [['![A lamp](/lamp.png)', 'money']],
	},
	{
		name: 'Hugo: languages and mounts',
		files: {
			'hugo.yaml': [
				'defaultContentLanguage: en',
				'languages:',
				'  en: { contentDir: content/en }',
				'  es: { contentDir: content/es }',
				'module:',
				'  mounts:',
				'    - { source: iconography, target: static/img/logos }',
				'    - { source: static, target: static }',
				'    - { source: assets, target: assets }',
			].join('\n'),
			...{ 'iconography/a/logo.png': '', 'content/en/docs/flow.png': '', 'static/img/x.png': '' },
			...{ 'content/en/docs/guide/chart.png': '', 'content/pt/docs/lamp.png': '' },
			...{ 'content/es/docs/guide/plan.es.png': '', 'assets/cut.png': '' },
		},
		page: 'content/es/docs/guide/index.md',
		images: ['static/img', '/img/'],
		links: [
			['![A chart](chart.png)', 'found'],
			['![A flow](../flow.png)', 'found'],
			['![A logo](/img/logos/a/logo.png)', 'found'],
			['![A plan](plan.png)', 'found'],
			['{{< figure src="cut.png" alt="A" >}}', 'found'],
			['![A](/docs/guide/chart.png)', 'found'],
			['![A lamp](lamp.png)', 'unknown'],
			['![A tower](tower.png)', 'money'],
		],
	},
	{
		name: 'Hugo: a theme from elsewhere',
		files: {
			'hugo.toml':
				'[[module.imports]]\npath = "example.org/theme"\n[permalinks]\nposts = "/:year/:slug/"\n',
		},
		page: 'content/posts/page.md',
		images: ['static/images', '/images/'],
		unsure: /^/,
		links: [['![A lamp](/lamp.png)', 'unknown']],
	},
	{
		name: 'MkDocs: languages by suffix',
		files: {
			'mkdocs.yml': 'plugins:\n  - i18n:\n      docs_structure: suffix\n',
			'docs/img/overview.en.png': '',
		},
		page: 'docs/page.fr.md',
		images: ['docs/img', 'img/'],
		links: [['![Overview](img/overview.png)', 'found']],
	},
	{
		name: 'MkDocs: languages by folder',
		files: {
			'mkdocs.yml': [
				'plugins:',
				'  - search',
				'  - i18n:',
				'      docs_structure: folder',
				'      languages:',
				'        - { locale: en, default: true, name: English }',
				'        - { locale: fr, name: français }',
				'markdown_extensions:',
				'  - pymdownx.emoji: { emoji_index: !!python/name:material.extensions.emoji.twemoji }',
			].join('\n'),
			'docs/en/img/overview.png': '',
			'docs/assets/shared.png': '',
		},
		page: 'docs/fr/guide/page.md',
		images: ['docs/fr/img', '../img/'],
		links: [
			['![Overview](../img/overview.png)', 'found'],
			['![Shared](../assets/shared.png)', 'found'],
			['![A lamp](../img/lamp.png)', 'money'],
		],
	},
	{
		name: 'Zensical',
		files: { 'zensical.toml': '[project]\nsite_name = "A"\ndocs_dir = "pages"\n' },
		page: 'pages/guide/page.md',
		images: ['pages/images', '../images/'],
		links: [['<img src="../../images/flow.png">', 'found']],
	},
	{
		name: 'Mintlify',
		files: { 'docs/docs.json': '{"$schema": "https://mintlify.com/docs.json", "navigation": {}}' },
		page: 'docs/guide/page.mdx',
		images: ['docs/images', '/images/'],
		unsure: /^[^/]/,
		links: [
			['![A](../images/flow.png)', 'found'],
			['![A lamp](/images/lamp.png)', 'money'],
			['![A lamp](images/lamp.png)', 'unknown'],
		],
	},
	{
		name: 'mdBook',
		files: { 'book.toml': '[book]\ntitle = "A"\nsrc = "text"\n', 'images/outside.png': '' },
		page: 'text/guide/page.md',
		images: ['text/images', '../images/'],
		links: [
			['![A](/images/flow.png)', 'found'],
			['![A](/images/lamp.png)', 'unknown'],
			// It copies no files but those.
			['![A](../outside.png)', 'unknown'],
		],
	},
	{
		name: 'Docsify',
		files: { 'docs/index.html': '<script>window.$docsify = {}</script>' },
		page: 'docs/guide/page.md',
		images: ['docs/media', '../media/'],
		links: [
			['![A](/media/flow.png)', 'found'],
			['![A](/media/lamp.png)', 'unknown'],
		],
	},
	{
		name: 'Rspress',
		files: {
			'rspress.config.ts':
				"export default { root: path.join(__dirname, 'pages'), base: '/base/' };",
		},
		page: 'pages/guide/page.mdx',
		images: ['pages/public/images', '/images/'],
		links: [
			['<img src="/base/images/flow.png" />', 'found'],
			['<img src="/images/flow.png" />', 'found'],
		],
	},
	{
		name: 'Nextra',
		files: {
			'package.json': '{"dependencies": {"nextra": "4.6.0"}}',
			'next.config.mjs': "export default nextra({})({ basePath: '/base' });",
			'content/guide/beside.png': '',
		},
		page: 'content/guide/page.mdx',
		images: ['public/images', '/images/'],
		links: [
			['![A](../../public/images/flow.png)', 'found'],
			['![A](./beside.png)', 'found'],
			['![A](beside.png)', 'found'],
			['<img src="/base/images/flow.png" />', 'found'],
			['<img src="/images/LOGIN.png" alt="A" />', 'fixed'],
		],
	},
	{
		name: 'Fumadocs',
		files: { 'package.json': '{"dependencies": {"fumadocs-ui": "16.0.0"}}' },
		page: 'content/docs/page.mdx',
		images: ['public/images', '/images/'],
		links: [],
	},
	{
		name: 'Zola',
		files: {
			'config.toml': 'base_url = "https://example.org/blog"',
			...{ 'content/post/_index.md': '', 'templates/page.html': '' },
		},
		page: 'content/post/page/index.md',
		images: ['static/images', '/images/'],
		links: [['![A](/blog/images/flow.png)', 'found']],
	},
	{
		name: 'Hexo',
		files: { '_config.yml': 'root: /blog/', 'source/_posts/other.md': '', 'scaffolds/post.md': '' },
		page: 'source/guide/page.md',
		images: ['source/images', '/images/'],
		unsure: /^[^/]/,
		links: [['![A](/blog/images/flow.png)', 'found']],
	},
	{
		name: 'Eleventy',
		files: {
			'eleventy.config.mjs':
				"export default (config) => { config.addPassthroughCopy('src/img'); return { dir: { input: 'src' } }; };",
		},
		page: 'src/guide/page.md',
		images: ['src/img', '/img/'],
		unsure: /^/,
		links: [['<img src="/img/flow.png">', 'found']],
	},
	{
		name: 'GitBook',
		files: { '.gitbook.yaml': 'root: ./docs/\n' },
		page: 'docs/guide/page.md',
		images: ['docs/.gitbook/assets', '../.gitbook/assets/'],
		links: [
			['![A](/.gitbook/assets/flow.png)', 'found'],
			['<img src="../.gitbook/assets/flow.png">', 'found'],
		],
	},
	{
		name: 'Pelican',
		files: { 'pelicanconf.py': "PATH = 'pages'\n" },
		page: 'pages/guide/page.md',
		images: ['pages/images', '{static}/images/'],
		unsure: /^[^{]/,
		links: [
			['![A]({filename}/images/flow.png)', 'found'],
			['![A]({attach}/images/sub/deep.png)', 'found'],
			['![A]({static}../images/flow.png)', 'found'],
			['![A]({static}../images/login.png)', 'fixed'],
			['<img src="{static}/images/flow.png">', 'found'],
			['<img src="/images/flow.png">', 'found'],
			['![A](/images/flow.png "A flow")', 'found'],
			['![A](../images/flow.png)', 'found'],
			['![A][flow]\n\n[flow]: {static}/images/flow.png', 'found'],
			['![A](/images/lamp.png)', 'unknown'],
			['![A](lamp.png)', 'unknown'],
		],
	},
	{
		name: 'Pelican: a folder that only the program knows',
		files: { 'pelicanconf.py': 'PATH = HERE\n' },
		page: 'content/page.md',
		images: ['content/images', '{static}/images/'],
		unsure: /^/,
		links: [],
	},
	{
		name: 'GitHub.wiki',
		files: { 'Home.md': '' },
		page: 'guide/page.md',
		images: ['images', 'images/'],
		links: [
			['![A](../images/flow.png)', 'found'],
			['<img src="images/flow.png">', 'found'],
			['![A](/images/lamp.png)', 'unknown'],
		],
	},
	{
		name: 'GitLab.wiki',
		files: { 'home.md': '' },
		page: 'guide/page.md',
		images: ['images', '../images/'],
		links: [['![A](/images/flow.png)', 'found']],
	},
	{
		name: 'Azure DevOps wiki',
		files: { '.order': 'page' },
		page: 'guide/page.md',
		images: ['.attachments', '/.attachments/'],
		links: [],
	},
	{
		name: 'a generator that is not known',
		files: { '.git/HEAD': '', 'gatsby-config.js': '', 'static/images/served.png': '' },
		page: 'content/page.md',
		images: ['content/images', 'images/'],
		links: [
			['![A](/images/served.png)', 'found'],
			['![A](/images/SERVED.png)', 'unknown'],
			['![A](/images/lamp.png)', 'unknown'],
		],
	},
	{
		name: 'a part of other pages',
		files: { 'mkdocs.yml': 'site_name: A' },
		page: 'docs/includes/page.md',
		images: ['docs/includes/img', 'img/'],
		unsure: /^/,
		links: [],
	},
	{
		name: 'Antora',
		files: { 'antora.yml': 'name: a' },
		page: 'modules/ROOT/pages/page.md',
		images: ['modules/ROOT/images', '../images/'],
		links: [['<img src="../images/flow.png">', 'found']],
	},
	{
		name: 'Quarto',
		files: { '_quarto.yml': 'project:\n  type: website' },
		page: 'posts/page.qmd',
		images: ['images', '../images/'],
		links: [
			[value('image: ../images/flow.png'), 'found'],
			['![A](/images/flow.png){width=50%}', 'found'],
		],
	},
	{
		name: 'Obsidian',
		files: { '.obsidian/app.json': '{"attachmentFolderPath": "attachments"}' },
		page: 'notes/page.md',
		images: ['attachments', '../attachments/'],
		links: [
			[value('cover: "attachments/flow.png"'), 'found'],
			['![[flow.png]]', 'found'],
			['![[flow.png|300]]', 'found'],
			['![[attachments/flow.png|A flow]]', 'found'],
			['![[two words.png]]', 'found'],
			['![A](flow.png)', 'found'],
			['![[login.png]]', 'found'],
			['![[a new one.png|A new lamp]]', 'money'],
		],
	},
	{
		name: 'Foam',
		files: { '.foam/templates/a.md': '' },
		page: 'notes/page.md',
		images: ['attachments', '../attachments/'],
		links: [
			['![[flow.png]]', 'found'],
			['![A](/attachments/flow.png)', 'found'],
		],
	},
	{
		name: 'GitHub',
		files: {
			'.git/HEAD': 'ref: refs/heads/main',
			'website/docusaurus.config.js': '',
			'website/static/img/served.png': '',
		},
		page: 'docs/page.md',
		images: ['images', '../images/'],
		links: [
			['![A](/images/flow.png)', 'found'],
			['![A](/img/served.png)', 'found'],
			['![A](/elsewhere/served.png)', 'unknown'],
			['![A](/img/SERVED.png)', 'unknown'],
			['![A lighthouse](/images/lighthouse.png)', 'money'],
			['![A](/images/FLOW.png)', 'fixed'],
			['![A](../images/flow.png?raw=true)', 'found'],
			['<img src="../images/flow.png#gh-dark-mode-only">', 'found'],
			['![A][flow]\n\n[flow]: ../images/flow.png', 'found'],
			['![A](https://example.org/gone.png)', 'found'],
		],
	},
	{
		name: 'plain folders',
		files: {},
		page: 'docs/page.md',
		images: ['images', '../images/'],
		links: [
			['![A](/images/flow.png)', 'found'],
			['![A](@site/images/flow.png)', 'found'],
			['![A](@/images/flow.png)', 'found'],
		],
	},
];

/** Links on the page of a fixture, each on its own. */
export function linksOf({ name, images: [, written], links, unsure = /(?!)/ }: SiteFixture) {
	const isVault = name === 'Obsidian' || name === 'Foam';
	const common = commonLinks(written, isVault ? 'found' : 'fixed').map(([text, fate]) => {
		const [, destination = ''] = /(?:\]\(<?|srcset=")([^"]*)/.exec(text) ?? [];
		return [text, fate !== 'found' && unsure.test(destination) ? 'unknown' : fate] as const;
	});
	return [...links, ...common];
}

/** Outcome of a link whose image is missing; `undefined` for one that is there. */
export function fateOf(image: MissingImage | undefined): Fate {
	if (image === undefined) {
		return 'found';
	}
	const verdict = verdictOn(image);
	return (
		{
			fix: 'fixed',
			choose: 'several',
			obstructed: 'unknown',
			unknown: 'unknown',
			doubtful: 'unsure',
			missing: 'money',
		} as const
	)[verdict];
}
