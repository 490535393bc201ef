import assert from 'node:assert/strict';
import type { Job, StudioSlot } from '../../../../src/protocol/studioModel';
import {
	besideIn,
	byAge,
	chainOf,
	comparableIn,
	countAsked,
	failureOf,
	imageIdsIn,
	nextFocus,
	stripAround,
} from '../../../../src/webview/studio/rounds';

suite('chainOf', () => {
	test('leads from the first image to the last one, which is the image itself', () => {
		const chain = [{ label: '1c', id: 'c' }, { label: 'logo.png' }];
		assert.deepEqual(chainOf({ id: 'a', label: '3a', chain }), [
			...chain,
			{ label: '3a', id: 'a' },
		]);
	});

	test('is empty for what was made of a prompt alone', () => {
		assert.deepEqual(chainOf({ id: 'a', label: '1a', chain: [] }), []);
	});

	test('names all of eight, of more the first ones and the last ones', () => {
		const labelsOf = (count: number) => {
			const chain = Array.from({ length: count - 1 }, (_, index) => ({ label: `${index + 1}a` }));
			return chainOf({ id: 'a', label: `${count}a`, chain }).map(({ label }) => label);
		};
		assert.equal(labelsOf(8).join(), '1a,2a,3a,4a,5a,6a,7a,8a');
		assert.equal(labelsOf(21).join(), '1a,2a,…,17a,18a,19a,20a,21a');
	});
});

suite('the images of a round', () => {
	const round = (kinds: string): StudioSlot[] =>
		Array.from(kinds, (kind, index) => ({
			id: String(index),
			kind: kind === 'i' ? 'image' : 'job',
			ratio: 1,
		}));

	test('stand beside one of them, unless it is alone', () => {
		assert.deepEqual(stripAround(round('i'), '0'), []);
		assert.deepEqual(stripAround(round('iji'), '0'), round('iji'));
	});

	test('are those around it, where it is one of thousands', () => {
		const slots = round('i'.repeat(5000));
		for (const at of [0, 10, 2500, 4999]) {
			const strip = stripAround(slots, String(at));
			assert.equal(strip.length, 60);
			assert.ok(strip.some(({ id }) => id === String(at)));
		}
	});

	test('are gone through one by one; what is not there yet is passed over', () => {
		const slots = round('ijji');
		assert.equal(besideIn(slots, '0', 1), '3');
		assert.equal(besideIn(slots, '3', -1), '0');
		assert.equal(besideIn(slots, '0', -1), undefined);
		assert.equal(besideIn(slots, '3', 1), undefined);
	});
});

suite('the drafts of a round', () => {
	const image = (id: string, restores?: string): StudioSlot => ({
		...{ id, kind: 'image', ratio: 1 },
		...(restores !== undefined && { restores }),
	});
	const slots = [image('a'), image('b'), image('c'), image('d'), image('A', 'a'), image('C', 'c')];
	const images = (missing = '') =>
		new Map(slots.map(({ id }) => [id, { exists: !missing.includes(id) }]));

	test('are those that were asked for: an answer counts once with what was made of it', () => {
		assert.equal(countAsked({ slots }), 4);
		assert.equal(countAsked({ slots: slots.slice(1) }), 4, 'its answer was not found');
	});

	test('are compared as what is there of them, the rest of the original before all', () => {
		assert.deepEqual(comparableIn({ slots }, images()), ['A', 'b', 'C', 'd']);
		assert.deepEqual(comparableIn({ slots }, images('Cb')), ['A', 'c', 'd']);
		assert.deepEqual(comparableIn({ slots: [...slots, image('e')] }, images()), []);
	});
});

suite('the places of all rounds', () => {
	const places = (id: string, slots: string) => ({
		id,
		slots: [...slots].map((slot): StudioSlot => ({
			id: `${id}${slot.toLowerCase()}`,
			kind: slot === slot.toLowerCase() ? 'image' : 'job',
			ratio: 1,
		})),
	});
	const both = [places('2', 'abC'), places('1', 'a')];

	test('have images, newest round first', () => {
		assert.deepEqual(imageIdsIn(both), ['2a', '2b', '1a']);
	});

	test('are compared as they were made; what is nowhere stands behind', () => {
		assert.deepEqual(byAge(['x', '2b', '2a', '1a'], both), ['1a', '2a', '2b', 'x']);
	});
});

suite('nextFocus', () => {
	const before = ['a', 'b', 'c', 'd'];

	test('is itself, as long as it exists, wherever it is now', () => {
		assert.equal(nextFocus('b', before, ['new', 'a', 'b', 'd']), 'b');
	});

	test('is the next one that is left, else the one before', () => {
		assert.equal(nextFocus('b', before, ['a', 'c', 'd']), 'c');
		assert.equal(nextFocus('b', before, ['new', 'a', 'd']), 'd');
		assert.equal(nextFocus('d', before, ['a', 'c']), 'c');
		assert.equal(nextFocus('b', before, []), undefined);
		assert.equal(nextFocus('b', before, ['x', 'y']), 'x');
	});
});

const jobOf = (id: string, state: Job['state'], cause?: string) =>
	({ id, state, ...(cause === undefined ? {} : { cause }) }) as Job;
const all = [
	jobOf('a', 'failed', '402'),
	jobOf('b', 'failed', '400'),
	jobOf('c', 'failed', '402'),
	jobOf('d', 'running'),
	jobOf('e', 'failed'),
	jobOf('f', 'asking', '402'),
	jobOf('g', 'failed', '402'),
];
const jobs = new Map(all.map((job) => [job.id, job]));
/** `g` is in another round. */
const slots = [...'abcdef'].map((id): StudioSlot => ({ id, kind: 'job', ratio: 1 }));

suite('failures', () => {
	test('of one cause are shown at the first of them in the round, wherever they stand in it', () => {
		const reported = (id: string) => {
			const { ids, job } = failureOf(jobs.get(id)!, slots, jobs);
			return `${job.id}: ${ids.join()}`;
		};
		assert.equal(reported('c'), 'a: a,c');
		assert.equal(reported('a'), 'a: a,c');
		assert.equal(reported('b'), 'b: b');
		assert.equal(reported('e'), 'e: e');
		assert.equal(reported('f'), 'f: f');
	});

	test('an image that has come meanwhile is none any more', () => {
		const came = slots.map((slot): StudioSlot =>
			slot.id === 'a' ? { ...slot, kind: 'image' } : slot,
		);
		assert.deepEqual(failureOf(jobs.get('c')!, came, jobs).ids, ['c']);
	});
});
