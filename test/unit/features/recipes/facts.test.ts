import assert from 'node:assert/strict';
import { sectionsOf, formatFacts } from '../../../../src/features/recipes/facts.js';
import type { GalleryImage } from '../../../../src/jobs/gallery.js';
import { messages } from '../../../../src/messages.js';
import type { Provenance } from '../../../../src/recipes/provenance.js';
import { recipe } from '../../recipes/pngs.js';

const nothing: Provenance = {
	recipe: undefined,
	where: undefined,
	isOfOther: false,
	isNewer: false,
	foreign: [],
	isSigned: false,
	isDamaged: false,
};

const made = { prompt: 'a harbor', size: '1024x1024', savedAt: '2026-01-01T00:00:00.000Z' };
const inGallery = { ...(made as GalleryImage), isChanged: false };

suite('What is known of how an image was made', () => {
	test('is nothing of most images', () => {
		assert.deepEqual(sectionsOf(nothing, undefined), []);
	});

	test('is what Easel has written, with what it was made from', () => {
		const [section, ...others] = sectionsOf({ ...nothing, recipe, where: 'inImage' }, inGallery);
		assert.deepEqual(others, []);
		assert.equal(section?.title, 'Easel 1.2.3');
		assert.equal(section.prompt, recipe.prompt);
		const facts = Object.fromEntries(section.facts.map(({ name, text }) => [name, text]));
		const { Made, ...rest } = facts;
		assert.match(Made ?? '', /2026/);
		assert.deepEqual(rest, {
			'Sent Prompt': 'A fox in the snow, in flat colors',
			'Revised Prompt': 'A red fox in deep snow',
			Model: 'std-image-2',
			Size: '1024 × 1024',
			Quality: 'high',
			'Made From': '../images/fox.png',
			References: 'an image with the hash bbbbbbbb…',
			Round: '3',
			Request: 'req_123',
			Written: 'In the image',
		});
	});

	test('has the marks of an edit, and what was restored of its original', () => {
		const mark = {
			shape: 'rectangle',
			note: 'green',
			x: 0,
			y: 0,
			width: 0.5,
			height: 0.25,
		} as const;
		const keptRest = { share: 0.934, changed: 0.3, shift: 3.6, scale: 1.02 };
		const marked = { ...recipe, marks: [mark], keptRest };
		const [section] = sectionsOf({ ...nothing, recipe: marked, where: 'inImage' }, undefined);
		const facts = new Map(section?.facts.map(({ name, text }) => [name, text]));
		assert.equal(
			facts.get('Marks'),
			'1 (rectangle, 0–50 % from the left, 0–25 % from the top): green',
		);
		assert.equal(
			facts.get('Rest of the Picture'),
			'Restored 93\u{a0}% of the picture; the service had moved it by 4\u{a0}px, scaled it to 102\u{a0}% and repainted 30\u{a0}% of that.',
		);
		const { restored } = messages;
		assert.equal(
			restored({ share: 0.9, changed: 0, shift: 3, scale: 1, wasDeeper: true }),
			'Restored 90\u{a0}% of the picture in 8 bits per color, where the original has 16; the service had moved it by 3\u{a0}px.',
		);
	});

	test('says of a file beside an image whether it is of other bytes', () => {
		const written = (isOfOther: boolean) =>
			sectionsOf({ ...nothing, recipe, where: 'besideImage', isOfOther }, undefined)[0]?.facts.at(
				-1,
			)?.text;
		assert.equal(written(false), 'Beside the image');
		assert.match(written(true) ?? '', /has changed or is a different one$/);
	});

	test('is what the gallery knows where nothing is written', () => {
		const [section] = sectionsOf(nothing, inGallery);
		assert.equal(section?.title, 'Easel’s Gallery on This Machine');
		assert.equal(section.prompt, 'a harbor');
		assert.deepEqual(
			section.facts.map(({ name }) => name),
			['Size', 'Saved'],
		);
	});

	test('is what the gallery knows of another file in that place behind all else, and says so', () => {
		const foreign = [{ source: 'ComfyUI', facts: [] }];
		const titles = (isChanged: boolean) =>
			sectionsOf({ ...nothing, foreign }, { ...inGallery, isChanged }).map(({ title }) => title);
		assert.deepEqual(titles(false), ['Easel’s Gallery on This Machine', 'ComfyUI']);
		assert.deepEqual(titles(true), ['ComfyUI', 'Easel’s Gallery on This Machine']);
		const [section] = sectionsOf(nothing, { ...inGallery, isChanged: true });
		assert.deepEqual(section?.facts.at(-1), {
			name: 'File',
			text: 'Has changed since or is a different one',
		});
	});

	test('is what other programs say, behind what is wrong with the file', () => {
		const foreign = [{ source: 'ComfyUI', facts: [{ name: 'workflow', text: 'x' }] }];
		const sections = sectionsOf(
			{ ...nothing, foreign, isSigned: true, isNewer: true, isDamaged: true },
			undefined,
		);
		assert.deepEqual(
			sections.map(({ title }) => title),
			['File', 'ComfyUI'],
		);
		const text = formatFacts(sections);
		assert.ok(text.startsWith('File\nSigned Credential: '));
		assert.ok(text.endsWith('\n\nComfyUI\nworkflow: x'));
		assert.match(text, /not verified by Easel/);
		assert.doesNotMatch(text.replace('not verified', ''), /verified/);
	});
});
