import assert from 'node:assert/strict';
import path from 'node:path';
import fc from 'fast-check';
import { longestPath } from '../../../src/documents/imageLink.js';
import { decodePercent, localPath, wallAround } from '../../../src/documents/localPath.js';

suite('localPath', () => {
	const workspace = path.resolve('/work');
	const document = path.join(workspace, 'docs', 'guide.md');
	const resolve = (href: string, folder: string | undefined = workspace) =>
		localPath({ href }, document, folder);

	const files: Record<string, string> = {
		'a.png': 'docs/a.png',
		'./images/a.png': 'docs/images/a.png',
		'../a.png': 'a.png',
		'/static/a.png': 'static/a.png',
		'a%20b%C3%A4%23.png': 'docs/a bä#.png',
		'a b ä.png': 'docs/a b ä.png',
		'a.png?raw=true#x': 'docs/a.png',
		'a#b?c.png': 'docs/a',
		'100%.png': 'docs/100%.png',
		'%zz%4.png': 'docs/%zz%4.png',
		'%E4%C3%A4%ff.png': 'docs/%E4ä%ff.png',
		'%C0%AF%ED%A0%80.png': 'docs/%C0%AF%ED%A0%80.png',
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
		const path = 'a'.repeat(longestPath);
		assert.ok(resolve('%61'.repeat(longestPath))?.endsWith(path));
		assert.equal(resolve(`${'%61'.repeat(longestPath)}a`), undefined);
	});

	test('has no root without a workspace folder', () => {
		assert.equal(localPath({ href: '/a.png' }, document, undefined), undefined);
		assert.equal(
			localPath({ href: 'a.png' }, document, undefined),
			path.join(workspace, 'docs/a.png'),
		);
	});
});

suite('wallAround', () => {
	test('is the workspace folder, and without one the folder of the document', () => {
		assert.equal(wallAround('/work/docs/guide.md', '/work'), '/work');
		assert.equal(wallAround('/work/docs/guide.md', undefined), '/work/docs');
	});
});

suite('decodePercent', () => {
	for (const text of [
		...['', 'a', '%', '%4', '%4ä', '%ä4', '%4\u{1f98a}', '100%'],
		// No first byte of a character, and others that only look as if they went on.
		...['%80', '%F8%90%80%80', '%FF%90%80%80', '%C3!A4', '%C3A4%A4', '%C3%A'],
		// Half of a pair, something beyond the last character, longer than it has to be.
		...['%ED%A0%80', '%ED%BF%BF', '%F4%90%80%80', '%C0%80', '%C1%BF', '%E0%80%80'],
	]) {
		test(`leaves ${JSON.stringify(text)} as it is`, () => {
			assert.equal(decodePercent(text), text);
			assert.equal(decodePercent(`%61${text}`), `a${text}`);
		});
	}

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
		const stray = fc.constantFrom('', '%', '%4', '%zz', '%80', '%ff', '%C0%AF', '%E4', '%f0%9f%98');
		const parts = fc.array(fc.tuple(stray, character, fc.boolean()), { maxLength: 6 });
		fc.assert(
			fc.property(parts, stray, (all, last) => {
				const text = all.map(([bad, one, lower]) => bad + encoded(one, lower)).join('') + last;
				assert.equal(decodePercent(text), all.map(([bad, one]) => bad + one).join('') + last);
			}),
			{ numRuns: 500 },
		);
	});
});
