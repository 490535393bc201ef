import assert from 'node:assert/strict';
import type { GalleryImage } from '../../../src/jobs/gallery.js';
import type { GenerationRequest, RoundPlace } from '../../../src/jobs/request.js';
import {
	Lineage,
	madeFrom,
	nextNumber,
	roundsOf,
	type Round,
} from '../../../src/library/rounds.js';
import { referenceOf, requestOf } from '../jobs/support.js';
import { assertLinear } from '../linearTime/growth.js';

const minute = (count: number) => new Date(Date.UTC(2026, 0, 1, 0, count)).toISOString();
const newId = () => crypto.randomUUID();

/** A round of this number, whose places are asked for one by one. */
function roundOf(number: number, asked = number): (place: number) => RoundPlace {
	const id = newId();
	return (place) => ({ id, number, place, count: 3, askedAt: minute(asked) });
}

function image(prompt: string, savedAt: number, part: Partial<GalleryImage> = {}): GalleryImage {
	return {
		id: newId(),
		savedAt: minute(savedAt),
		target: `file:///w/images/${prompt}.png`,
		operation: 'generate',
		prompt,
		size: '1024x1024',
		references: [],
		referenceHashes: [],
		width: 1024,
		height: 1024,
		bytes: 5,
		sha256: `hash of ${prompt}`,
		...part,
	};
}

/** An edit of an image, as the journal notes it. */
function editOf(
	original: Pick<GalleryImage, 'target' | 'sha256'>,
	prompt: string,
	savedAt: number,
	part: Partial<GalleryImage> = {},
): GalleryImage {
	return image(prompt, savedAt, {
		operation: 'edit',
		references: [original.target],
		referenceHashes: [original.sha256!],
		...part,
	});
}

function request(prompt: string, createdAt: number, round = roundOf(1)(0)): GenerationRequest {
	return requestOf({ createdAt: minute(createdAt), prompt, round });
}

/** `3a harbor, 3b boat` of each round. */
function words(rounds: readonly Round[]): string[] {
	return rounds.map(({ slots }) =>
		slots
			.map((slot) => `${slot.label} ${(slot.image ?? slot.request)?.prompt ?? 'nothing'}`)
			.join(', '),
	);
}

const newestFirst = (...images: GalleryImage[]) =>
	images.sort((a, b) => b.savedAt.localeCompare(a.savedAt));

suite('generation › rounds', () => {
	test('are none where nothing was asked for, and the next one is the first', () => {
		assert.deepEqual(roundsOf([], []), []);
		assert.equal(nextNumber([]), 1);
	});

	test('are newest first, each in the order in which it was asked for, whatever came first', () => {
		const [one, two] = [roundOf(1), roundOf(2)];
		const images = newestFirst(
			image('harbor', 9, { round: one(0) }),
			image('harbor again', 3, { round: one(1) }),
			image('boat', 4, { round: two(0) }),
		);
		assert.deepEqual(words(roundsOf(images, [])), ['2a boat', '1a harbor, 1b harbor again']);
		assert.equal(nextNumber(roundsOf(images, [])), 3);
		const four = request('tower', 1, roundOf(4)(0));
		const three = request('bridge', 2, roundOf(3)(0));
		assert.deepEqual(words(roundsOf(images, [four, three])), [
			...['4a tower', '3a bridge', '2a boat', '1a harbor, 1b harbor again'],
		]);
	});

	test('keep their numbers where those of others are found, and the next goes on behind all', () => {
		const team = [5, 6].map((number) =>
			image(`of others ${String(number)}`, number, {
				round: roundOf(number)(0),
			}),
		);
		const [first, second] = [8, 9].map((asked, index) => {
			const round = roundOf(index + 1, asked)(0);
			return image(`own ${String(index)}`, 20 - index, { round });
		});
		const images = newestFirst(first!, second!, ...team);
		assert.deepEqual(words(roundsOf(images, [])), [
			...['2a own 1', '1a own 0', '6a of others 6', '5a of others 5'],
		]);
		const asked = roundOf(nextNumber(roundsOf(images, [])), 30)(0);
		const later = image('later', 31, { round: asked });
		assert.deepEqual(words(roundsOf(newestFirst(later, ...images), [])).slice(0, 2), [
			...['7a later', '2a own 1'],
		]);
	});

	test('hold the places of what runs or has failed, and what is saved only once', () => {
		const one = roundOf(1);
		const saved = image('harbor', 5, { round: one(1) });
		const stillListed = { ...request('harbor', 1, one(1)), id: saved.id };
		const rounds = roundsOf(
			[saved],
			[request('first', 1, one(0)), stillListed, request('last', 1, one(2))],
		);
		assert.deepEqual(words(rounds), ['1a first, 1b harbor, 1c last']);
		assert.deepEqual(
			rounds[0]?.slots.map(({ image, request }) => [image !== undefined, request !== undefined]),
			[
				[false, true],
				[true, false],
				[false, true],
			],
		);
	});

	test('keep the letter of each image when another of its round has gone', () => {
		const one = roundOf(1);
		const images = [image('third', 3, { round: one(2) }), image('first', 1, { round: one(0) })];
		assert.deepEqual(words(roundsOf(images, [])), ['1a first, 1c third']);
	});

	test('of images whose recipes name none are of one, come before all others, and are counted', () => {
		const five = roundOf(5);
		const images = newestFirst(
			image('oldest', 1),
			image('older', 2),
			image('new', 3, { round: five(0) }),
			image('older, saved late', 4),
		);
		const rounds = roundsOf(images, []);
		assert.deepEqual(words(rounds), ['5a new', '3a older, saved late', '2a older', '1a oldest']);
		assert.equal(rounds.at(-1)?.id, rounds.at(-1)?.slots[0]?.id);
		assert.equal(nextNumber(rounds), 6);
	});

	test('of which two windows have given the same number stay two', () => {
		const images = newestFirst(
			image('of one window', 1, { round: roundOf(1, 1)(0) }),
			image('of another', 2, { round: roundOf(1, 2)(0) }),
		);
		assert.deepEqual(words(roundsOf(images, [])), ['2a of another', '1a of one window']);
		assert.equal(nextNumber(roundsOf(images, [])), 3);
		const earlier = request('asked for earlier', 0, roundOf(1, 0)(0));
		assert.deepEqual(words(roundsOf(images, [earlier])), [
			...['3a of another', '2a of one window', '1a asked for earlier'],
		]);
	});

	test('have another letter for each, also for what was asked for twice in one place', () => {
		const one = roundOf(1);
		const rounds = roundsOf(
			[image('harbor', 5, { round: one(0) }), image('boat', 4, { round: one(1) })],
			[request('harbor once more', 6, one(0))],
		);
		assert.deepEqual(words(rounds), ['1a harbor, 1c harbor once more, 1b boat']);
		const earlier = [
			request('harbor before', 3, one(0)),
			request('harbor after', 7, one(0)),
			request('boat before', 2, one(1)),
		];
		assert.deepEqual(
			words(roundsOf([...newestFirst(image('harbor', 5, { round: one(0) }))], earlier)),
			['1a harbor before, 1c harbor, 1d harbor after, 1b boat before'],
		);
	});

	test('have letters beyond z', () => {
		const one = roundOf(1);
		const requests = [0, 25, 26, 51, 52, 701, 702].map((place) => request('x', 1, one(place)));
		assert.deepEqual(
			roundsOf([], requests)[0]?.slots.map(({ label }) => label),
			['1a', '1z', '1aa', '1az', '1ba', '1zz', '1aaa'],
		);
	});

	test('are found in a time that grows with the images and no worse', () => {
		assertLinear((length) => {
			const images = Array.from({ length }, (_, index) =>
				image(
					`x ${String(index)}`,
					2 * length - index,
					index % 2 === 0 ? { round: roundOf(index)(0) } : {},
				),
			);
			return () => roundsOf(images, []);
		}, 'roundsOf');
	});
});

suite('generation › rounds › lineage', () => {
	const harbor = image('harbor', 1, { round: roundOf(1)(0) });
	const night = editOf(harbor, 'at night', 2, { round: roundOf(2)(0) });
	const rain = editOf(night, 'in the rain', 3, { round: roundOf(3)(0) });

	const labelsOf = (images: GalleryImage[], of: GalleryImage) =>
		new Lineage(roundsOf(newestFirst(...images), []))
			.chainOf({ image: of, request: undefined })
			.map(({ label }) => label);

	test('leads from the first image to the last edit', () => {
		const all = [harbor, night, rain];
		assert.deepEqual(labelsOf(all, rain), ['1a', '2a']);
		assert.deepEqual(labelsOf(all, night), ['1a']);
		assert.deepEqual(labelsOf(all, harbor), []);
	});

	const replaced = { ...night, target: harbor.target };
	const ofPhoto = editOf({ target: 'file:///w/photo.png', sha256: 'hash of a photo' }, 'sharp', 2);
	const inspired = { ...night, operation: 'generate' as const };
	for (const [what, original, image, labels] of [
		['leads to an original of another name', { target: 'file:///w/port.png' }, night, ['1a']],
		['leads to the place of an original of other bytes', { sha256: 'another' }, night, ['1a']],
		['leads to the original that an edit has replaced', {}, replaced, ['1a']],
		['of an edit of a file of the user begins with itself', {}, ofPhoto, []],
		['of an image made with references begins with itself', {}, inspired, []],
	] as const) {
		test(what, () => {
			assert.deepEqual(labelsOf([{ ...harbor, ...original }, image], image), labels);
		});
	}

	test('is there while an edit is made', () => {
		const running: GenerationRequest = {
			...request('in snow', 9, roundOf(4)(0)),
			operation: 'edit',
			references: [{ ...referenceOf(1), source: night.target, sha256: night.sha256! }],
		};
		const lineage = new Lineage(roundsOf(newestFirst(harbor, night), [running]));
		const slot = { image: undefined, request: running };
		assert.equal(lineage.parentOf(slot)?.label, '2a');
		assert.deepEqual(
			lineage.chainOf(slot).map(({ label }) => label),
			['1a', '2a'],
		);
	});

	test('of an edit whose reference was not noted begins with itself', () => {
		const running = { ...request('in fog', 9), operation: 'edit' as const };
		const slot = { image: undefined, request: running };
		assert.deepEqual(madeFrom(slot), {
			edited: undefined,
			sha256: undefined,
			before: running.createdAt,
		});
		assert.equal(new Lineage(roundsOf([harbor], [])).parentOf(slot), undefined);
	});

	test('prefers of two images with the same bytes the one that was edited', () => {
		const twin = { ...image('twin', 0, { round: roundOf(7)(0) }), sha256: harbor.sha256 };
		assert.deepEqual(labelsOf([twin, harbor, night], night), ['1a']);
		assert.deepEqual(labelsOf([twin, night], night), ['7a']);
	});

	test('comes to an end also where images claim to come from each other', () => {
		const a = editOf({ target: 'file:///w/images/b.png', sha256: 'hash of b' }, 'a', 5);
		const b = editOf({ target: 'file:///w/images/a.png', sha256: 'hash of a' }, 'b', 5);
		assert.deepEqual(labelsOf([a, b], a), []);
		const self = editOf({ target: 'file:///w/images/self.png', sha256: 'hash of self' }, 'self', 5);
		assert.deepEqual(labelsOf([self], self), []);
	});

	test('is cut where it is very long', () => {
		const images = [harbor];
		for (let index = 1; index <= 150; index++) {
			images.push(editOf(images.at(-1)!, `step ${String(index)}`, index + 1));
		}
		assert.equal(labelsOf([...images], images.at(-1)!).length, 99);
	});
});
