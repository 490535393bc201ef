import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { imagePaths } from '../../../src/documents/imagePaths';
import type { SiteGenerator } from '../../../src/documents/generators';
import { rulesOf } from '../../../src/documents/sites';
import { decodePercent } from '../../../src/documents/localPath';
import {
	documentImagesFolder,
	imageLinkFor,
	imagePathsFor,
	linkFolders,
	type LinkContext,
} from '../../../src/documents/writeImageLink';
import { linkText, type ResourceUri } from '../../../src/documents/imageLink';
import { file } from './troublesome';

suite('imageLinkFor', () => {
	const workspaceFolder = file('/repo');
	const image = file('/repo/static/img/red fox.png');
	const write = (
		languageId: string,
		name: string,
		place: Partial<LinkContext & { image: ResourceUri; alt: string }> = {},
	) =>
		linkText(
			imageLinkFor(languageId, {
				document: file(`/repo/docs/${name}`),
				workspaceFolder,
				image,
				alt: 'A red\nfox',
				...place,
			}),
		);

	test('writes HTML in Markdown where the place or a width asks for it; in no other format', () => {
		const tag = '<img src="../static/img/red%20fox.png" alt="A red fox"';
		assert.equal(write('markdown', 'a.md', { form: 'html' }), `${tag}>`);
		assert.equal(write('markdown', 'a.md', { htmlWidth: 480 }), `${tag} width="480">`);
		for (const languageId of ['mdx', 'html', 'vue', 'asciidoc', 'restructuredtext', 'typst']) {
			assert.equal(write(languageId, 'a', { htmlWidth: 480 }), write(languageId, 'a'));
		}
	});

	test('has no caption where Pandoc would make one of the alt text', () => {
		const destination = '(<../static/img/red fox.png>)';
		assert.equal(write('quarto', 'a.qmd'), `![]${destination}{fig-alt="A red fox"}`);
		assert.equal(write('markdown', 'A.QMD'), `![]${destination}{fig-alt="A red fox"}`);
		assert.equal(write('rmd', 'a.Rmd'), `![]${destination}{alt="A red fox"}`);
		assert.equal(
			write('quarto', 'a.qmd', { alt: 'A "red" \\ fox' }),
			`![]${destination}{fig-alt="A \\"red\\" \\\\ fox"}`,
		);
		// Quarto evaluates its shortcodes there as well, knitr R code, and Pandoc character references.
		assert.equal(
			write('quarto', 'a.qmd', { alt: '{{< a >}} `r 1` &copy;' }),
			`![]${destination}{fig-alt="&#123;&#123;< a >}} &#96;r 1&#96; &amp;copy;"}`,
		);
		const sites = [{ generator: 'Quarto', root: '/repo' } as const];
		assert.equal(write('markdown', 'a.md', { sites }), `![]${destination}{fig-alt="A red fox"}`);
		assert.equal(write('quarto', 'a.qmd', { isCaption: true }), `![A red fox]${destination}`);
		assert.equal(write('rmd', 'a.Rmd', { isCaption: true }), `![A red fox]${destination}`);
		// Within a line there is no caption.
		assert.equal(write('quarto', 'a.qmd', { form: 'inline' }), `![A red fox]${destination}`);
	});

	for (const [languageId, name, reference] of [
		['markdown', 'a.md', '![A red fox](<../static/img/red fox.png>)'],
		['prompt', 'a.prompt.md', '![A red fox](<../static/img/red fox.png>)'],
		['mdx', 'a.mdx', '![A red fox](<../static/img/red fox.png>)'],
		['html', 'a.html', '<img src="../static/img/red%20fox.png" alt="A red fox">'],
		['vue', 'a.vue', '<img src="../static/img/red%20fox.png" alt="A red fox">'],
		['asciidoc', 'a.adoc', 'image::../static/img/red fox.png[A red fox]'],
		['restructuredtext', 'a.rst', '.. image:: ../static/img/red\\ fox.png\n   :alt: A red fox'],
		['typst', 'a.typ', '#image("../static/img/red fox.png", alt: "A red fox")'],
		['plaintext', 'a.txt', '../static/img/red fox.png'],
		['constructor', 'a', '../static/img/red fox.png'],
	] as const) {
		test(`in ${languageId}`, () => assert.equal(write(languageId, name), reference));
	}

	test('in LaTeX is relative to the main document, and minds its folder of pictures', () => {
		const place = {
			textBefore: '% !TEX root = ../thesis.tex\n\\graphicspath{{static/img/}}\n',
		};
		assert.match(write('latex', 'a.tex'), /\{\.\.\/static\/img\/red fox\.png\}[^]*\{A red fox\}/);
		assert.match(write('latex', 'a.tex', place), /\\includegraphics\[.*\]\{red fox\.png\}/);
		assert.equal(write('tex', 'a.tex', place), write('latex', 'a.tex', place));
	});

	test('starts with a slash below a public folder, where web pages are made', () => {
		const publicFolder = 'static';
		for (const [languageId, path] of [
			['markdown', '</img/red fox.png>'],
			['mdx', '</img/red fox.png>'],
			['html', '"/img/red%20fox.png"'],
			['vue', '"/img/red%20fox.png"'],
			['asciidoc', '::/img/red fox.png['],
			['restructuredtext', ' ../static/img/red\\ fox.png'],
			['latex', '{../static/img/red fox.png}'],
			['typst', '"../static/img/red fox.png"'],
			['plaintext', '../static/img/red fox.png'],
		] as const) {
			const written = write(languageId, 'a', { publicFolder });
			assert.ok(written.includes(path), written);
		}
	});

	test('in AsciiDoc minds imagesdir and Antora', () => {
		assert.equal(
			write('asciidoc', 'a.adoc', { textBefore: ':imagesdir: ../static/img\n' }),
			'image::red fox.png[A red fox]',
		);
		const document = file('/repo/modules/ROOT/pages/a.adoc');
		const picture = file('/repo/modules/ROOT/images/red fox.png');
		const reference = imageLinkFor('asciidoc', { document, image: picture, alt: 'A red fox' });
		assert.equal(linkText(reference), 'image::red fox.png[A red fox]');
	});

	test('in reStructuredText minds Sphinx', () => {
		const sharp = { image: file('/repo/docs/C#.png') };
		assert.match(write('restructuredtext', 'a.rst', sharp), / C%23\.png\n/);
		assert.match(
			write('restructuredtext', 'a.rst', {
				...sharp,
				sites: [{ generator: 'Sphinx', root: '/repo' }],
			}),
			/ C#\.png\n/,
		);
	});

	suite('on a page of a site', () => {
		const at = (generator: SiteGenerator, path: string, more: Partial<LinkContext> = {}) => {
			const { publicFolder } = rulesOf({ generator });
			const sites = [{ generator, root: '/repo', publicFolder, ...more.sites?.[0] }];
			const image = file(`/repo/${path}`);
			const place = { document: file('/repo/guide/a.md'), image, alt: 'A [red]\nfox' };
			return linkText(imageLinkFor('markdown', { ...place, ...more, sites }));
		};

		for (const generator of ['VitePress', 'VuePress'] as const) {
			test(`of ${generator} an <img> has a dot, and ![…](…) has none`, () => {
				const html = '<img src="./img/a.png" alt="A [red] fox"';
				assert.equal(at(generator, 'guide/img/a.png', { htmlWidth: 40 }), `${html} width="40">`);
				assert.equal(at(generator, 'guide/img/a.png', { form: 'html' }), `${html}>`);
				assert.match(
					at(generator, 'guide/img/50% done.png'),
					/^<img src="\.\/img\/50%25%20done\.png"/,
				);
				assert.equal(at(generator, 'guide/img/a.png'), '![A \\[red\\] fox](img/a.png)');
			});
		}

		test('of other generators an <img> has none', () => {
			assert.match(at('Quarto', 'guide/img/a.png', { form: 'html' }), /src="img\/a\.png"/);
		});

		test('of Docusaurus is MDX, whose <img> finds no file of the project', () => {
			const alt = 'A \\[red\\] fox';
			assert.equal(at('Docusaurus', 'static/a.png', { htmlWidth: 40 }), `![${alt}](/a.png)`);
			assert.equal(at('Docusaurus', 'guide/a.png', { form: 'html' }), `![${alt}](a.png)`);
			assert.equal(at('Docusaurus', 'static/50%.png'), `![${alt}](/50%25.png)`);
		});

		test('of MkDocs an <img> starts from the address of the page', () => {
			const pages = { generator: 'MkDocs', root: '/repo', pages: '' } as const;
			const sites = { sites: [pages] };
			assert.match(
				at('MkDocs', 'img/a.png', { ...sites, htmlWidth: 40 }),
				/"\.\.\/\.\.\/img\/a\.png"/,
			);
			assert.match(at('MkDocs', 'img/a.png', sites), /\(\.\.\/img\/a\.png\)/);
		});

		test('of Sphinx has a width, or a name that has to be encoded, in a directive of MyST', () => {
			const pages = { generator: 'Sphinx', root: '/repo', pages: '' } as const;
			const sites = { sites: [pages] };
			const alt = ':alt: "A [red] fox"\n```';
			assert.equal(at('Sphinx', 'a b.png', sites), `\`\`\`{image} ../a\\ b.png\n${alt}`);
			assert.equal(
				at('Sphinx', 'a.png', { ...sites, htmlWidth: 40 }),
				`\`\`\`{image} ../a.png\n:width: 40px\n${alt}`,
			);
			assert.match(at('Sphinx', 'a.png', sites), /^!\[A/);
			assert.match(at('Sphinx', 'a b.png', { ...sites, form: 'inline' }), /^!\[A/);
		});

		test('is written as its generator needs it where a setting says what is served', () => {
			const set = { workspaceFolder: file('/repo'), publicFolder: 'static', htmlWidth: 40 };
			assert.match(at('Docusaurus', 'static/a.png', set), /^!.*\(\/a\.png\)$/);
			assert.match(at('MkDocs', 'static/a.png', set), /src="\/a\.png"/);
			assert.match(
				at('Obsidian', 'static/a.png', { ...set, htmlWidth: undefined }),
				/\(\/a\.png\)/,
			);
		});

		test('of Obsidian an image is embedded by its path in the vault, where the vault does so', () => {
			assert.equal(at('Obsidian', 'pics/a b.png'), '![[pics/a b.png|A  red  fox]]');
			assert.equal(at('Obsidian', 'pics/a#b.png'), '![A \\[red\\] fox](../pics/a%23b.png)');
			const markdownLinks = {
				generator: 'Obsidian',
				root: '/repo',
				markdownLinks: 'true',
			} as const;
			assert.equal(
				at('Obsidian', 'pics/a.png', { sites: [markdownLinks] }),
				'![A \\[red\\] fox](../pics/a.png)',
			);
			assert.match(at('Obsidian', '../outside.png'), /^!\[A/);
		});

		for (const [generator, textBefore, path, expected] of [
			['Docusaurus', 'image: ', 'guide/a.png', './a.png'],
			['Docusaurus', 'image: ', 'static/Ä b.png', '/%C3%84%20b.png'],
			['Hugo', 'image: ', 'guide/a.png', 'a.png'],
			['Hugo', 'image: ', 'guide/*a.png', '"*a.png"'],
			['Hugo', 'image: ', 'guide/a\nb.png', '"a\\nb.png"'],
			['Hugo', 'image: "', 'guide/a\nb.png', 'a\\nb.png'],
			['Hugo', 'image: ', 'guide/Ä (1) {{b}}.png', '"Ä (1) {{b}}.png"'],
			['Astro', 'image: ', 'public/a.png', '../public/a.png'],
			['MkDocs', 'image: ', 'guide/a: b.png', '"./a: b.png"'],
			['MkDocs', 'image: "', 'guide/a"b.png', './a\\"b.png'],
			['MkDocs', "image: '", "guide/it's.png", "./it''s.png"],
		] as const) {
			test(`of ${generator} front matter has ${expected} behind ${textBefore}`, () => {
				assert.equal(at(generator, path, { textBefore, form: 'value' }), expected);
			});
		}
	});
});

suite('documentImagesFolder', () => {
	const place = (path: string, textBefore: string): LinkContext => ({
		document: file(path),
		workspaceFolder: file('/repo'),
		textBefore,
		publicFolder: 'static',
	});

	for (const [languageId, path, textBefore, folder] of [
		['asciidoc', '/repo/docs/a.adoc', ':imagesdir: ../pictures\n', '/repo/pictures'],
		['asciidoc', '/repo/docs/a.adoc', ':imagesdir: /img\n', '/repo/static/img'],
		['asciidoc', '/repo/modules/m/pages/a.adoc', '', '/repo/modules/m/images'],
		['latex', '/repo/tex/a.tex', '\\graphicspath{{figures/}}', '/repo/tex/figures'],
		['markdown', '/repo/docs/a.md', ':imagesdir: x\n', undefined],
	] as const) {
		test(`of ${languageId} in ${path} with ${JSON.stringify(textBefore)} is ${folder}`, () => {
			assert.equal(documentImagesFolder(languageId, place(path, textBefore)), folder);
		});
	}
});

suite('linkFolders', () => {
	const foldersIn = (
		languageId: string,
		path: string,
		text: string,
	): Readonly<Record<string, readonly string[]>> => {
		const context = {
			document: file(path),
			workspaceFolder: file('/repo'),
			publicFolder: 'static',
		};
		const foldersAt = linkFolders(languageId, text, context);
		return Object.fromEntries(
			imagePaths(text).map(({ path: name, start }) => [name, foldersAt(start)]),
		);
	};

	for (const [languageId, path, text, expected] of [
		['markdown', '/repo/docs/a.md', ':imagesdir: x\n![](a.png)', ['/repo/docs']],
		['plaintext', '/repo/a.txt', 'a.png', ['/repo']],
		[
			'asciidoc',
			'/repo/docs/a.adoc',
			':imagesdir: /img\n\nimage:a.png[]',
			['/repo/static/img', '/repo/docs'],
		],
		[
			'latex',
			'/repo/tex/parts/a.tex',
			'% !TEX root = ../main.tex\n\\graphicspath{{figures/}}\\includegraphics{a.png}',
			['/repo/tex', '/repo/tex/figures', '/repo/tex/parts'],
		],
	] as const) {
		test(`of ${languageId} in ${path} with ${JSON.stringify(text)} are ${expected.join(', ')}`, () => {
			assert.deepEqual(foldersIn(languageId, path, text), { 'a.png': expected });
		});
	}

	test('of AsciiDoc are what the document says last above each place', () => {
		const text = [
			'image::before.png[]',
			':base: ../pictures',
			':imagesdir: {base}/one',
			'image::one.png[]',
			':imagesdir!:',
			'image::none.png[]',
		].join('\n');
		const [own, one] = ['/repo/docs', '/repo/pictures/one'];
		assert.deepEqual(foldersIn('asciidoc', '/repo/docs/a.adoc', text), {
			'before.png': [own],
			'one.png': [one, own],
			'none.png': [own],
		});
	});

	test('have the one that a link was written for; it is the first, but where another file would be in the way', () => {
		for (const [languageId, path, textBefore, image, index] of [
			['asciidoc', '/repo/docs/a.adoc', ':imagesdir: img\n\n', '/repo/docs/img/x/red.png', 0],
			['asciidoc', '/repo/docs/a.adoc', ':imagesdir: img\n\n', '/repo/red.png', 0],
			['asciidoc', '/repo/m/modules/a/pages/p.adoc', '', '/repo/m/modules/a/images/red.png', 0],
			['asciidoc', '/repo/m/modules/a/pages/p.adoc', '', '/repo/m/modules/b/images/red.png', 0],
			['asciidoc', '/repo/m/modules/a/partials/p.adoc', '', '/repo/m/modules/a/images/red.png', 0],
			// LaTeX takes `/repo/red.png` instead, where that is there.
			['latex', '/repo/a.tex', '\\graphicspath{{figures/}}\n', '/repo/figures/red.png', 1],
			['latex', '/repo/a.tex', '\\graphicspath{{figures/}}\n', '/repo/red.png', 0],
			['latex', '/repo/p/a.tex', '% !TEX root = ../a.tex\n', '/repo/p/red.png', 0],
			['typst', '/repo/docs/a.typ', '', '/repo/red.png', 0],
		] as const) {
			const context = { document: file(path), workspaceFolder: file('/repo') };
			const link = imageLinkFor(languageId, {
				...context,
				textBefore,
				image: file(image),
				alt: 'x',
			});
			const text = textBefore + linkText(link);
			const [found] = imagePaths(text);
			const folders = linkFolders(languageId, text, context)(found!.start);
			const files = folders.map((folder) => posix.join(folder, decodePercent(found!.path)));
			assert.equal(files.indexOf(image), index, `${text} names ${files.join(', ')}`);
		}
	});
});

suite('imagePathsFor', () => {
	for (const [languageId, path, textBefore, image, expected] of [
		['markdown', '/repo/docs/a.md', '', '/repo/static/img/a.png', '/img/a.png'],
		['asciidoc', '/repo/docs/a.adoc', ':imagesdir: img\n', '/repo/docs/img/a.png', 'a.png'],
		['asciidoc', '/repo/modules/m/pages/a.adoc', '', '/repo/modules/n/images/b.png', 'n:b.png'],
		['latex', '/repo/a.tex', '\\graphicspath{{img/}}', '/repo/img/a.png', 'a.png'],
		['plaintext', '/repo/docs/a.txt', '', '/repo/a.png', '../a.png'],
	] as const) {
		test(`of ${languageId} in ${path} names ${image} as ${expected}`, () => {
			const context = {
				document: file(path),
				workspaceFolder: file('/repo'),
				textBefore,
				publicFolder: 'static',
			};
			assert.equal(imagePathsFor(languageId, context)(file(image)), expected);
		});
	}
});
