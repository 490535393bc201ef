import assert from 'node:assert/strict';
import type { StudioReference } from '../../../../src/protocol/studioModel';
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
	qualities: ['unset', 'low', 'high'],
	editsTakeQuality: false,
	defaults: { size: '1536x1024', quality: 'unset' },
	missing: [],
	concurrency: 2,
	history: [],
};
const written = { ...draft.emptyDraft, prompt: 'a harbor' };
const usable: StudioReference = {
	id: '1',
	name: 'a.png',
	details: '1 × 1',
	problem: false,
	edited: false,
};
const edited: StudioReference = { ...usable, id: '2', edited: true, label: '2b' };
const unusable: StudioReference = { ...usable, problem: true };

suite('draft › size', () => {
	test('is the chosen one, else what a draft begins with', () => {
		assert.equal(draft.sizeOf({ ...written, size: '1024x1024' }, setup), '1024x1024');
		assert.equal(draft.sizeOf(written, setup), '1536x1024');
	});

	test('of an edit is that of the image, unless another one was chosen for it', () => {
		const square: StudioReference = { ...edited, size: '1024x1024' };
		const chosen = { ...written, ...draft.chosenSize('auto', setup) };
		assert.equal(draft.sizeOf(written, setup, square), '1024x1024');
		assert.equal(draft.sizeOf(chosen, setup, square), '1024x1024', 'chosen before, for new images');
		const forIt = { ...written, ...draft.chosenSize('auto', setup, square) };
		assert.equal(draft.sizeOf(forIt, setup, square), 'auto');
		assert.equal(draft.sizeOf(forIt, setup, { ...square, id: '3' }), '1024x1024');
		assert.equal(draft.sizeOf(forIt, setup), 'auto', 'a size that was chosen by hand stays');
		const brought = draft.draftWith(written, { size: 'auto' }, square);
		assert.equal(draft.sizeOf(brought, setup, square), 'auto');
		assert.equal(draft.sizeOf(brought, setup), '1536x1024');
	});

	test('is one that is offered', () => {
		assert.equal(draft.sizeOf({ ...written, size: '512x512' }, setup), '1536x1024');
		const defaults = { size: '512x512', quality: 'unset' } as const;
		assert.equal(draft.sizeOf(written, { ...setup, defaults }), 'auto');
	});
});

suite('draft › what the user has chosen', () => {
	const chosen = { ...written, ...draft.chosenSize('1024x1024', setup) };
	const high = { ...written, ...draft.chosenQuality('high', setup) };

	test('counts as long as the setting is what it was then: who changes that wants it', () => {
		assert.equal(draft.sizeOf(chosen, setup), '1024x1024');
		assert.equal(draft.draftQuality(high, setup), 'high');
		const defaults = { size: 'auto', quality: 'low' } as const;
		assert.equal(draft.sizeOf(chosen, { ...setup, defaults }), 'auto');
		assert.equal(draft.draftQuality(high, { ...setup, defaults }), 'low');
	});

	test('is replaced by what a request brings', () => {
		const composed = draft.draftWith(
			{ ...chosen, ...draft.chosenQuality('high', setup) },
			{ size: 'auto', quality: 'low' },
		);
		assert.deepEqual(composed, { ...written, size: 'auto', quality: 'low' });
	});
});

suite('draft › when it has been sent', () => {
	test('the prompt goes, and what the user has chosen stays', () => {
		const sent = { ...written, count: 3, ...draft.chosenSize('1024x1024', setup) };
		assert.deepEqual(draft.draftAfter(sent, sent), { ...sent, prompt: '' });
	});

	test('what came with a request goes with it', () => {
		const sent: draft.StudioDraft = { ...written, size: 'auto', quality: 'high' };
		assert.deepEqual(draft.draftAfter(sent, sent), draft.emptyDraft);
	});

	test('what has been written meanwhile stays', () => {
		const now = { ...written, prompt: 'a harbor at night' };
		assert.deepEqual(draft.draftAfter(now, written), now);
	});
});

suite('draft › the background', () => {
	test('is sent only where the service makes a transparent one, and stays until it is changed', () => {
		const chosen = draft.draftWith(written, { background: 'transparent' });
		const offered = { ...setup, offersTransparency: true };
		assert.equal(draft.askedFor(chosen, [], offered).background, 'transparent');
		assert.equal(draft.askedFor(written, [], offered).background, 'auto');
		assert.equal(draft.askedFor(chosen, [], setup).background, undefined);
		assert.equal(draft.draftAfter(chosen, chosen).background, 'transparent');
	});
});

suite('draft › the style', () => {
	const style = { name: 'style.md', sha256: 'ab'.repeat(32), references: 2 };
	const styled = { ...setup, style };
	const without = { ...written, withoutStyle: true };

	test('goes with it, unless it is left out', () => {
		assert.equal(draft.styleOf(written, styled), style);
		assert.equal(draft.styleOf(without, styled), undefined);
		assert.equal(draft.styleOf(written, setup), undefined);
		assert.equal(draft.styleOf(written, undefined), undefined);
	});

	test('makes it an edit by its images, which the button says', () => {
		assert.equal(draft.sentReferences([usable], written, styled), 3);
		assert.equal(draft.sentReferences([usable], without, styled), 1);
		assert.equal(draft.generateLabel(1, [], 1), 'Generate with 1 Style Image');
		assert.equal(draft.generateLabel(2, [], 2), 'Generate 2 Images with 2 Style Images');
		assert.equal(draft.generateLabel(1, [usable], 2), 'Generate with 3 References');
		assert.equal(draft.generateLabel(1, [edited], 2), 'Edit 2b');
	});

	test('takes the quality away that would be sent without it', () => {
		const high = { ...written, quality: 'high' as const };
		assert.equal(draft.askedFor(high, [], setup).quality, 'high');
		assert.equal(draft.askedFor(high, [usable], setup).quality, 'unset');
		assert.equal(draft.askedFor(high, [], styled).quality, 'unset');
		const { quality, withoutStyle } = draft.askedFor({ ...high, withoutStyle: true }, [], styled);
		assert.deepEqual([quality, withoutStyle], ['high', true]);
	});

	test('is left out for one request, and as a request that is taken up again has it', () => {
		assert.deepEqual(draft.draftAfter(without, without), draft.emptyDraft);
		assert.deepEqual(draft.withoutBrought(without), written);
		assert.equal(draft.draftWith(written, { withoutStyle: true }).withoutStyle, true);
		assert.equal(draft.draftWith(without, {}).withoutStyle, true);
	});
});

suite('draft › the number of images', () => {
	const pier = { ...usable, id: 'pier', edited: true };
	const boat = { ...usable, id: 'boat', edited: true };
	const four = { ...written, ...draft.chosenCount(4) };

	test('is one where an edit begins, and stays what was chosen last for new images', () => {
		assert.equal(draft.countOf(four), 4);
		assert.equal(draft.countOf(four, pier), 1);
		const edits = { ...four, ...draft.chosenCount(2, pier) };
		assert.deepEqual(
			[edits, four].map((one) => draft.askedFor(one, [pier], setup).count),
			[2, 1],
		);
		assert.deepEqual([draft.countOf(edits, boat), draft.countOf(edits)], [1, 4]);
	});
});

suite('draft › why nothing can be sent', () => {
	test('nothing stands in the way of a prompt', () => {
		assert.equal(draft.whyNot(written, setup, []), undefined);
		assert.equal(draft.whyNot(written, setup, [usable]), undefined);
	});

	test('says one thing at a time, what has to be mended first comes first', () => {
		const { emptyDraft } = draft;
		const blank = { ...written, prompt: ' \n\t' };
		for (const [one, given, references, words] of [
			[written, undefined, [], 'Loading…'],
			[written, setup, undefined, 'Loading…'],
			[
				emptyDraft,
				{ ...setup, missing: ['address', 'key'] },
				[unusable],
				'Set up the image service first.',
			],
			[emptyDraft, { ...setup, missing: ['key'] }, [unusable], 'Set an API key first.'],
			[emptyDraft, setup, [usable, unusable], 'Remove the unusable reference image first.'],
			[emptyDraft, setup, [unusable, unusable], 'Remove the 2 unusable reference images first.'],
			[blank, setup, [usable], ''],
			[emptyDraft, setup, [edited], ''],
		] satisfies [...Parameters<typeof draft.whyNot>, string][]) {
			assert.equal(draft.whyNot(one, given, references), words);
		}
	});
});

suite('draft › the image in view', () => {
	const viewed = { id: 'i2', label: '2a', name: 'a.png' };
	const chosen: StudioReference = { ...edited, label: '1b', image: 'i1' };

	test('is named beside the one that is edited, where that was chosen and is another', () => {
		assert.equal(draft.notViewed([chosen, usable], viewed), 'Editing 1b, not 2a');
		const file: StudioReference = { ...usable, edited: true, name: 'harbor.png' };
		assert.equal(draft.notViewed([file], viewed), 'Editing harbor.png, not 2a');
	});

	test('is not where it is edited, nothing is edited, nothing is in view, or the target follows it', () => {
		assert.equal(draft.notViewed([{ ...chosen, image: 'i2' }], viewed), undefined);
		assert.equal(draft.notViewed([usable], viewed), undefined);
		assert.equal(draft.notViewed([chosen], undefined), undefined);
		assert.equal(draft.notViewed([{ ...chosen, fromView: true }], viewed), undefined);
	});
});

suite('draft › words', () => {
	test('say what is paid, and how many run at a time where not all do', () => {
		assert.equal(draft.costWords(1, 2), '1 paid request');
		assert.equal(draft.costWords(2, 2), '2 paid requests');
		assert.equal(draft.costWords(4, 2), '4 paid requests, 2 at a time');
		assert.equal(
			draft.costWords(4, 2, 'about €0.16'),
			'4 paid requests · about €0.16, 2 at a time',
		);
	});

	test('say the money where a price is known, of what is sent', () => {
		const prices = { currency: 'EUR', prices: { '1024x1024 high': 0.17, '1024x1024': 0.04 } };
		const asked = { ...draft.emptyDraft, size: '1024x1024', quality: 'high', count: 2 } as const;
		const priced = { ...setup, prices };
		assert.equal(draft.draftCost(asked, [], setup), undefined);
		assert.equal(draft.draftCost(asked, [], priced), 'about €0.34');
		assert.equal(draft.draftCost(asked, [usable], priced), 'about €0.08', 'without quality');
		assert.equal(draft.draftCost({ ...asked, size: '2048x1152' }, [], priced), undefined);
	});

	test('of the button say what it does', () => {
		assert.equal(draft.generateLabel(1, []), 'Generate');
		assert.equal(draft.generateLabel(4, []), 'Generate 4 Images');
		assert.equal(draft.generateLabel(1, [usable]), 'Generate with 1 Reference');
		assert.equal(draft.generateLabel(1, [usable, usable]), 'Generate with 2 References');
		assert.equal(draft.generateLabel(4, [usable, usable]), 'Generate 4 Images with 2 References');
		assert.equal(draft.generateLabel(1, [edited]), 'Edit 2b');
		assert.equal(draft.generateLabel(1, [edited, usable]), 'Edit 2b');
		assert.equal(draft.generateLabel(3, [edited, usable]), 'Make 3 Edits of 2b');
	});
});

suite('draft › limits of the service', () => {
	const openai = {
		...setup,
		...{ sizeRule: { multipleOf: 16, minEdge: 16, maxEdge: 3840 }, maxReferences: 2 },
	};

	test('let a size of its rule stay, and no other', () => {
		const sizeOf = (size: string) => draft.sizeOf({ ...written, size }, openai);
		assert.equal(sizeOf('1280x640'), '1280x640');
		assert.equal(sizeOf('1281x640'), '1536x1024');
		assert.equal(draft.sizeOf({ ...written, size: '1280x640' }, setup), '1536x1024');
	});

	test('count the reference images, with those of the style', () => {
		const style = { name: 'style.md', references: 1 };
		const whyNot = (count: number, limits: draft.Setup) =>
			draft.whyNot(written, limits, new Array<StudioReference>(count).fill(usable));
		assert.equal(whyNot(2, openai), undefined);
		assert.match(whyNot(3, openai)!, /at most 2 reference images: remove 1$/);
		assert.match(whyNot(2, { ...openai, style })!, /remove 1$/);
		assert.equal(whyNot(3, setup), undefined);
	});
});
