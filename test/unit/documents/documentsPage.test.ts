import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { findImages } from '../../../src/documents/findImages.js';
import { linkText } from '../../../src/documents/imageLink.js';
import { languages, markdownLanguages } from '../../../src/documents/languages.js';
import { generators, type SiteGenerator } from '../../../src/documents/generators.js';
import { rulesOf, sitesIn } from '../../../src/documents/sites.js';
import { imageLinkFor } from '../../../src/documents/writeImageLink.js';
import { file } from './troublesome.js';

const page = readFileSync('docs/documents.md', 'utf8');

/** A configuration with the words by which some generators are recognized. */
const saying = [
	'base_url = "/"',
	'$docsify',
	'"navigation":',
	'"nextra": "4"',
	'"fumadocs-ui": "16"',
].join('\n');

suite('The page about documents', () => {
	const rows = tableBelow('| Generator |');

	test('names each site that Easel knows', () => {
		const known = Object.keys(generators).filter((name) => !['setting', 'other'].includes(name));
		assert.deepEqual(rows.map(([name]) => name).sort(), known.sort());
	});

	for (const [name, recognized = ''] of rows) {
		test(`says by what ${String(name)} is recognized`, () => {
			const generator = name as SiteGenerator;
			const names = codesIn(recognized);
			const sites = sitesIn('/site.wiki', names, () => saying);
			assert.ok(sites.some((site) => site.generator === generator));
			for (const all of rulesOf({ generator }).recognizedBy) {
				assert.ok(
					all.every((pattern) => names.some((one) => pattern.test(one))),
					String(all),
				);
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
