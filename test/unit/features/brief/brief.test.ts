import assert from 'node:assert/strict';
import MarkdownIt from 'markdown-it';
import { briefText, type Brief } from '../../../../src/features/brief/brief.js';
import { troublesomeMarkdown } from '../../editor/troublesomeMarkdown';

const brief: Brief = {
	image: { name: 'settings.png', title: 'Settings, green', link: '![settings](settings.png)' },
	purpose: 'The settings page of the mobile app.',
	note: 'Spacing as in the app.',
	steps: [
		{ name: 'page.png', prompt: 'A settings page', from: undefined },
		{ name: 'page-search.png', prompt: 'Add a search field', from: 'page.png' },
		{ name: 'settings.png', prompt: 'Make the accent green', from: 'page-search.png' },
	],
	sizeAsked: '1536x1024',
	facts: { width: 1536, height: 1024, bytes: 2_000_000 },
	alternatives: [
		{ name: 'settings-1.png', title: 'quieter', link: '![settings](settings-1.png)' },
		{ name: 'first.png', title: undefined, link: '![settings](first.png)' },
	],
};

suite('features › brief', () => {
	// As the editor's preview reads it, with links of bare addresses on top.
	const parser = new MarkdownIt({ html: true, linkify: true });

	test('lists prompts, size, purpose, note and other drafts', () => {
		const text = briefText(brief);
		assert.deepEqual(text.match(/^#.*$/gm), [
			'# Settings, green',
			'## What it is for',
			'## Note',
			'## How it was made',
			'## Size',
			'## Text in the picture',
			'## Other starred drafts',
		]);
		assert.deepEqual(text.match(/^[*>!].*$/gm), [
			'![settings](settings.png)',
			'> The settings page of the mobile app.',
			'> Spacing as in the app.',
			'**page.png**, made from this prompt:',
			'> A settings page',
			'**page-search.png**, made from page.png:',
			'> Add a search field',
			'**settings.png**, made from page-search.png:',
			'> Make the accent green',
			'**settings-1.png · quieter**',
			'![settings](settings-1.png)',
			'**first.png**',
			'![settings](first.png)',
		]);
		assert.match(text, /1536 × 1024 pixels\. The file has 1536 × 1024 pixels, 1\.9 MB/);
	});

	test('has the marks of an edit as numbered notes, and what was restored', () => {
		const mark = { shape: 'rectangle', x: 0.1, y: 0.5, width: 0.2, height: 0.25 } as const;
		const tip = { shape: 'arrow', from: { x: 0, y: 0 }, to: { x: 0.5, y: 0.5 } } as const;
		const marks = [
			{ ...mark, note: 'make it *green*' },
			{ ...tip, note: '' },
		];
		const edit = { name: 'b.png', prompt: 'Greener', from: 'a.png', marks };
		const rest = { ...edit, name: 'b-kept.png', from: 'b.png', restOf: 'a.png' };
		const text = briefText({ ...brief, steps: [edit, rest] });
		assert.match(
			text,
			/> Greener\n\nOnly these places of a\.png were to change:\n\n1\. rectangle, 10–30 % from the left, 50–75 % from the top: make it \\\*green\\\*\n2\. where the arrow points, 50 % from the left, 50 % from the top\n\n/,
		);
		assert.match(text, /made from b\.png: outside of the marks it has the pixels of a\.png\.\n/);
	});

	test('says how much an image that was laid over it differs', () => {
		const image = { name: 'built.png', title: undefined, link: '![built](built.png)' };
		const sentenceOf = (part: number | undefined) =>
			/^## What it was compared with\n\n!\[built\]\(built\.png\)\n\n(.*)$/m.exec(
				briefText({ ...brief, overlay: { image, part, threshold: 10 } }),
			)?.[1];
		const words = 'built.png, laid over the picture';
		const differs = 'of the picture, a color channel differs by 10 % or more.';
		assert.equal(sentenceOf(0.0031), `${words}: in 0.3 % ${differs}`);
		assert.equal(sentenceOf(0.234), `${words}: in 23 % ${differs}`);
		assert.equal(sentenceOf(undefined), `${words}.`);
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
			image: { ...brief.image, name: text, title: text },
			...{ purpose: text, note: text },
			steps: brief.steps.map((step) => ({ ...step, name: text, prompt: text })),
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
