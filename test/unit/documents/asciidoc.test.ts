import assert from 'node:assert/strict';
import {
	antoraImage,
	asciidocAlt,
	asciidocImage,
	asciidocImagesFolders,
	asciidocReference,
	asciidocTarget,
} from '../../../src/documents/asciidoc';
import { linkText } from '../../../src/documents/imageLink';
import { file } from './troublesome';

suite('asciidocImage', () => {
	test('is a block macro', () => {
		const image = asciidocImage({ path: 'images/red-fox.png', alt: 'A red fox' });
		assert.equal(linkText(image), 'image::images/red-fox.png[A red fox]');
	});

	test('has nothing in its target, within a line, that would format the line', () => {
		const image = asciidocImage({ path: 'a+b/c--d...e_.png', alt: '' }, 'inline');
		assert.equal(linkText(image), 'image:a%2Bb/c%2D%2Dd%2E%2E%2Ee%5F.png[]');
	});

	for (const [path, target] of [
		['[a]{b}.png', '%5Ba%5D%7Bb%7D.png'],
		['C#/100%?.png', 'C%23/100%25%3F.png'],
		['R&D/R & D.png', 'R%26D/R & D.png'],
		['  a.png', '%20%20a.png'],
		['a.png  ', 'a.png%20%20'],
		['a/b:c.png', 'a/b%3Ac.png'],
		['file:///d:/a b.png', 'file:///d:/a b.png'],
	] as const) {
		test(`writes the path ${path} as ${target}`, () => assert.equal(asciidocTarget(path), target));
	}

	for (const [alt, text] of [
		['red, quick', '"red, quick"'],
		['a "fox"', '"a \\"fox\\""'],
		['a = b', '"a = b"'],
		['{ name', '{ name'],
		['{1a2}', '&#123;1a2}'],
		["a fox's den", "a fox's den"],
		["'a' fox", '"\'a\' fox"'],
		['&copy;', '&amp;copy;'],
	] as const) {
		test(`writes the alt text ${alt} as ${text}`, () => assert.equal(asciidocAlt(alt), text));
	}
});

suite('asciidocReference', () => {
	const page = file('/repo/docs/guide/page.adoc');
	for (const [textBefore, image, reference] of [
		['', '/repo/docs/guide/images/a.png', 'images/a.png'],
		[':imagesdir: ./images/\n', '/repo/docs/guide/images/x/a.png', 'x/a.png'],
		[':imagesdir: ../images\n', '/repo/docs/images/a.png', 'a.png'],
		[':imagesdir: images\n', '/repo/pictures/a.png', '../../../pictures/a.png'],
		[':imagesdir: /img\n', '/repo/static/img/a.png', 'a.png'],
		[':imagesdir: https://example.com/img\n', '/repo/docs/guide/a.png', 'a.png'],
		[':imagesdir: s3://images\n', '/repo/docs/guide/a.png', 'a.png'],
		[':imagesdir: my/new:images\n', '/repo/docs/guide/my/new:images/a.png', 'a.png'],
	] as const) {
		test(`is ${reference} where the text before is ${JSON.stringify(textBefore)}`, () => {
			const folder = asciidocImagesFolders(page, textBefore, '/repo/static')(textBefore.length);
			assert.equal(asciidocReference(page, file(image), folder), reference);
		});
	}
});

suite('antoraImage', () => {
	const identifier = (from: string, to: string) => {
		const image = antoraImage({ document: file(from), image: file(to), alt: 'Fox' });
		return image && linkText(image);
	};
	const modules = '/repo/docs/modules';
	for (const [sentence, from, to, reference] of [
		['in a folder', 'm/pages/x/y/a.adoc', 'm/images/z/b.png', 'image::z/b.png[Fox]'],
		['of another module', 'm/pages/a.adoc', 'n/images/z/b.png', 'image::n:z/b.png[Fox]'],
		['of the root module', 'm/pages/a.adoc', 'ROOT/images/b.png', 'image::ROOT:b.png[Fox]'],
		['with spaces around', 'm/pages/a.adoc', 'm/images/  b  ', 'image::%20%20b%20%20[Fox]'],
		['for a partial', 'm/partials/a.adoc', 'm/images/b.png', 'image::m:b.png[Fox]'],
		[
			'with characters that are not encoded',
			'm/pages/a.adoc',
			'm/images/C# 100% & {a}.png',
			'image::C# 100% & \\{a}.png[Fox]',
		],
		['elsewhere: none', 'm/pages/a.adoc', 'm/attachments/b.png', undefined],
		['for what is no page: none', 'a.adoc', 'm/images/b.png', undefined],
	] as const) {
		test(`names an image ${sentence}`, () => {
			assert.equal(identifier(`${modules}/${from}`, `${modules}/${to}`), reference);
		});
	}

	test('names no image of another component', () => {
		assert.equal(identifier('/a/modules/m/pages/a.adoc', '/b/modules/m/images/a.png'), undefined);
	});

	test('lie in the module that is named right before their path', () => {
		const page = file(`${modules}/m/pages/a.adoc`);
		for (const [before, module] of [
			['image::', 'm'],
			['image:', 'm'],
			['image::n:', 'n'],
			['See image:n:', 'n'],
			['image::v1.0-x:', 'v1.0-x'],
			['image::n:a.png[] and image::', 'm'],
			['image::n:x/', 'm'],
			['pageimage::n:', 'm'],
			['link::n:', 'm'],
			[`image::${'n'.repeat(200)}:`, 'm'],
		] as const) {
			const text = `${before}b.png[] image::z:c.png[]`;
			const folder = asciidocImagesFolders(page, text, '/repo')(before.length);
			assert.equal(folder, `${modules}/${module}/images`, before);
		}
	});

	test("has the page's module as the folder of its images, whatever imagesdir says", () => {
		const page = file(`${modules}/m/pages/x/a.adoc`);
		assert.equal(asciidocImagesFolders(page, '', '/repo')(0), `${modules}/m/images`);
	});
});
