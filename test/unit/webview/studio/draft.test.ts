import assert from 'node:assert/strict';
import type { Reference } from '../../../../src/protocol/studio';
import * as draft from '../../../../src/webview/studio/draft';

const sizes = ['auto', '1024x1024', '1536x1024'].map((size) => ({
	size,
	ratio: '1:1',
	use: 'anything',
	experimental: false,
}));
const setup: draft.Setup = {
	type: 'setup',
	sizes,
	defaults: { size: '1536x1024', quality: 'unset' },
	missing: [],
	concurrency: 2,
	history: [],
};
const written = { ...draft.emptyDraft, prompt: 'a harbor' };
const usable: Reference = { id: '1', name: 'a.png', details: '1 × 1', problem: false };
const unusable: Reference = { ...usable, problem: true };

suite('draft › size', () => {
	test('is the chosen one, else what a draft begins with', () => {
		assert.equal(draft.sizeOf({ ...written, size: '1024x1024' }, setup), '1024x1024');
		assert.equal(draft.sizeOf(written, setup), '1536x1024');
	});

	test('is one that is offered, whatever an earlier version has kept', () => {
		assert.equal(draft.sizeOf({ ...written, size: '512x512' }, setup), '1536x1024');
		const defaults = { size: '512x512', quality: 'unset' } as const;
		assert.equal(draft.sizeOf(written, { ...setup, defaults }), 'auto');
	});
});

suite('draft › what the extension puts into it', () => {
	test('replaces what it names, and nothing else', () => {
		assert.deepEqual(draft.draftWith(written, {}), written);
		assert.deepEqual(draft.draftWith(written, { prompt: '', size: 'auto' }), {
			prompt: '',
			size: 'auto',
			count: 1,
		});
		assert.deepEqual(draft.draftWith(written, { quality: 'high' }), {
			...written,
			quality: 'high',
		});
	});
});

suite('draft › why nothing can be sent', () => {
	test('nothing stands in the way of a prompt', () => {
		assert.equal(draft.whyNot(written, setup, []), undefined);
		assert.equal(draft.whyNot(written, setup, [usable]), undefined);
	});

	test('says one thing at a time, what has to be mended first comes first', () => {
		const reasons = [
			draft.whyNot(written, undefined, []),
			draft.whyNot(written, setup, undefined),
			draft.whyNot(draft.emptyDraft, { ...setup, missing: ['address', 'key'] }, [unusable]),
			draft.whyNot(draft.emptyDraft, { ...setup, missing: ['key'] }, [unusable]),
			draft.whyNot(draft.emptyDraft, setup, [usable, unusable]),
			draft.whyNot(draft.emptyDraft, setup, [unusable, unusable]),
			draft.whyNot({ ...written, prompt: ' \n\t' }, setup, [usable]),
		];
		assert.deepEqual(reasons, [
			'Loading…',
			'Loading…',
			'Set up the image service first.',
			'Set an API key first.',
			'Remove the reference image that cannot be used first.',
			'Remove the 2 reference images that cannot be used first.',
			'Write a prompt first.',
		]);
	});
});

suite('draft › words', () => {
	test('say what is paid, and how many run at a time where not all do', () => {
		assert.equal(draft.costWords(1, 2), '1 paid request');
		assert.equal(draft.costWords(2, 2), '2 paid requests');
		assert.equal(draft.costWords(4, 2), '4 paid requests, 2 at a time');
		assert.equal(draft.generateLabel(1), 'Generate');
		assert.equal(draft.generateLabel(4), 'Generate 4 Images');
		assert.deepEqual(draft.counts, [1, 2, 3, 4]);
	});

	test('count characters as a person does', () => {
		assert.equal(draft.characterWords(''), '0 characters');
		assert.equal(draft.characterWords('🦊'), '1 character');
		assert.equal(draft.characterWords('x'.repeat(5000)), '5,000 characters');
	});
});
