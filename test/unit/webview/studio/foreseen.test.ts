import assert from 'node:assert/strict';
import type { Image, Reference, Round, StudioRequest } from '../../../../src/protocol/studio';
import { foreseen, foreseenReferences, takenBack } from '../../../../src/webview/studio/foreseen';
import { nothingKnown, withDescribed } from '../../../../src/webview/studio/known';

const image = { id: 'i', kept: false, title: 'calm', note: 'for the team' } as Image;
const round = { id: 'r', collapsed: false, name: 'first try' } as Round;
const known = withDescribed(nothingKnown, { rounds: [round], images: [image] });
const after = (request: StudioRequest) => foreseen(known, request);

suite('what is shown before the extension has said it', () => {
	test('an image is kept, and keeps its title and note', () => {
		const { images } = after({ type: 'markImage', id: 'i', kept: true });
		assert.deepEqual(images.get('i'), { ...image, kept: true });
		assert.equal(known.images.get('i')?.kept, false);
	});

	test('an empty text takes a title, a note or a name away', () => {
		const { images } = after({ type: 'markImage', id: 'i', title: '', note: 'b' });
		assert.deepEqual(images.get('i'), { id: 'i', kept: false, note: 'b' });
		const { rounds } = after({ type: 'markRound', id: 'r', name: '' });
		assert.deepEqual(rounds.get('r'), { id: 'r', collapsed: false });
	});

	test('a round is collapsed, and keeps its name', () => {
		const { rounds } = after({ type: 'markRound', id: 'r', collapsed: true });
		assert.deepEqual(rounds.get('r'), { ...round, collapsed: true });
	});

	test('what is not known, or asked for otherwise, changes nothing', () => {
		assert.equal(after({ type: 'roundAgain', id: 'r' }), known);
		const request = { type: 'markImage', id: 'x', kept: true } as const;
		assert.equal(after(request).images, known.images);
	});

	test('is taken back where the extension cannot do it, and nothing else is', () => {
		const request = { type: 'markImage', id: 'i', kept: true } as const;
		const other = { ...image, id: 'j' };
		const now = withDescribed(after(request), { rounds: [], images: [other] });
		const back = takenBack(now, known, request);
		assert.deepEqual([...back.images.values()], [image, other]);
		assert.equal(back.rounds.get('r'), round);
	});

	test('a reference image stands where it was moved to', () => {
		const references = ['a', 'b', 'c'].map((id) => ({ id }) as Reference);
		const ids = (request: StudioRequest) =>
			foreseenReferences(references, request).map(({ id }) => id);
		assert.deepEqual(ids({ type: 'moveReference', id: 'c', to: 0 }), ['c', 'a', 'b']);
		assert.deepEqual(ids({ type: 'moveReference', id: 'x', to: 0 }), ['a', 'b', 'c']);
		assert.deepEqual(ids({ type: 'ready' }), ['a', 'b', 'c']);
	});
});
