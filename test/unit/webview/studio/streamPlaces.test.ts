import assert from 'node:assert/strict';
import type { Job, Round } from '../../../../src/protocol/studio';
import { StreamPlaces } from '../../../../src/webview/studio/streamPlaces';

const image = (id: string) => ({ id, kind: 'image', ratio: 1 }) as const;
const job = (id: string) => ({ id, kind: 'job', ratio: 1 }) as const;
const rounds = [
	{ id: '2', slots: [image('2a'), job('2b')] },
	// Of before there were rounds: it has the id of its image.
	{ id: '1', slots: [image('1')] },
];
const nothing = new Map<string, Round>();

function places(): StreamPlaces {
	const made = new StreamPlaces();
	assert.equal(made.take(rounds, nothing, []), true);
	return made;
}

suite('StreamPlaces', () => {
	test('finds a round by its own id, and by that of any of its slots', () => {
		const { indexOf } = { indexOf: (id: string | undefined) => places().indexOf(id) };
		assert.deepEqual(['2', '2a', '2b', '1', 'x', undefined].map(indexOf), [0, 0, 0, 1, 0, 0]);
	});

	test('knows who stands in a round, and what is an image', () => {
		assert.equal(places().slots('2'), rounds[0]?.slots);
		assert.deepEqual(places().slots('x'), []);
		assert.equal(places().isImage('2a'), true);
		assert.equal(places().isImage('2b'), false);
	});

	test('an image that comes into its place leads to no other layout', () => {
		const made = places();
		const before = made.shapes;
		const came = [{ ...rounds[0]!, slots: [image('2a'), image('2b')] }, rounds[1]!];
		assert.equal(made.take(came, nothing, []), false);
		assert.equal(made.shapes, before);
		assert.equal(made.isImage('2b'), true);
	});

	test('a failure and a round that is folded up do', () => {
		const made = places();
		const failed = { id: '2b', state: 'failed', cause: '402' } as Job;
		assert.equal(made.take(rounds, nothing, [failed]), true);
		assert.equal(made.take(rounds, nothing, [failed]), false);
		const folded = new Map([['1', { collapsed: true } as Round]]);
		assert.equal(made.isFoldedOtherwise(nothing), false);
		assert.equal(made.isFoldedOtherwise(folded), true);
		assert.equal(made.take(rounds, folded, [failed]), true);
		assert.deepEqual(
			['1', '2', '2a'].map((id) => made.isCollapsed(id)),
			[true, false, false],
		);
	});
});
