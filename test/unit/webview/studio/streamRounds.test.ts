import assert from 'node:assert/strict';
import { everything, type Round } from '../../../../src/protocol/studio';
import * as rounds from '../../../../src/webview/studio/streamRounds';

/** `a` is an image, `A` is a job. */
function placesOf(id: string, slots: string): rounds.RoundPlaces {
	return {
		id,
		slots: [...slots].map((slot) => ({
			id: `${id}${slot.toLowerCase()}`,
			kind: slot === slot.toLowerCase() ? 'image' : 'job',
			ratio: 1,
		})),
	};
}
const both = [placesOf('2', 'abC'), placesOf('1', 'a')];
const none = new Map<string, string>();

suite('streamRounds › what the layout has to know', () => {
	test('whether a round is collapsed: as the list says, until it is described', () => {
		const listed = [{ ...both[0]!, collapsed: true }, both[1]!];
		const collapsed = (known: ReadonlyMap<string, Round>) =>
			rounds.shapesOf(listed, known, none).map((shape) => shape.collapsed);
		assert.deepEqual(collapsed(new Map()), [true, false]);
		assert.deepEqual(collapsed(new Map([['2', { collapsed: false } as Round]])), [false, false]);
	});

	test('why an image has failed, and of no image that is there', () => {
		const causes = new Map([
			['2c', '402'],
			['2a', '402'],
		]);
		const [shape] = rounds.shapesOf(both, new Map(), causes);
		assert.deepEqual(
			shape?.slots.map(({ group }) => group),
			[undefined, undefined, '402'],
		);
	});

	test('is the same as long as nothing moves', () => {
		const shapes = rounds.shapesOf(both, new Map(), none);
		const arrived = [placesOf('2', 'abc'), both[1]!];
		const differ = (now: readonly rounds.RoundPlaces[], causes = none) =>
			rounds.differ(shapes, rounds.shapesOf(now, new Map(), causes));
		assert.equal(differ(arrived), false);
		assert.equal(differ([placesOf('2', 'abCD'), both[1]!]), true);
		assert.equal(differ([both[1]!]), true);
		assert.equal(differ([{ ...both[0]!, collapsed: true }, both[1]!]), true);
		assert.equal(differ(both, new Map([['2c', '402']])), true);
	});
});

suite('streamRounds › who stands where', () => {
	test('the images that are there, newest round first', () => {
		assert.deepEqual(rounds.imagesIn(both), ['2a', '2b', '1a']);
	});

	test('what is compared stands as it was made; what is nowhere stands behind', () => {
		assert.deepEqual(rounds.byAge(['x', '2b', '2a', '1a'], both), ['1a', '2a', '2b', 'x']);
	});

	test('the tab stop goes to the next tile where its own has gone, in another round too', () => {
		const before = rounds.shapesOf(both, new Map(), none);
		const after = (now: readonly rounds.RoundPlaces[], active: string | undefined) =>
			rounds.activeAfter(active, before, rounds.shapesOf(now, new Map(), none));
		assert.equal(after(both, '2b'), '2b');
		assert.equal(after([placesOf('2', 'ac'), both[1]!], '2b'), '2c');
		assert.equal(after([both[1]!], '2b'), '1a');
		assert.equal(after([both[0]!], '1a'), '2c');
		assert.equal(after([], '1a'), undefined);
		assert.equal(after(both, undefined), undefined);
	});
});

test('streamRounds › one searches until the rounds are those that were looked for', () => {
	const found = { query: everything, rounds: both, total: 3, kept: 0, hasStyle: false };
	assert.equal(rounds.isSearching(undefined, everything), false);
	assert.equal(rounds.isSearching(found, { ...everything }), false);
	for (const other of [{ text: 'boat' }, { among: 'kept' }, { size: '1024x1024' }] as const) {
		assert.equal(rounds.isSearching(found, { ...everything, ...other }), true);
	}
});
