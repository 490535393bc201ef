import assert from 'node:assert/strict';
import { generators, type SiteGenerator } from '../../../src/documents/generators.js';
import { rulesOf, sitesIn, type Site } from '../../../src/documents/sites.js';
import { paired } from './paired.js';

function siteOf(generator: SiteGenerator, more: Partial<Site> = {}): Site {
	const { publicFolder, pages } = rulesOf({ generator });
	return { generator, root: '/w', publicFolder, pages, ...more };
}

const source = '<source media="(prefers-color-scheme: dark)" srcset="a-dark.png">';

suite('A picture with another one for dark pages', () => {
	test('is written as <picture> in Markdown of GitHub and of sites without a form', () => {
		const picture = `<picture>${source}<img src="a.png" alt="A pier"></picture>`;
		assert.equal(paired('![A pier](a.png)'), picture);
		assert.equal(paired('See ![A pier][p].\n\n[p]: a.png'), `See ${picture}.\n\n[p]: a.png`);
		assert.equal(
			paired('![A pier](a.png "Old")'),
			picture.replace('alt="A pier"', 'alt="A pier" title="Old"'),
		);
		const site = siteOf('Jekyll', { base: '/port' });
		assert.equal(
			paired('![A](/assets/a.png)', { site, folder: '/w/assets' }),
			'<picture><source media="(prefers-color-scheme: dark)" srcset="/port/assets/a-dark.png">' +
				'<img src="/port/assets/a.png" alt="A"></picture>',
		);
		assert.equal(
			paired('![A](a.png)', { site: siteOf('MkDocs') }),
			'<picture><source media="(prefers-color-scheme: dark)" srcset="../a-dark.png">' +
				'<img src="../a.png" alt="A"></picture>',
		);
	});

	test('is written as <picture> around a tag, once', () => {
		const tag = '<img src="a.png" width="300" alt="A pier">';
		const wrapped = `<picture>${source}${tag}</picture>`;
		assert.equal(paired(tag), wrapped);
		assert.equal(paired(tag, { document: '/w/docs/a.html', languageId: 'html' }), wrapped);
		assert.equal(paired(wrapped), wrapped);
		assert.equal(
			paired('<img src="./a.png" alt="" />', { document: '/w/docs/a.mdx', languageId: 'mdx' }),
			'<picture><source media="(prefers-color-scheme: dark)" srcSet="./a-dark.png" />' +
				'<img src="./a.png" alt="" /></picture>',
		);
	});

	test('has the fragments of Material for MkDocs, and of Zensical', () => {
		const site = siteOf('MkDocs', { darkTheme: 'material' });
		const light = '![A pier](a.png#only-light "Old"){ width=300 }';
		const dark = '![A pier](a-dark.png#only-dark "Old"){ width=300 }';
		const text = '![A pier](a.png "Old"){ width=300 }';
		assert.equal(paired(text, { site }), `${light}\n${dark}`);
		assert.equal(paired(`- See ${text} here`, { site }), `- See ${light}${dark} here`);
		assert.equal(paired(light, { site }), undefined);
		assert.equal(
			paired('![A](<a.png>)\r\n', { site: siteOf('Zensical') }),
			'![A](<a.png#only-light>)\r\n![A](<a-dark.png#only-dark>)\r\n',
		);
		assert.equal(
			paired('<img src="a.png" width="3">', { site }),
			'<img src="a.png#only-light" width="3">\n<img src="a-dark.png#only-dark" width="3">',
		);
	});

	test('is the component of Docusaurus, which is imported once', () => {
		const site = siteOf('Docusaurus');
		const component =
			'<ThemedImage alt="A &quot;pier&quot;" sources={{ light: require(\'./a.png\').default,' +
			" dark: require('./a-dark.png').default }} />";
		const line = "import ThemedImage from '@theme/ThemedImage';";
		const text = '![A "pier"](a.png)\n';
		assert.equal(paired(text, { site }), `${line}\n\n${component}\n`);
		assert.equal(
			paired(`---\ntitle: A\n---\n\n${text}`, { site }),
			`---\ntitle: A\n---\n\n${line}\n\n${component}\n`,
		);
		assert.equal(
			paired(`${line}\n\n${text}${text}`, { site }),
			`${line}\n\n${component}\n${component}\n`,
		);
		assert.equal(paired(text + text, { site }), `${line}\n\n${component}\n${component}\n`);
		assert.equal(
			paired('![A](/img/a.png)', { site, folder: '/w/static/img' })?.split('\n').at(-1),
			'<ThemedImage alt="A" sources={{ light: require(\'@site/static/img/a.png\').default,' +
				" dark: require('@site/static/img/a-dark.png').default }} />",
		);
	});

	test('has the classes of Furo and its like, in reStructuredText and in directives of MyST', () => {
		const site = siteOf('Sphinx', { darkTheme: 'furo' });
		const rst = { site, document: '/w/docs/page.rst', languageId: 'restructuredtext' };
		assert.equal(
			paired('A\n\n  .. image:: a.png\n     :alt: A pier\n\nEnd\n', rst),
			'A\n\n  .. image:: a.png\n     :class: only-light\n     :alt: A pier\n\n' +
				'  .. image:: a-dark.png\n     :class: only-dark\n     :alt: A pier\n\nEnd\n',
		);
		assert.equal(
			paired('.. figure:: a.png\n\n   A caption\n   of two lines\n', rst),
			'.. figure:: a.png\n   :figclass: only-light\n\n   A caption\n   of two lines\n\n' +
				'.. figure:: a-dark.png\n   :figclass: only-dark\n\n   A caption\n   of two lines\n',
		);
		assert.equal(paired('.. |a| image:: a.png\n', rst), undefined);
		assert.equal(
			paired('![A pier](a.png)\n', { site }),
			'```{image} a.png\n:alt: "A pier"\n:class: only-light\n```\n\n' +
				'```{image} a-dark.png\n:alt: "A pier"\n:class: only-dark\n```\n',
		);
		assert.equal(paired('See ![A pier](a.png)\n', { site }), undefined);
		assert.equal(
			paired(':::{image} a.png\n:alt: A\n:::\n', { site }),
			':::{image} a.png\n:class: only-light\n:alt: A\n:::\n\n' +
				':::{image} a-dark.png\n:class: only-dark\n:alt: A\n:::\n',
		);
		assert.equal(paired('.. image:: a.png\n', { ...rst, site: siteOf('Sphinx') }), undefined);
	});

	test('has classes with a rule of their own in VitePress, which switches by .dark', () => {
		const site = siteOf('VitePress');
		const rule =
			'\n<style>\n.dark .only-light,\nhtml:not(.dark) .only-dark {\n  display: none;\n}\n</style>\n';
		assert.equal(
			paired('![A](./a.png){width=300}\n', { site }),
			`![A](./a.png){.only-light width=300}\n![A](./a-dark.png){.only-dark width=300}\n${rule}`,
		);
		assert.equal(
			paired(`![A](./a.png)\n${rule}`, { site }),
			`![A](./a.png){.only-light}\n![A](./a-dark.png){.only-dark}\n${rule}`,
		);
	});

	test('has the utilities of Mintlify', () => {
		assert.equal(
			paired('![A](/images/a.png)', { site: siteOf('Mintlify'), folder: '/w/images' }),
			'<img className="block dark:hidden" src="/images/a.png" alt="A" />' +
				'<img className="hidden dark:block" src="/images/a-dark.png" alt="A" />',
		);
	});

	test('is written once, however often it is linked', () => {
		const rst = { document: '/w/docs/a.rst', languageId: 'restructuredtext' };
		const mdx = { document: '/w/docs/a.mdx', languageId: 'mdx' };
		for (const [text, options] of [
			['![A](a.png)', {}],
			['![A](./a.png)', { site: siteOf('MkDocs', { darkTheme: 'material' }) }],
			['![A](./a.png)\n', { site: siteOf('Docusaurus') }],
			['![A](./a.png)\n', { site: siteOf('Sphinx', { darkTheme: 'furo' }) }],
			['.. image:: a.png\n', { ...rst, site: siteOf('Sphinx', { darkTheme: 'furo' }) }],
			['![A](./a.png){width=300}\n', { site: siteOf('VitePress') }],
			['![A](/docs/a.png)\n', { ...mdx, site: siteOf('Mintlify') }],
			['<img src="./a.png" alt="" />', { ...mdx, site: siteOf('Docusaurus') }],
		] as const) {
			const once = paired(text, options);
			assert.notEqual(once, text);
			assert.equal(paired(once ?? assert.fail(text), options), once);
		}
		// Another variant of a picture that has one leaves its pair as it is.
		assert.equal(paired('![A](a.png){.only-light}\n', { site: siteOf('VitePress') }), undefined);
	});

	test('is left alone where no form is known: nothing is written that would show neither', () => {
		const none = Object.keys(generators).filter(
			(generator) => rulesOf({ generator: generator as SiteGenerator }).dark === 'none',
		) as SiteGenerator[];
		assert.ok(none.includes('Hugo'));
		for (const generator of none) {
			assert.equal(paired('![A](a.png)', { site: siteOf(generator, { pages: '' }) }), undefined);
		}
		// A path in raw HTML is not resolved there, unless the file is served as it is.
		const site = siteOf('Astro', { pages: '' });
		assert.equal(paired('![A](a.png)', { site }), undefined);
		assert.match(paired('![A](/a.png)', { site, folder: '/w/public' }) ?? '', /src="\/a\.png"/);
		for (const [languageId, text] of [
			['asciidoc', 'image::a.png[]'],
			['latex', '\\includegraphics{a.png}'],
			['typst', '#image("a.png")'],
			['markdown', '---\nimage: a.png\n---\n'],
			['markdown', '![[a.png]]'],
		] as const) {
			assert.equal(paired(text, { languageId }), undefined, text);
		}
	});

	test('leaves a tag whole whose other attributes have a > in them', () => {
		const tag = '<img src="a.png" alt="File > Save">';
		assert.equal(paired(tag), `<picture>${source}${tag}</picture>`);
		const first = '<img alt="a > b" src="a.png">';
		assert.equal(paired(first), `<picture>${source}${first}</picture>`);
		const html = { document: '/w/docs/a.html', languageId: 'html' };
		const template = '<img src="a.png" {% if x > 1 %}class="b"{% endif %} style={{ top: 1 }}>';
		assert.equal(paired(template, html), `<picture>${source}${template}</picture>`);
		assert.equal(paired('<img src="a.png" onLoad={() => { show(); }}>', html), undefined);
	});

	test('is not added to a picture that has another one for dark pages', () => {
		for (const [generator, text] of [
			['VitePress', '![A](a.png){.only-light}\n![A](b.png){.only-dark}\n'],
			['Mintlify', '<img className="block dark:hidden" src="a.png" alt="A" />'],
		] as const) {
			assert.equal(paired(text, { site: siteOf(generator) }), undefined, generator);
		}
	});

	test('is not written where attributes behind the link would be text on the page', () => {
		const site = siteOf('MkDocs');
		assert.equal(paired('![A](a.png){ width=300 }', { site }), undefined);
	});

	test('is written by the theme that the configuration names', () => {
		const themeOf = (name: string, text: string) => sitesIn('/w', [name], () => text)[0]?.darkTheme;
		assert.equal(themeOf('mkdocs.yml', 'theme: material\n'), 'material');
		assert.equal(
			themeOf('mkdocs.yml', 'theme:\r\n  # ours\r\n  language: en\r\n\r\n  name: "material"\r\n'),
			'material',
		);
		assert.equal(themeOf('mkdocs.yml', 'theme:\n  name: readthedocs\nname: material\n'), undefined);
		assert.equal(themeOf('conf.py', 'html_theme = "furo"\n'), 'furo');
		assert.equal(themeOf('conf.py', 'html_theme = "alabaster"\n'), undefined);
	});
});
