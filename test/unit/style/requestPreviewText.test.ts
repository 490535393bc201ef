import assert from 'node:assert/strict';
import {
	promptHeading,
	requestPreviewText,
	type PreviewedRequest,
} from '../../../src/style/requestPreviewText.js';

const sent: PreviewedRequest = {
	prompt: 'A fox\n\nStyle:\nFlat.',
	references: [],
	size: '1024x1024',
	quality: 'high',
	count: 1,
	style: '.easel/style.md',
};

suite('the text that shows what is sent', () => {
	test('ends with the prompt, as it is sent', () => {
		const text = requestPreviewText([sent]);
		assert.equal(text.split(`\n\n${promptHeading}\n`)[1], sent.prompt);
		assert.match(text, /Showing it sends nothing\.\n\nRequest: a new image\n/);
		assert.match(text, /\nSize: 1024 × 1024\nQuality: high\nImages: 1 paid request\n/);
		assert.match(text, /\nStyle guide: \.easel\/style\.md\n/);
	});

	test('names every reference image in its order, and says that there is no quality then', () => {
		const references = [
			{ path: 'mine.png', part: 'own' },
			{ path: 'art/hero.png', part: 'style' },
		] as const;
		const text = requestPreviewText([{ ...sent, references, isQualityIgnored: true, count: 3 }]);
		assert.match(text, /Request: an edit with 2 reference images\n/);
		assert.match(text, /Quality: not sent; with/);
		assert.match(text, /Images: 3 identical paid requests\n/);
		const priced = requestPreviewText([{ ...sent, count: 3, money: 'about €0.12' }]);
		assert.match(priced, /Images: 3 identical paid requests · about €0\.12\n/);
		assert.match(
			text,
			/Reference image 1: mine\.png\nReference image 2: art\/hero\.png \(style guide\)\n/,
		);
		const one = requestPreviewText([
			{ ...sent, references: references.slice(0, 1), quality: undefined },
		]);
		assert.match(one, /an edit with 1 reference image\n/);
	});

	test('says what marks are sent in', () => {
		const references = (['own', 'marked'] as const).map((part) => ({ path: 'mine.png', part }));
		assert.match(
			requestPreviewText([{ ...sent, references }]),
			/1: mine\.png\nReference image 2: mine\.png \(copy with the marks drawn on it\)\n/,
		);
		assert.match(
			requestPreviewText([{ ...sent, references: references.slice(0, 1), overlay: 'mask' }]),
			/1: mine\.png\nMask: only the marked places of reference image 1 are open/,
		);
	});

	test('of several images numbers them, and what the service chooses itself', () => {
		const text = requestPreviewText([
			{ ...sent, quality: undefined },
			{ ...sent, prompt: 'A crow' },
		]);
		assert.match(text, /\n\nImage 1 of 2\nRequest/);
		assert.match(text, /\n\nImage 2 of 2\nRequest/);
		assert.match(text, /Quality: not sent; the service decides/);
		assert.ok(text.endsWith('A crow'));
	});
});
