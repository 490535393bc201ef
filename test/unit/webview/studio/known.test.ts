import assert from 'node:assert/strict';
import type { Image, Round } from '../../../../src/protocol/studio';
import { nothingKnown, withDescribed } from '../../../../src/webview/studio/known';

const image = (id: string, name = id) => ({ id, name }) as Image;

function withImages(known: ReadonlyMap<string, Image>, images: readonly Image[]) {
	return withDescribed({ rounds: new Map(), images: known }, { rounds: [], images: [...images] })
		.images;
}

suite('what has been described', () => {
	test('leaves the maps as they are that it says nothing about', () => {
		const round = { id: 'r' } as Round;
		const known = withDescribed(nothingKnown, { rounds: [round], images: [] });
		assert.equal(known.images, nothingKnown.images);
		assert.deepEqual([...known.rounds.values()], [round]);
	});

	test('is the same object as before where it says the same', () => {
		const known = withImages(new Map(), [{ ...image('a'), chain: [{ label: '1a' }] }]);
		const again = withImages(known, [{ ...image('a'), chain: [{ label: '1a' }] }]);
		assert.equal(again.get('a'), known.get('a'));
		const other = withImages(known, [{ ...image('a'), chain: [{ label: '1b' }] }]);
		assert.notEqual(other.get('a'), known.get('a'));
	});

	test('takes the last that was said of an image, and leaves the map before as it was', () => {
		const before = withImages(new Map(), [image('a'), image('b')]);
		const after = withImages(before, [image('a', 'renamed')]);
		assert.equal(before.get('a')?.name, 'a');
		assert.deepEqual([...after.values()], [image('b'), image('a', 'renamed')]);
	});

	test('keeps a thumbnail until another comes, as long as the file is the same', () => {
		const known = withImages(new Map(), [{ ...image('a'), source: 'a?v=1', thumbnail: 'small' }]);
		const thumbnailOf = (now: Partial<Image>) =>
			withImages(known, [{ ...image('a'), ...now }]).get('a')?.thumbnail;
		assert.equal(thumbnailOf({ source: 'a?v=1' }), 'small');
		assert.equal(thumbnailOf({ source: 'a?v=1', thumbnail: 'other' }), 'other');
		assert.equal(thumbnailOf({ source: 'a?v=2' }), undefined);
		assert.equal(thumbnailOf({ source: 'a?v=2', thumbnail: 'other' }), 'other');
		assert.equal(thumbnailOf({ exists: false }), undefined);
	});

	test('forgets what was said longest ago', () => {
		const many = Array.from({ length: 2000 }, (_, index) => image(String(index)));
		const known = withImages(withImages(new Map(), many), [image('0', 'again'), image('new')]);
		assert.equal(known.size, 2000);
		assert.equal(known.get('0')?.name, 'again');
		assert.equal(known.has('1'), false);
		assert.equal(known.has('2'), true);
	});
});
