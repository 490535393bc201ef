import assert from 'node:assert/strict';
import type { Image } from '../../../../src/protocol/studio';
import { withImages } from '../../../../src/webview/studio/knownImages';

const image = (id: string, name = id) => ({ id, name }) as Image;

suite('withImages', () => {
	test('takes the last that was said of an image, and leaves the map before as it was', () => {
		const before = withImages(new Map(), [image('a'), image('b')]);
		const after = withImages(before, [image('a', 'renamed')]);
		assert.equal(before.get('a')?.name, 'a');
		assert.deepEqual([...after.values()], [image('b'), image('a', 'renamed')]);
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
