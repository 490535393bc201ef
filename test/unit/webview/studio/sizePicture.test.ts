import assert from 'node:assert/strict';
import { sizeTable } from '../../../../src/service/contract';
import { namesOf, pictureOf } from '../../../../src/webview/studio/sizePicture';

suite('sizePicture', () => {
	test('every size of the service is drawn in its ratio, within its place', () => {
		for (const { size } of sizeTable.filter((row) => row.size !== 'auto')) {
			const [width = 0, height = 0] = size.split('x').map(Number);
			const picture = pictureOf(size);
			assert.ok(picture);
			// Half pixels.
			const drawn = picture.width / picture.height;
			assert.ok(Math.abs(drawn / (width / height) - 1) < 0.05, `${size} as ${String(drawn)}`);
			assert.ok(Math.max(picture.width, picture.height) <= 22);
			assert.ok(Math.min(picture.width, picture.height) >= 8);
		}
		assert.equal(pictureOf('auto'), undefined);
	});

	test('more pixels are a larger picture, and sizes of one ratio are not the same', () => {
		const widths = ['1024x1024', '2048x2048'].map((size) => pictureOf(size)?.width);
		assert.deepEqual(widths, [14, 18]);
	});

	test('names are those that a person reads', () => {
		const option = { use: '', experimental: false };
		assert.deepEqual(namesOf({ ...option, size: 'auto', ratio: 'automatic' }), [
			'any ratio',
			'Automatic',
		]);
		assert.deepEqual(namesOf({ ...option, size: '1024x1024', ratio: '1:1' }), [
			'1024 × 1024',
			'1:1',
		]);
		assert.deepEqual(namesOf({ ...option, size: '1536x1024', ratio: '3:2' }), [
			'1536 × 1024',
			'3:2',
		]);
	});
});
