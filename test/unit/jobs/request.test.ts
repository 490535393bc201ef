import assert from 'node:assert/strict';
import { callOf, generationRequestSchema, ownReferences } from '../../../src/jobs/request.js';
import { referenceOf, requestOf, roundOf } from './support.js';

const whole = requestOf({
	operation: 'edit',
	quality: 'low',
	references: [referenceOf(99)],
	workspaceFolder: 'file:///w',
	document: 'file:///w/a.md',
	insertion: {
		id: crypto.randomUUID(),
		places: [{ start: 0, end: 5 }],
		block: true,
		sha256: 'cd',
	},
	target: { folder: 'file:///w/images', root: 'file:///w', stem: 'a' },
	effectivePrompt: 'a fox\n\nStyle: flat',
	style: { path: '.easel/style.md', sha256: 'ef', references: ['01', '02'] },
	withoutStyle: true,
	smallerReferences: true,
	round: roundOf({ number: 7, place: 3 }),
	provenance: 'inImage',
	regeneratedFrom: 'file:///w/b.png',
});

suite('jobs › request', () => {
	test('is read as it was written, with everything and with the least', () => {
		const { round } = whole;
		for (const request of [
			whole,
			requestOf(),
			...(['besideImage', 'none'] as const).map((provenance) => ({ ...whole, provenance })),
			{ ...whole, effectivePrompt: 'a', round: { ...round, number: 1, place: 0 } },
		]) {
			assert.deepEqual(generationRequestSchema.parse(JSON.parse(JSON.stringify(request))), request);
		}
	});

	test('has the references of its style behind those of the user', () => {
		const references = ['a', 'b', 'c'].map((sha256) => ({ ...whole.references[0]!, sha256 }));
		const style = { path: '', sha256: '' };
		for (const [of, own] of [
			[undefined, 'abc'],
			[{ ...style, references: [] }, 'abc'],
			[{ ...style, references: ['c'] }, 'ab'],
			[{ ...style, references: ['a', 'b', 'c'] }, ''],
		] as const) {
			const found = ownReferences({
				references,
				style: of && { ...of, references: [...of.references] },
			});
			assert.equal(found.map(({ sha256 }) => sha256).join(''), own);
		}
	});

	test('sends its marks as a second image, or over the first', () => {
		const mark = { shape: 'rectangle', note: 'blue', x: 0, y: 0, width: 0.5, height: 0.5 } as const;
		const [first, second] = [referenceOf(1), referenceOf(2)];
		const image = { path: '/w/marks', contentType: 'image/png' } as const;
		const call = (manner: 'copy' | 'mask' | 'markup') =>
			callOf({
				...{ ...whole, marks: [mark], references: [first, second] },
				markedImage: { ...image, manner },
			});
		const copy = call('copy');
		assert.deepEqual(
			copy.references.map(({ path }) => path),
			[first.path, '/w/marks', second.path],
		);
		assert.equal(copy.overlay, undefined);
		assert.match(copy.prompt, /^a fox\n\nStyle: flat\n\nThe second image is a copy/);
		const { references, overlay } = call('mask');
		assert.equal(references.length, 2);
		assert.deepEqual([overlay?.field, overlay?.path], ['mask', '/w/marks']);
		assert.equal(callOf(whole).prompt, whole.effectivePrompt);
	});
});
