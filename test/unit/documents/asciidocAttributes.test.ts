import assert from 'node:assert/strict';
import { convert } from '@asciidoctor/core';
import { AsciidocAttributes } from '../../../src/documents/asciidocAttributes';

/** The value at the end of a text. */
const asciidocAttribute = (text: string, name: string) =>
	new AsciidocAttributes(text).at(text.length, name);

suite('AsciidocAttributes', () => {
	for (const [sentence, text, value] of [
		['finds nothing in nothing', '', undefined],
		['reads the header', '= Title\nAuthor Name\n:imagesdir: images\n\nText', 'images'],
		['reads the body, the last entry counting', ':imagesdir: a\n\nText\n\n:imagesdir: b\n', 'b'],
		['ignores case and white space', ':ImagesDir:   my images  \n', 'my images'],
		['minds CRLF', '= Title\r\n:imagesdir: images\r\n', 'images'],
		['knows an empty value', ':imagesdir:\n', ''],
		['sees it unset in front', ':imagesdir: a\n\n:!imagesdir:\n', undefined],
		['sees it unset behind', ':imagesdir: a\n\n:imagesdir!:\n', undefined],
		['puts in other attributes', ':root: ..\n:imagesdir: {root}/images\n', '../images'],
		['skips comments', '// :imagesdir: x\n\n////\n:imagesdir: y\n////\n', undefined],
		['skips listings', '----\n:imagesdir: x\n----\n\n....\n:imagesdir: y\n....\n', undefined],
		['skips fences', '```adoc\n:imagesdir: x\n```\n\n:imagesdir: y\n', 'y'],
		['reads on after a listing', '----\n....\n----\n\n:imagesdir: y\n', 'y'],
		['minds ifndef in a line', 'ifndef::imagesdir[:imagesdir: a]\n', 'a'],
		[
			'minds ifndef in a line, where it is set',
			':imagesdir: b\nifndef::imagesdir[:imagesdir: a]\n',
			'b',
		],
		[
			'minds ifdef around lines',
			'ifdef::env-github[]\n:imagesdir: x\nendif::[]\nifndef::env-github[]\n:imagesdir: y\nendif::[]\n',
			'y',
		],
		['minds alternatives', ':b:\nifdef::a,b[:imagesdir: x]\n', 'x'],
		['minds what has to be set together', ':b:\nifdef::a+b[:imagesdir: x]\n', undefined],
		[
			'minds conditions within conditions',
			'ifdef::a[]\nifndef::b[]\n:imagesdir: x\nendif::[]\n:imagesdir: y\nendif::[]\n',
			undefined,
		],
		['reads no entry without a space', ':imagesdir: a\n\n:imagesdir:b\n', 'a'],
		['reads no entry that is indented', 'Text\n\n  :imagesdir: x\n', undefined],
		['knows names of digits and letters', ':1a2: ..\n:imagesdir: {1a2}/x\n', '../x'],
		['forgets what is unset', ':b:\n:!b:\nifdef::b[:imagesdir: x]\n', undefined],
		['minds what is set together', ':a:\n:b:\nifdef::a+b[:imagesdir: x]\n', 'x'],
		['skips passthroughs', '++++\n:imagesdir: x\n++++\n', undefined],
		['takes no value for a condition', ':a: ifdef::b[]\n\n:imagesdir: x\n', 'x'],
		['takes no value for a delimiter', ':a: ----\n:imagesdir: x\n', 'x'],
		['minds that there is no entry behind words', ':a:\nifdef::a[So :imagesdir: x]\n', undefined],
		['goes on behind an end of nothing', 'endif::[]\n:imagesdir: x\n', 'x'],
		['takes no words for a condition', 'See ifdef::a[]\n\n:imagesdir: x\n', 'x'],
		['takes no condition with words behind', 'ifdef::a[] so\n\n:imagesdir: x\n', 'x'],
		['minds what ifeval holds', 'ifeval::["1" == "1"]\n:imagesdir: x\nendif::[]\n', 'x'],
		[
			'minds ifeval within conditions',
			'ifdef::a[]\nifeval::["1" == "1"]\nendif::[]\n:imagesdir: x\nendif::[]\n',
			undefined,
		],
		['minds spaces behind a delimiter', '----  \n:imagesdir: x\n----\n', undefined],
		['takes no line with words for a delimiter', 'So ----\n\n:imagesdir: x\n', 'x'],
		['takes no delimiter with words behind', '---- so\n\n:imagesdir: x\n', 'x'],
		['takes no plus for a delimiter', '+\n\n:imagesdir: x\n', 'x'],
		['takes no backtick for a fence', '`code`\n\n:imagesdir: x\n', 'x'],
		['skips a fence with a language', '```adoc\n\n:imagesdir: x\n```\n', undefined],
	] as const) {
		test(`${sentence}, as Asciidoctor does`, async () => {
			assert.equal(asciidocAttribute(text, 'imagesdir'), value);
			const html = await convert(`${text}\n\nimage::x.png[]`);
			assert.ok(typeof html === 'string');
			const folder = value ? `${value}/`.replaceAll(' ', '%20') : '';
			assert.ok(html.includes(`src="${folder}x.png"`), html);
		});
	}

	test('reads several places in their order, as Asciidoctor does', async () => {
		const text = [
			...['image::1.png[]', ':base: a', ':imagesdir: {base}/b', 'image::2.png[]', ':base: c'],
			...['image::3.png[]', 'ifdef::none[]', ':imagesdir: d', 'endif::[]', 'image::4.png[]'],
			...[
				'----',
				':imagesdir: e',
				'----',
				'image::5.png[]',
				':imagesdir: {base}',
				'image::6.png[]',
			],
			...[':imagesdir!:', 'image::7.png[]'],
		].join('\n\n');
		const attributes = new AsciidocAttributes(text);
		const said = [...text.matchAll(/\d\.png/g)].map(({ 0: name, index }) => {
			const folder = attributes.at(index, 'imagesdir');
			return folder === undefined ? name : `${folder}/${name}`;
		});
		const html = await convert(text);
		assert.ok(typeof html === 'string');
		const shown = [...html.matchAll(/src="([^"]+)"/g)].map(([, path]) => path);
		assert.deepEqual(said, shown);
		assert.deepEqual(said, [
			...['1.png', 'a/b/2.png', 'a/b/3.png', 'a/b/4.png', 'a/b/5.png', 'c/6.png', '7.png'],
		]);
	});

	test('leaves out what begins at the place itself', () => {
		const text = ':imagesdir: a\n:imagesdir: b\n';
		const attributes = new AsciidocAttributes(text);
		const second = text.lastIndexOf(':imagesdir');
		assert.deepEqual(
			[0, second, second + 1].map((offset) => attributes.at(offset, 'imagesdir')),
			[undefined, 'a', 'b'],
		);
	});

	test('does not guess what the text does not define', () => {
		assert.equal(asciidocAttribute(':imagesdir: {docdir}/images\n', 'imagesdir'), undefined);
	});
});
