import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import { maxPathLength, linkText } from '../../../src/documents/imageLink.js';
import { findImages } from '../../../src/documents/findImages.js';
import { imagePaths } from '../../../src/documents/imagePaths.js';
import { decodePercent, localPaths, wallAround } from '../../../src/documents/localPath.js';
import { imageLinkFor } from '../../../src/documents/writeImageLink.js';
import { file, randomPath, troublesomePaths } from './troublesome.js';
import { seeded } from '../images/random.js';

suite('localPaths, without a site', () => {
	const workspace = path.resolve('/work');
	const document = path.join(workspace, 'docs', 'guide.md');
	const resolve = (href: string, folder: string | undefined = workspace) =>
		localPaths({ href }, { document, workspaceFolder: folder })[0];

	const files: Record<string, string> = {
		'./images/a.png': 'docs/images/a.png',
		'../a.png': 'a.png',
		'/static/a.png': 'static/a.png',
		'a%20b%C3%A4%23.png': 'docs/a bä#.png',
		'a.png?raw=true#x': 'docs/a.png',
		'a#b?c.png': 'docs/a',
		'%zz%4.png': 'docs/%zz%4.png',
		'%E4%C3%A4%ff.png': 'docs/%E4ä%ff.png',
		'./a:b.png': 'docs/a:b.png',
		'a{b}.png': 'docs/a{b}.png',
		'a/b:c.png': 'docs/a/b:c.png',
	};
	for (const [href, expected] of Object.entries(files)) {
		test(href, () => {
			assert.equal(resolve(href), path.join(workspace, expected));
		});
	}

	const others = [
		...['https://example.com/a.png', 'HTTP:a.png', 'data:image/png;base64,AA', 'file:///a.png'],
		...['//example.com/a.png', '\\\\server\\a.png', '#a', '?a', '', 'images/', 'c:\\a.png'],
		...['{{ site.logo }}', '{{site.base}}/a.png', '{% a %}', '${base}/a.png', '{require("a.png")}'],
		's3:a.png',
		'a%00.png',
	];
	for (const href of others) {
		test(`no file: ${href}`, () => {
			assert.equal(resolve(href), undefined);
		});
	}

	test('a reference is as long as a path may be, each character of it encoded', () => {
		const path = 'a'.repeat(maxPathLength);
		assert.ok(resolve('%61'.repeat(maxPathLength))?.endsWith(path));
		assert.equal(resolve(`${'%61'.repeat(maxPathLength)}a`), undefined);
	});
});

suite('localPaths', () => {
	const workspaceFolder = path.resolve('/work');
	const inWorkspace = (name: string) => path.join(workspaceFolder, name);
	const candidates = (href: string, publicFolder: string | undefined, name = 'docs/guide.md') =>
		localPaths({ href }, { document: inWorkspace(name), workspaceFolder, publicFolder }).map(
			(one) => path.relative(workspaceFolder, one).replaceAll(path.sep, '/'),
		);

	for (const [what, publicFolder, document, href, expected] of [
		['an encoded name', 'static', 'docs/a.md', '/a%20%C3%A4.png', ['static/a ä.png', 'a ä.png']],
		['an encoded slash', 'static', 'docs/a.md', '%2Fa.png', ['static/a.png', 'a.png']],
		['a query', 'static', 'docs/a.md', '/a.png?x#y', ['static/a.png', 'a.png']],
		['a site in a folder', 'web/static', 'web/a.mdx', '/a.png', ['web/static/a.png', 'a.png']],
		[
			'a folder as Windows writes it',
			'docs\\public',
			'docs/a.md',
			'/a.png',
			['docs/public/a.png', 'a.png'],
		],
		['a relative path', 'static', 'docs/a.md', 'img/a.png', ['docs/img/a.png']],
		['a document beside the site', 'web/static', 'web-2/a.md', '/a.png', ['a.png']],
		['a setting without a value', undefined, 'docs/a.md', '/a.png', ['a.png']],
		['another host', 'static', 'docs/a.md', '//example.com/a.png', []],
		['a folder', 'static', 'docs/a.md', '/img/', []],
		['a template', 'static', 'docs/a.md', '/{{ logo }}.png', []],
	] as const) {
		test(`of ${what} are ${expected.join(', ') || 'none'}`, () => {
			assert.deepEqual(candidates(href, publicFolder, document), expected);
		});
	}

	test('are in each folder that a relative path may start from, and the same below a root', () => {
		const folders = [inWorkspace('images'), inWorkspace('docs'), inWorkspace('docs')];
		const place = { document: inWorkspace('docs/a.adoc'), workspaceFolder, folders };
		assert.deepEqual(localPaths({ href: 'x/a.png' }, place), [
			inWorkspace('images/x/a.png'),
			inWorkspace('docs/x/a.png'),
		]);
		assert.deepEqual(localPaths({ href: '/x/a.png' }, place), [inWorkspace('x/a.png')]);
		assert.deepEqual(localPaths({ href: '/a.png' }, { ...place, publicFolder: 'static' }), [
			inWorkspace('static/a.png'),
			inWorkspace('a.png'),
		]);
		assert.deepEqual(localPaths({ href: 'https://example.com/a.png' }, place), []);
	});

	test('are none below a root without a workspace folder', () => {
		const document = inWorkspace('docs/a.md');
		const loose = { document, workspaceFolder: undefined, publicFolder: 'static' };
		assert.deepEqual(localPaths({ href: '/a.png' }, loose), []);
		assert.deepEqual(localPaths({ href: 'a.png' }, loose), [inWorkspace('docs/a.png')]);
	});

	suite('begin with the file that a link of a page was written for', () => {
		interface Page {
			readonly languageId: string;
			readonly document: string;
			readonly publicFolder: string;
			readonly htmlWidth?: number;
		}

		/** Writes the link to an image in the public folder, and reads it as the format is read. */
		function assertRead(
			name: string,
			{ languageId, document, publicFolder, htmlWidth }: Page,
			hrefsIn: (text: string) => readonly string[],
		): void {
			const image = path.posix.join('/work', publicFolder, name);
			const text = linkText(
				imageLinkFor(languageId, {
					document: file(`/work/${document}`),
					image: file(image),
					alt: 'A fox',
					workspaceFolder: file('/work'),
					publicFolder,
					htmlWidth,
				}),
			);
			const [first] = hrefsIn(text).map((href) => {
				const place = { document: inWorkspace(document), workspaceFolder, publicFolder };
				return localPaths({ href }, place)[0];
			});
			assert.equal(first, path.resolve(image), text);
		}

		const random = seeded(29);
		const names = [
			...troublesomePaths.map((name) => path.posix.join('img', name)),
			...Array.from({ length: 300 }, () => path.posix.join('img', randomPath(random))),
		]
			// What a template would fill in names no file, and what leaves the folder is not the site's.
			.filter((name) => !/\{[{%]|\$\{/.test(name) && !name.startsWith('../'));

		for (const page of [
			{ languageId: 'markdown', document: 'docs/a.md', publicFolder: 'static', htmlWidth: 480 },
			{ languageId: 'markdown', document: 'a b/c/a.md', publicFolder: 'a b/ä%20' },
			{ languageId: 'mdx', document: 'docs/a.mdx', publicFolder: 'docs/public' },
		]) {
			test(Object.values(page).join(', '), () => {
				for (const name of names) {
					assertRead(name, page, (text) => findImages(text).map(({ href }) => href));
				}
			});
		}

		for (const [languageId, name] of [
			['html', '100%/a%20.png'],
			['vue', '狐#?.png'],
			['asciidoc', 'ä/fox.png'],
			['asciidoc', '100%.png'],
		] as const) {
			test(`${languageId}, ${name}`, () => {
				const page = { languageId, document: 'docs/a', publicFolder: 'static' };
				assertRead(name, page, (text) => imagePaths(text).map((found) => found.path));
			});
		}
	});
});

suite('wallAround', () => {
	test('is the workspace folder, and without one the folder of the document', () => {
		assert.equal(wallAround('/work/docs/guide.md', '/work'), '/work');
		assert.equal(wallAround('/work/docs/guide.md', undefined), '/work/docs');
	});
});

suite('decodePercent', () => {
	const encoded = (text: string, lower: boolean) =>
		[...Buffer.from(text)]
			.map((byte) => byte.toString(16).padStart(2, '0'))
			.map((digits) => `%${lower ? digits : digits.toUpperCase()}`)
			.join('');

	test('undoes what is encoded, whatever stands beside it', () => {
		const character = fc.oneof(
			fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
			fc.constantFrom(
				'\0',
				'\x7f',
				'\x80',
				'\u07ff',
				'\u0800',
				'\uffff',
				'\u{10000}',
				'\u{10ffff}',
			),
		);
		const stray = fc.constantFrom(
			...[
				'',
				'%',
				'%4',
				'%zz',
				'%4ä',
				'%ä4',
				'%80',
				'%ff',
				'%E4',
				'%f0%9f%98',
				'%C3!A4',
				'%C3A4%A4',
			],
			// Half of a pair, something beyond the last character, longer than it has to be.
			...['%ED%A0%80', '%F4%90%80%80', '%C0%AF', '%C1%BF', '%E0%80%80'],
		);
		const parts = fc.array(fc.tuple(stray, character, fc.boolean()), { maxLength: 6 });
		fc.assert(
			fc.property(parts, stray, (all, last) => {
				const text = all.map(([bad, one, lower]) => bad + encoded(one, lower)).join('') + last;
				assert.equal(decodePercent(text), all.map(([bad, one]) => bad + one).join('') + last);
			}),
			{ numRuns: 200 },
		);
	});
});
