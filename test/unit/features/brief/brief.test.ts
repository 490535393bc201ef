import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { briefText, colorWords, type Brief } from '../../../../src/features/brief/brief.js';
import { troublesomeMarkdown } from '../../editor/troublesomeMarkdown';

const brief: Brief = {
	image: { label: '3a', title: 'Settings, green', link: '![settings](settings.png)' },
	name: 'settings.png',
	purpose: 'The settings page of the mobile app.',
	note: 'Spacing as in the app.',
	steps: [
		{ label: '1c', prompt: 'A settings page', from: undefined },
		{ label: '2b', prompt: 'Add a search field', from: '1c' },
		{ label: '3a', prompt: 'Make the accent green', from: '2b' },
	],
	sizeAsked: '1536x1024',
	facts: { width: 1536, height: 1024, bytes: 2_000_000 },
	palette: [
		{ red: 0xf6, green: 0xf8, blue: 0xfa, share: 0.912 },
		{ red: 0x1a, green: 0x7f, blue: 0x37, share: 0.0831 },
		{ red: 0, green: 0, blue: 0, share: 0.006 },
	],
	alternatives: [
		{ label: '3b', title: 'quieter', link: '![settings](settings-1.png)' },
		{ label: '1a', title: undefined, link: '![settings](first.png)' },
	],
};

suite('features › handOver › brief', () => {
	// As the editor's preview reads it, with links of bare addresses on top.
	const parser = new MarkdownIt({ html: true, linkify: true });

	test('says what was asked for and what has come of it', () => {
		assert.equal(
			briefText(brief),
			`# Settings, green

![settings](settings.png)

## What it is for

> The settings page of the mobile app.

## Note

> Spacing as in the app.

## How it was made

**1c**, made from this prompt:

> A settings page

**2b**, made from 1c:

> Add a search field

**3a**, made from 2b:

> Make the accent green

## Size

Requested in 1536 × 1024 pixels. The file has 1536 × 1024 pixels, 1.9 MB.

## Colors

Measured from the pixels of the picture.

| Color | Hex | RGB | Share |
|---|---|---|---:|
| white | \`#f6f8fa\` | 246, 248, 250 | 91% |
| dark green | \`#1a7f37\` | 26, 127, 55 | 8% |
| black | \`#000000\` | 0, 0, 0 | under 1% |

## Text in the picture

Text and numbers in the picture are placeholders. Write your own.

## Other starred drafts

**3b · quieter**

![settings](settings-1.png)

**1a**

![settings](first.png)
`,
		);
	});

	test('leaves out what nobody has said, and what could not be measured', () => {
		const text = briefText({
			...brief,
			image: { ...brief.image, title: undefined },
			...{ purpose: '', note: '', sizeAsked: 'auto', palette: undefined, alternatives: [] },
		});
		assert.deepEqual(text.match(/^#.*$/gm), [
			'# settings.png',
			'## How it was made',
			'## Size',
			'## Text in the picture',
		]);
		assert.match(text, /The image service chose the size\./);
	});

	test('has no other blocks, links or tags, whatever people and models have written', () => {
		const shape = (text: string) =>
			parser
				.parse(text, {})
				.flatMap(({ type, tag, children }) => [
					`${type} ${tag}`,
					...(children ?? [])
						.filter((child) => !/^(?:text|text_special|hardbreak|softbreak)$/.test(child.type))
						.map((child) => child.type),
				]);
		const withText = (text: string): Brief => ({
			...brief,
			image: { ...brief.image, title: text },
			...{ purpose: text, note: text, name: text },
			steps: brief.steps.map((step) => ({ ...step, prompt: text })),
			alternatives: brief.alternatives.map((one) => ({ ...one, title: text })),
		});
		// A text of several paragraphs has several within its quote.
		const withoutParagraphs = (all: string[]) =>
			all.filter((type) => !type.startsWith('paragraph'));
		for (const text of troublesomeMarkdown) {
			assert.equal(text.includes('\n\n'), false, 'one paragraph each');
			assert.deepEqual(
				withoutParagraphs(shape(briefText(withText(text)))),
				withoutParagraphs(shape(briefText(withText('words')))),
				text,
			);
		}
	});

	test('names colors as people do', () => {
		const named = {
			'#ffffff': 'white',
			'#000000': 'black',
			'#808080': 'gray',
			'#24292f': 'very dark gray',
			'#d0e2ff': 'very light blue',
			'#0f62fe': 'blue',
			'#1a7f37': 'dark green',
			'#e63946': 'red',
			'#8b4513': 'brown',
			'#7e4d66': 'grayish pink',
			'#e0c5c2': 'light grayish red',
			'#d81b60': 'pink',
			'#ff8c00': 'orange',
		};
		for (const [hex, words] of Object.entries(named)) {
			const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
			assert.equal(colorWords({ red: red!, green: green!, blue: blue! }), words, hex);
		}
	});
});
