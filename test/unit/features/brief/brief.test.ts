import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { briefText, type Brief } from '../../../../src/features/brief/brief.js';
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
	alternatives: [
		{ label: '3b', title: 'quieter', link: '![settings](settings-1.png)' },
		{ label: '1a', title: undefined, link: '![settings](first.png)' },
	],
};

suite('features › brief', () => {
	// As the editor's preview reads it, with links of bare addresses on top.
	const parser = new MarkdownIt({ html: true, linkify: true });

	test('lists prompts, size, purpose, note and other drafts', () => {
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

	test('leaves out sections without text', () => {
		const text = briefText({
			...brief,
			image: { ...brief.image, title: undefined },
			...{ purpose: '', note: '', sizeAsked: 'auto', alternatives: [] },
		});
		assert.deepEqual(text.match(/^#.*$/gm), [
			'# settings.png',
			'## How it was made',
			'## Size',
			'## Text in the picture',
		]);
		assert.match(text, /The image service chose the size\./);
	});

	test('adds no blocks, links or tags for Markdown in titles, prompts and notes', () => {
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
});
