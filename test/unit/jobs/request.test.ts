import assert from 'node:assert/strict';
import { generationRequestSchema } from '../../../src/jobs/request.js';
import { requestOf } from './support.js';

const whole = requestOf({
	operation: 'edit',
	quality: 'low',
	references: [
		{
			path: '/jobs/1/references/1/a.png',
			source: 'file:///w/a.png',
			fileName: 'a.png',
			contentType: 'image/png',
			width: 10,
			height: 10,
			bytes: 99,
			sha256: 'ab',
		},
	],
	workspaceFolder: 'file:///w',
	document: 'file:///w/a.md',
	insertion: {
		id: crypto.randomUUID(),
		places: [{ start: 0, end: 5 }],
		block: true,
		sha256: 'cd',
	},
	target: { folder: 'file:///w/images', root: 'file:///w', stem: 'a' },
});

const takes = (request: unknown) => generationRequestSchema.safeParse(request).success;

suite('jobs › request', () => {
	test('is read as it was written, with everything and with the least', () => {
		for (const request of [whole, requestOf()]) {
			assert.deepEqual(generationRequestSchema.parse(JSON.parse(JSON.stringify(request))), request);
		}
	});

	test('is refused where a part of it is missing, damaged or unknown', () => {
		const { references, insertion } = whole;
		for (const damage of [
			...[{ id: '1' }, { createdAt: 'today' }, { operation: '' }, { model: undefined }],
			...[{ prompt: '' }, { size: '1x1' }, { quality: 'best' }, { references: undefined }],
			...[{ workspaceFolder: 1 }, { document: 1 }, { more: 1 }, { target: undefined }],
			...[{ target: { folder: 'file:///w', stem: '' } }, { target: { stem: 'a' } }],
			{ target: { folder: 'file:///w', stem: 'a', more: 1 } },
			...[
				...[
					{ id: '1' },
					{ places: [] },
					{ places: [{ start: 0 }] },
					{ places: [{ start: 0.5, end: 1 }] },
				],
				...[{ places: [{ start: 0, end: 1, more: 1 }] }, { block: 1 }, { sha256: 1 }, { more: 1 }],
			].map((one) => ({ insertion: { ...insertion, ...one } })),
			...[
				...[
					{ path: 1 },
					{ source: 1 },
					{ fileName: 1 },
					{ contentType: 'image/gif' },
					{ width: 0.5 },
				],
				...[{ height: 0.5 }, { bytes: 0.5 }, { sha256: 1 }, { more: 1 }],
			].map((one) => ({ references: [{ ...references[0], ...one }] })),
		]) {
			assert.ok(!takes({ ...whole, ...damage }), JSON.stringify(damage));
		}
	});
});
