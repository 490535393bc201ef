import assert from 'node:assert/strict';
import { noteHover, noteText, type ImageAtPlace } from '../../../src/generation/placeNote.js';
import type { Stage } from '../../../src/generation/progressWords.js';

suite('generation › note at the place of an image', () => {
	const at = (stage: Stage, words: string, id = '1', prompt = 'a harbor'): ImageAtPlace => ({
		stage,
		short: words.replace(/ · .*/, ''),
		words,
		request: { id, prompt, size: '1536x1024' },
	});
	const made = at('making', '1:12 · about 2 minutes');

	test('says of one image in a word how it is doing', () => {
		assert.equal(noteText([made]), 'Image · 1:12');
		assert.equal(noteText([at('queued', 'Queued')]), 'Image · Queued');
		assert.equal(noteText([at('saving', 'saving…')]), 'Image · saving…');
	});

	test('counts several, and shows the one that was sent first', () => {
		const later = at('making', '0:02 · about 2 minutes');
		assert.equal(noteText([made, later]), '2 images · 1:12');
		assert.equal(noteText([at('queued', 'Queued'), made, later]), '3 images · 1:12');
	});

	test('shows the most urgent image first', () => {
		const asking = at('asking', 'Needs your decision');
		const pausing = at('pausing', 'The service is busy (429). Retrying in 3 s.');
		const unknown = at('unknown', 'is unknown');
		assert.equal(noteText([made, unknown, pausing, asking]), '4 images · Needs your decision');
		assert.equal(
			noteText([made, unknown, pausing]),
			'3 images · The service is busy (429). Retrying in 3 s.',
		);
		assert.equal(noteText([made, unknown]), '2 images · is unknown');
		assert.equal(noteText([at('saving', 'saving…'), made]), `2 images · ${made.short}`);
	});

	test('shows the prompt, the size and the time to the pointer, and Cancel for this image alone', () => {
		assert.deepEqual(noteHover([made]), [
			{ type: 'text', text: 'a harbor' },
			{ type: 'text', text: '1536 × 1024 · 1:12 · about 2 minutes' },
			{ type: 'links', links: [{ label: 'Cancel', command: '_easel.cancelImage', id: '1' }] },
		]);
	});

	test('shows a prompt once, and each of its images with a Cancel of its own', () => {
		const hover = noteHover([made, at('queued', 'Queued', '2'), at('queued', 'Queued', '3', 'b')]);
		const texts = hover.flatMap((one) => (one.type === 'text' ? one.text : []));
		assert.deepEqual(
			texts.filter((text) => !text.includes('×')),
			['a harbor', 'b'],
		);
		assert.deepEqual(
			hover.flatMap((one) => (one.type === 'links' ? one.links.map(({ id }) => id) : [])),
			['1', '2', '3'],
		);
		assert.deepEqual(
			hover.map(({ type }) => type),
			['text', 'text', 'links', 'text', 'links', 'text', 'text', 'links'],
		);
		assert.deepEqual(hover[0], { type: 'text', text: 'a harbor' });
	});

	test('shows so many and says how many more there are', () => {
		const hover = noteHover(Array.from({ length: 20 }, (_, index) => at('queued', '', `${index}`)));
		assert.equal(hover.filter(({ type }) => type === 'links').length, 8);
		assert.deepEqual(hover.at(-1), { type: 'text', text: 'and 12 more' });
	});
});
