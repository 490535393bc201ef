import assert from 'node:assert/strict';
import { nearestSize, parseSize, sizeProblem, sizeRow } from '../../../src/service/contract.js';
import { offerOf, services } from '../../../src/service/services.js';

suite('contract › nearestSize', () => {
	for (const [width, height, size] of [
		[1024, 1024, '1024x1024'],
		[64, 64, '1024x1024'],
		[4000, 4000, '2048x2048'],
		[800, 600, '1536x1152'],
		[2000, 3000, '1024x1536'],
		[1366, 768, '2048x1152'],
		// The experimental one of the same ratio has more pixels, and is not proposed.
		[3840, 2160, '2048x1152'],
		// Of this ratio there is only an experimental one.
		[1170, 2532, '2160x3840'],
		[10_000, 1, '2048x1152'],
		[1, 10_000, '2160x3840'],
	] as const) {
		test(`of ${String(width)} x ${String(height)} is ${size}`, () => {
			assert.equal(nearestSize({ width, height }, services.standard), size);
		});
	}
});

suite('contract › sizeProblem', () => {
	for (const [id, size, rule, nearest] of [
		['openai', '1024x1024', undefined, undefined],
		['openai', '1280x640', undefined, undefined],
		['openai', '1000x1000', 'multipleOf', '1008x1008'],
		['openai', '1920x1080', 'multipleOf', '1920x1088'],
		['openai', '4096x2048', 'maxEdge', '3840x1920'],
		['openai', '3200x800', 'maxRatio', '2400x800'],
		['openai', '512x512', 'minPixels', '816x816'],
		['openai', '3840x3840', 'maxPixels', '2880x2880'],
		['local', '72x2048', undefined, undefined],
		['local', '500x500', 'multipleOf', '504x504'],
		['local', '32x256', 'minEdge', '64x512'],
		['local', '2160x2160', 'maxEdge', '2048x2048'],
		['standard', '1280x640', undefined, '2048x1152'],
		['standard', '512x512', undefined, '1024x1024'],
	] as const) {
		test(`of ${size} at ${id} is ${rule ?? 'no rule'}, and ${nearest ?? 'itself'} the nearest size`, () => {
			const problem = sizeProblem(size, services[id]);
			assert.deepEqual([problem?.broken?.rule, problem?.nearest], [rule, nearest]);
			assert.ok(nearest === undefined || sizeProblem(nearest, services[id]) === undefined);
		});
	}

	test('holds an older model to its list', () => {
		const offer = offerOf(services.openai, 'gpt-image-1.5');
		assert.deepEqual(sizeProblem('1280x640', offer), { nearest: '1536x1024' });
	});

	test('proposes what an image is like, but nothing experimental', () => {
		const nearest = (width: number, height: number) =>
			nearestSize({ width, height }, services.openai);
		assert.equal(nearest(1280, 640), '1280x640');
		assert.equal(nearest(3840, 2160), '2720x1536');
		assert.equal(nearest(64, 64), '816x816');
	});

	test('knows sizes as they are typed, and their ratio', () => {
		assert.equal(parseSize(' 1280 × 640 '), '1280x640');
		assert.equal(parseSize('1280X640'), '1280x640');
		for (const text of ['', '1280', '0x64', '1e3x64', '-1x64', '123456x1']) {
			assert.equal(parseSize(text), undefined, text);
		}
		assert.equal(sizeRow('1280x640').ratio, '2:1');
		assert.equal(sizeRow('1000x1001').ratio, '1.00:1');
	});
});
