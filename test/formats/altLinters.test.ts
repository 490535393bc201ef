import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { checkAltTexts } from '../../src/documents/check/altRules';
import { shownImages } from '../../src/documents/check/shownImages';
import { cachedPackages } from '../host/cache';

/** Documents of one kind, by the row of the guide that they are in. */
interface Kind {
	readonly texts: readonly string[];
	/** Known from the format's own documentation, where no renderer of CommonMark knows the form. */
	readonly isFault?: boolean;
}

const kinds: Readonly<Record<string, Kind>> = {
	'`![](a.png)`, also in tables, lists and links': {
		texts: [
			...['![](a.png)', '[![](a.png)](b.md)', '| a |\n|---|\n| ![](a.png) |', '> - ![](a.png)'],
		],
	},
	'`![ ](a.png)`': { texts: ['![ ](a.png)'] },
	'`![][a]` with its definition': { texts: ['![][a]\n\n[a]: a.png'] },
	'`<img src="a.png">` without `alt`': {
		texts: [
			...['<img src="a.png">', 'A <img src="a.png"> b', '<p>\n<img\n  src="a.png">\n</p>'],
			'<picture><source srcset="b.png"><img src="a.png"></picture>',
		],
	},
	'`<img alt>` and `role="presentation"`, which are decorative': {
		texts: ['<img src="a.png" alt>', '<img src="a.png" role="presentation">'],
	},
	'`<img alt="">` and `aria-hidden="true"`, which are decorative': {
		texts: ['<img src="a.png" alt="">', '<img src="a.png" aria-hidden="true">'],
	},
	'`![](a.png)` in code and comments, where it is no image': {
		texts: ['```\n![](a.png)\n```', '`![](a.png)`', '<!-- ![](a.png) -->'],
	},
	'`{{< figure src="a.png" >}}` of Hugo, `![[a.png]]` of Obsidian, `{image}` of MyST': {
		texts: ['{{< figure src="a.png" >}}', '![[a.png]]', '```{image} a.png\n```'],
		isFault: true,
	},
	'`![](a.png){fig-alt="A pier"}` of Quarto, which has a text': {
		texts: ['![](a.png){fig-alt="A pier"}'],
		isFault: false,
	},
	'`![image](a.png)`, `![Image of a pier](a.png)`, `![a.png](a.png)`': {
		texts: ['![image](a.png)', '![Image of a pier](a.png)', '![a.png](a.png)'],
		isFault: true,
	},
	'One text for two images': { texts: ['![A pier.](a.png) ![A pier.](b.png)'], isFault: true },
	'`![A pier](a.png)`, which has no period': { texts: ['![A pier](a.png)'] },
};

type Linter = (text: string) => boolean | Promise<boolean>;

const packages = [
	...['markdownlint@0.42.1', 'remark@15.0.1', '@double-great/remark-lint-alt-text@1.1.1'],
];

suite('The rules for alternative texts beside those of other linters', () => {
	const linters: Linter[] = [];

	suiteSetup(async function () {
		this.timeout(300_000);
		const load = createRequire(path.join(await cachedPackages(packages), 'x.js'));
		const { lint } = load('markdownlint/promise') as {
			lint: (options: object) => Promise<Record<string, readonly unknown[]>>;
		};
		const { remark } = load('remark') as {
			remark: () => { use: (plugin: unknown) => ReturnType<typeof remark> } & {
				process: (text: string) => Promise<{ messages: readonly unknown[] }>;
			};
		};
		const { default: altText } = load('@double-great/remark-lint-alt-text') as {
			default: unknown;
		};
		linters.push(
			(text) => {
				const images = shownImages(text, 'markdown');
				return checkAltTexts(images, { maxAltLength: 250 }).length > 0;
			},
			async (text) => {
				const config = { default: false, MD045: true };
				return (await lint({ strings: { text }, config }))['text']!.length > 0;
			},
			async (text) => (await remark().use(altText).process(text)).messages.length > 0,
			// Vale is no package of npm; a rule of its scope `raw` is a pattern for the whole text.
			(text) => /!\[\]/.test(text),
		);
	});

	test('find in each kind of document what the guide says', async () => {
		const guide = readFileSync(path.resolve(__dirname, '../../docs/check.md'), 'utf8');
		const missing: string[] = [];
		for (const [name, { texts, isFault = hasFault(texts) }] of Object.entries(kinds)) {
			const cells: string[] = [];
			for (const linter of linters) {
				const found: boolean[] = [];
				for (const text of texts) {
					found.push(await linter(text));
				}
				const isFound = found.some(Boolean);
				assert.ok(
					found.every((one) => one === isFound),
					`${name}: ${found.join(', ')}`,
				);
				cells.push(isFound === isFault ? (isFault ? 'finds' : '–') : isFault ? 'misses' : 'wrong');
			}
			const row = new RegExp(
				['', name, ...cells, '']
					.map((cell) => cell.replace(/[^\w ]/g, '\\$&'))
					.join('\\s*\\|\\s*')
					.trim(),
			);
			if (!row.test(guide)) {
				missing.push(`| ${[name, ...cells].join(' | ')} |`);
			}
		}
		assert.deepEqual(missing, []);
	}).timeout(60_000);
});

/** Returns whether each of the texts shows an image that says neither what it is nor that it is decorative. */
function hasFault(texts: readonly string[]): boolean {
	const isFaulty = (text: string) => {
		const rendered = new MarkdownIt({ html: true }).render(text);
		// An empty text of Markdown is a missing one.
		const isWritten = /<img[^>]*\salt\b/.test(text);
		return imagesIn(parseFragment(rendered)).some((attributes) => {
			const alt = attributes.get('alt')?.trim();
			const isHidden = attributes.has('aria-hidden') || attributes.has('role');
			return !isHidden && (alt === undefined || (alt === '' && !isWritten));
		});
	};
	const [first = false, ...others] = texts.map(isFaulty);
	assert.ok(
		others.every((one) => one === first),
		texts.join('\n'),
	);
	return first;
}

function imagesIn(node: DefaultTreeAdapterTypes.Node): ReadonlyMap<string, string>[] {
	const own =
		node.nodeName === 'img' && 'attrs' in node
			? [new Map(node.attrs.map(({ name, value }) => [name, value]))]
			: [];
	return [...own, ...('childNodes' in node ? node.childNodes.flatMap(imagesIn) : [])];
}
