import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { findImages } from '../../../src/documents/findImages.js';
import { linkText } from '../../../src/documents/imageLink.js';
import { languages, markdownLanguages } from '../../../src/documents/languages.js';
import { localPaths } from '../../../src/documents/localPath.js';
import {
	generators,
	rulesOf,
	siteImagesFolder,
	sitesIn,
	type Generator,
} from '../../../src/documents/sites.js';
import { documentImagesFolder, imageLinkFor } from '../../../src/documents/writeImageLink.js';
import { file } from './troublesome.js';

const page = readFileSync('docs/documents.md', 'utf8');

/** A page of each site, and how its configuration says that it is served at `/base`. */
const examples: Readonly<Record<Exclude<Generator, 'setting'>, readonly [string, string?]>> = {
	Docusaurus: ['docs/guide/page.md', "baseUrl: '/base/'"],
	Hugo: ['content/guide/page.md', 'baseURL = "https://example.org/base/"'],
	VitePress: ['guide/page.md', "base: '/base/'"],
	VuePress: ['guide/page.md', "base: '/base/'"],
	Astro: ['src/content/docs/page.md', "base: '/base/'"],
	MkDocs: ['docs/guide/page.md'],
	Sphinx: ['guide/page.md'],
	Antora: ['modules/ROOT/pages/page.adoc'],
	Quarto: ['guide/page.md'],
	Jekyll: ['_posts/page.md', 'baseurl: /base'],
	Obsidian: ['notes/page.md'],
	Foam: ['notes/page.md'],
	GitHub: ['docs/page.md'],
};

suite('The page about documents', () => {
	const rows = tableBelow('| Generator |');

	test('names each site that Easel knows', () => {
		const known = Object.keys(generators).filter((name) => name !== 'setting');
		assert.deepEqual(rows.map(([name]) => name).sort(), known.sort());
	});

	for (const [name, recognized, folder, written, value, read] of rows) {
		const generator = name as keyof typeof examples;
		const [relative, settings = ''] = examples[generator];
		const document = `/site/${relative}`;
		const names = codesIn(recognized!);
		const siteWith = (text: string) => sitesIn('/site', names, () => text);
		const image = `/site/${codesIn(folder!)[0] ?? 'images'}/fox.png`;
		const languageId = relative.endsWith('.adoc') ? 'asciidoc' : 'markdown';
		const context = {
			...{ document: file(document), workspaceFolder: file('/site'), textBefore: 'image: ' },
			sites: siteWith(''),
		};

		test(`says by what ${generator} is recognized`, () => {
			assert.ok(context.sites.some((site) => site.generator === generator));
			for (const all of rulesOf({ generator }).recognizedBy) {
				assert.ok(
					all.every((pattern) => names.some((one) => pattern.test(one))),
					String(all),
				);
			}
		});

		test(`says where new images go in ${generator}`, () => {
			const found =
				documentImagesFolder(languageId, context) ?? siteImagesFolder(document, context.sites);
			assert.equal(found && posix.relative('/site', found), codesIn(folder!)[0]);
		});

		test(`says how links are written in ${generator}`, () => {
			const link = { ...context, image: file(image), alt: 'Fox' };
			const text = linkText(imageLinkFor(languageId, link));
			assert.deepEqual([text.replace('Fox', '…')], codesIn(written!));
			if (value !== '') {
				const plain = linkText(imageLinkFor(languageId, { ...link, form: 'value' }));
				assert.deepEqual([plain.replace(/^\.\/(?=\.\.)/, '')], codesIn(value!));
			}
		});

		test(`says what else is read in ${generator}`, () => {
			const place = { document, workspaceFolder: undefined, sites: siteWith(settings) };
			for (const [, href = '', other] of read!.matchAll(/`([^`]+)`(?: \(`([^`]+)`\))?/g)) {
				const meant = other === undefined ? image : `/site/${other}`;
				assert.ok(localPaths({ href }, place).includes(meant), `${href} as ${meant}`);
			}
		});
	}

	test('names each format with its files, its link and what is done with it', () => {
		const formats = tableBelow('| Format |');
		const extensions = (format: (typeof languages)[number]) =>
			format.extensions.map((extension) => `.${extension}`);
		assert.deepEqual(
			formats.map(([, files]) => codesIn(files!)),
			languages.map(extensions),
		);
		for (const [index, [, , written, , missing]] of formats.entries()) {
			const language = languages[index]!;
			const link = imageLinkFor(language.ids[0], {
				...{ document: file('/work/docs/page'), image: file('/work/images/fox.png'), alt: 'Fox' },
			});
			const lines = linkText(link).replace('Fox', '…').split('\n');
			assert.ok(
				lines.some((line) => line.trim() === codesIn(written!)[0]),
				lines.join('\n'),
			);
			assert.equal(missing, markdownLanguages.includes(language) ? 'yes' : 'no');
		}
	});

	test('names ways to show an image that are read', () => {
		for (const [written] of tableBelow('| Written as |')) {
			const [first = '', second = ''] = codesIn(written!);
			const text = first.startsWith('image:')
				? `---\n${first}\n---\n`
				: `${first}\n${first.startsWith(':::') ? ':::' : `\n${second}`}`;
			const hrefs = findImages(text).map(({ href }) => href.replace(/^\.\//, ''));
			assert.ok(hrefs.length > 0 && hrefs.every((href) => href === 'images/fox.png'), text);
		}
	});
});

/** The cells of a table, without its head. */
function tableBelow(head: string): string[][] {
	const lines = page
		.slice(page.indexOf(`\n${head}`))
		.trim()
		.split('\n');
	const end = lines.findIndex((line) => !line.startsWith('|'));
	return lines.slice(2, end).map((line) =>
		line
			.split(/(?<!\\)\|/)
			.slice(1, -1)
			.map((cell) => cell.trim().replaceAll('\\|', '|')),
	);
}

function codesIn(cell: string): string[] {
	return Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
}
