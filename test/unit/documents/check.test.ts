import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkDocument, type CheckedDocument } from '../../../src/documents/check/checkDocument.js';
import { ImageFiles } from '../../../src/documents/check/imageFiles.js';
import { defaultSettings, type CheckSettings } from '../../../src/documents/check/rules.js';
import { styleHash } from '../../../src/recipes/applyStyle.js';
import { besideText } from '../../../src/recipes/beside.js';
import { recipeChunks } from '../../../src/recipes/ours.js';
import type { Recipe } from '../../../src/recipes/recipe.js';
import { png, recipe, tEXt } from '../recipes/pngs.js';
import { writeTree } from './missing/tree.js';

suite('documents › check', () => {
	let folder: string;

	suiteSetup(async () => {
		folder = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-check-')));
		await writeTree(folder, {
			'img/Red-Fox.png': 'x'.repeat(2000),
			'img/den.png': '',
			'img/den-dark.png': '',
		});
	});

	suiteTeardown(() => rm(folder, { recursive: true }));

	async function check(
		name: string,
		text: string,
		settings: Partial<CheckSettings> = {},
	): Promise<CheckedDocument> {
		const place = { document: path.join(folder, name), workspaceFolder: folder };
		return checkDocument(text, place, { ...defaultSettings, ...settings }, new ImageFiles());
	}

	const found = async (...given: Parameters<typeof check>) => {
		const { findings, missing } = await check(...given);
		return [...findings.map(({ rule }) => rule), ...missing.map(() => 'image-missing')].join(' ');
	};

	/** Documents, and the rules that they break. */
	const cases: Readonly<Record<string, readonly (readonly [text: string, rules: string])[]>> = {
		'a.md': [
			['![A fox](img/den.png)', ''],
			['![](img/den.png)', 'alt-missing'],
			['![][den]\n\n[den]: img/den.png', 'alt-missing'],
			['![](https://example.com/badge.svg)', 'alt-missing'],
			['<img src="img/den.png">', 'alt-missing'],
			['<img src="img/den.png" alt="">', ''],
			['<img src="img/den.png" alt>', ''],
			['<img src="img/den.png" role="presentation">', ''],
			[
				'<picture><source srcset="img/den-dark.png"><img src="img/den.png"></picture>',
				'alt-missing',
			],
			['`![](img/den.png)`\n\n<!-- ![](img/den.png) -->', ''],
			['![image](img/den.png)', 'alt-generic'],
			['![Screenshot 2026-11-20 at 9.41.07 PM](img/den.png)', 'alt-generic'],
			['![Image of a den](img/den.png)', 'alt-generic'],
			['![den.png](img/den.png)', 'alt-generic'],
			['![den](img/den.png)', 'alt-generic'],
			['![Den](img/den.png)', ''],
			[`![${'word '.repeat(51)}](img/den.png)`, 'alt-long'],
			['![A den](img/den.png) ![A den](img/Red-Fox.png)', 'alt-duplicate'],
			['![A den](img/den.png) ![A den](img/den.png) ![A den](img/den-dark.png)', ''],
			['![A fox](img/gone.png)', 'image-missing'],
			['![A fox](img/red-fox.png)', 'image-case'],
			['![A fox](IMG/Red-Fox.png)', 'image-case'],
			['{{< figure src="img/den.png" >}}', 'alt-missing'],
			['{{< figure src="img/den.png" caption="A den in the snow" >}}', ''],
			['![](img/den.png){fig-alt="A den"}', ''],
			['```{image} img/den.png\n:width: 40px\n```', 'alt-missing'],
			['```{image} img/den.png\n:alt: A den\n```', ''],
			['![[img/den.png]]', 'alt-missing'],
		],
		'a.mdx': [
			['<img src={require("./img/den.png").default} />', 'alt-missing'],
			['<img src={den} alt={text} />', ''],
			["<img src={den} alt={'image'} />", 'alt-generic'],
		],
		'a.html': [
			[
				'<!doctype html><img src="img/den.png"><img src="img/gone.png" alt="A fox">',
				'alt-missing image-missing',
			],
			['<!-- <img src="img/den.png"> --><img data-src="a.png">', 'alt-missing'],
			['<div>{% if a %}<img src="img/gone.png" alt="{{ a }}">{% endif %}</div>', ''],
		],
		'a.vue': [
			['<template><img :src="a" /><img :src="a" :alt="b" /></template>', 'alt-missing'],
			['<template><img v-bind="a" /></template>', ''],
		],
		'a.adoc': [
			['image::img/den.png[]', 'alt-missing'],
			[
				'image::img/den.png[width=30]\n\nSee image:img/den.png[,30] here.',
				'alt-missing alt-missing',
			],
			['image::img/den.png[A den,300]', ''],
			['image::img/den.png[alt="image"]', 'alt-generic'],
			['image::img/den.png["A den, in snow"]', ''],
			['image::img/gone.png[A den]', 'image-missing'],
			[
				'----\nimage::img/gone.png[]\n----\n\n// image::img/gone.png[]\n\n image::img/gone.png[]',
				'',
			],
			[':imagesdir: img\n\nimage::red-fox.png[A fox]', 'image-case'],
		],
		'a.rst': [
			['.. image:: img/den.png', 'alt-missing'],
			['.. image:: img/den.png\n   :width: 30\n   :alt: A den', ''],
			['.. image:: img/den.png\n   :alt:\n', ''],
			[
				'* Item\n\n  .. figure:: img/gone.png\n     :alt: image\n\n     Caption.',
				'alt-generic image-missing',
			],
			['.. |logo| image:: img/den.png', 'alt-generic'],
			['Code::\n\n  .. image:: img/gone.png\n\n.. code-block:: rst\n\n   .. image:: a.png', ''],
			['.. list-table::\n\n   * - .. image:: img/den.png', 'alt-missing'],
		],
		'a.tex': [
			['\\includegraphics{img/den}', 'alt-missing'],
			['\\includegraphics[width=3cm,alt={A den}]{img/den.png}', ''],
			['\\begin{figure}\\includegraphics{img/den}\\caption{A den}\\end{figure}', ''],
			['% \\includegraphics{a}\n\\begin{verbatim}\\includegraphics{a}\\end{verbatim}', ''],
		],
		'a.typ': [
			['#image("img/den.png")', 'alt-missing'],
			['#figure(image("img/den.png", width: 80%, alt: "A den"))', ''],
			['#figure(image("img/den.png"), alt: "A den")', ''],
			[
				'// #image("a.png")\n`image("a.png")` #image("img/gone.png", alt: "image")',
				'alt-generic image-missing',
			],
		],
		'a.ipynb': [
			[
				JSON.stringify({ cells: [{ cell_type: 'markdown', source: ['\n', '![](img/den.png)'] }] }),
				'alt-missing',
			],
		],
	};

	for (const [name, rows] of Object.entries(cases)) {
		test(`finds in ${name} what its rows say`, async () => {
			for (const [text, rules] of rows) {
				assert.equal(await found(name, text), rules, text);
			}
		});
	}

	test('says where a finding is, and how a link has the right case', async () => {
		const text = 'One\r\n\r\n![A fox](img/red-fox.png "Title")';
		const { findings } = await check('a.md', text);
		const [{ lines, fix } = assert.fail()] = findings;
		assert.deepEqual(lines, { line: 3, column: 10, endLine: 3, endColumn: 25 });
		assert.equal(
			fix && text.slice(0, fix.start) + fix.newText,
			'One\r\n\r\n![A fox](img/Red-Fox.png',
		);
	});

	test('checks weight, format and width where settings ask for it', async () => {
		const text = '![A fox](img/Red-Fox.png) ![A den](img/den.png)';
		assert.equal(await found('a.md', text, { maxKilobytes: 1 }), 'image-weight');
		const rules = { ...defaultSettings.rules, 'image-format': 'error' } as const;
		assert.equal(
			await found('a.md', text, { rules, formats: ['webp'] }),
			'image-format image-format',
		);
	});

	suite('of how an image was made', () => {
		const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
		const write = (name: string, content: Buffer | string) =>
			writeFile(path.join(folder, 'img', name), content);
		const rulesOn = (...on: readonly ('recipe' | 'style')[]) => ({
			...defaultSettings.rules,
			...Object.fromEntries(on.map((rule) => [rule, 'warning'])),
		});
		const link = '![A den](img/made.png)';
		const made = (more: Partial<Recipe> = {}) => png(recipeChunks({ ...recipe, ...more }, true));

		/** Checks with what the gallery of this machine knows. */
		async function foundWith(...known: readonly Buffer[]): Promise<string> {
			const place = { document: path.join(folder, 'a.md'), workspaceFolder: folder };
			const files = new ImageFiles(new Map(known.map((one) => [one.length, [sha256(one)]])));
			const settings = { ...defaultSettings, rules: rulesOn('recipe') };
			const { findings } = await checkDocument(link, place, settings, files);
			return findings.map(({ rule }) => rule).join(' ');
		}

		test('finds images of Easel without their recipe, and none that another program may have made', async () => {
			const rules = rulesOn('recipe');
			const traces = png(tEXt('Software', 'Easel 1.2.3'));
			const cases: readonly (readonly [bytes: Buffer, rules: string])[] = [
				[made(), ''],
				[traces, 'recipe'],
				[png(tEXt('Easel Recipe', 'damaged')), 'recipe'],
				[png(tEXt('Easel Recipe', JSON.stringify({ version: 99 }))), ''],
				[png(tEXt('Software', 'Easels and more')), ''],
				[png(), ''],
				[Buffer.from('no image'), ''],
			];
			for (const [bytes, expected] of cases) {
				await write('made.png', bytes);
				assert.equal(await found('a.md', link, { rules }), expected, bytes.toString('latin1'));
			}
			await write('made.png', traces);
			assert.equal(await found('a.md', link), '', 'off by default');
			await write('made.png', png());
			assert.equal(await foundWith(png(tEXt('Title', 'Another'))), '');
			assert.equal(await foundWith(png()), 'recipe');
			await write('made.png.json', besideText(recipe, sha256(png())));
			assert.equal(await foundWith(png()), '');
			await rm(path.join(folder, 'img', 'made.png.json'));
		});

		test('finds images of another version of the style guide that their recipe names', async () => {
			const rules = rulesOn('style');
			const reference = png(tEXt('Title', 'A style'));
			const guide = '---\nreferences: [../img/style.png]\n---\nFlat colors';
			const styled = (text: string) => ({
				path: '.easel/style.md',
				sha256: styleHash({ text, references: [sha256(reference)] }),
				references: 0,
			});
			const foundNow = () => found('a.md', link, { rules });
			await write('made.png', made({ style: styled('Flat colors') }));
			assert.equal(await foundNow(), '', 'no guide');
			await writeTree(folder, { '.easel/style.md': guide });
			assert.equal(await foundNow(), '', 'a reference of the guide is missing');
			await write('style.png', reference);
			assert.equal(await foundNow(), '');
			await write('made.png', made({ style: styled('Soft colors') }));
			assert.equal(await foundNow(), 'style');
			assert.equal(await found('a.md', link), '', 'off by default');
			await write('made.png', made({ style: { ...styled('x'), path: '../../outside.md' } }));
			assert.equal(await foundNow(), '');
			await write('made.png', made());
			assert.equal(await foundNow(), '', 'made without a style');
			await writeTree(folder, { '.easel/style.md': '' });
			await write('made.png', made({ style: styled('Soft colors') }));
			assert.equal(await foundNow(), '', 'the guide says nothing now');
		});
	});

	test('marks images of Markdown as decorative where a site shows that', async () => {
		const decorative = async (name: string, text: string) =>
			(await check(name, text)).findings.map((one) => one.decorative);
		const tag = '<img src="img/den.png" alt="">';
		for (const [text, expected] of [
			['![](img/den.png)', tag],
			['| a |\n|---|\n| ![image](img/den.png) |', tag],
			['![][den]\n\n[den]: img/den.png', tag],
			['![](https://example.com/a.svg?b=1&c="d")', undefined],
			[
				'![](https://example.com/a.svg?b=1&c=%20d)',
				'<img src="https://example.com/a.svg?b=1&amp;c=%20d" alt="">',
			],
			// Something would be lost.
			['![](img/den.png "The den")', undefined],
			['![](img/den.png){width=30}', undefined],
			['![[img/den.png]]', undefined],
			['![](img/gone.png)', undefined],
			// It says so itself.
			['<img src="img/den.png">', undefined],
		] as const) {
			assert.deepEqual((await decorative('a.md', text))[0], expected, text);
		}
		const cell = JSON.stringify({
			cells: [{ cell_type: 'markdown', source: ['![](img/den.png)'] }],
		});
		assert.deepEqual(await decorative('a.ipynb', cell), [tag]);
		assert.deepEqual(await decorative('a.mdx', '![](img/den.png)'), [undefined]);
		for (const [generator, expected] of [
			['Hugo', undefined],
			['Docusaurus', undefined],
			['Sphinx', undefined],
			['Jekyll', tag],
		] as const) {
			const place = {
				document: path.join(folder, 'a.md'),
				workspaceFolder: folder,
				sites: [{ generator, root: folder }],
			};
			const { findings } = await checkDocument(
				'![](img/den.png)',
				place,
				defaultSettings,
				new ImageFiles(),
			);
			assert.equal(findings[0]?.decorative, expected, generator);
		}
	});

	test('takes captions for proposals in every format', async () => {
		for (const [name, text] of Object.entries({
			'a.md': '![](img/den.png "A den")',
			'b.md': '![](img/den.png)\n*A den*\n',
			'c.md': '<figure><img src="img/den.png"><figcaption>A den</figcaption></figure>',
			'd.md': '```{figure} img/den.png\n:width: 1\n\nA den\n```',
			'a.adoc': '.A den\nimage::img/den.png[]',
			'a.rst': '.. figure:: img/den.png\n   :width: 1\n\n   A den',
			'a.typ': '#figure(image("img/den.png"), caption: [A den])',
		})) {
			const { findings } = await check(name, text);
			assert.equal(findings[0]?.caption, 'A den', text);
		}
	});
});
