import assert from 'node:assert/strict';
import { onScreen } from '../../../../src/webview/studio/onScreen';
import { gap, layOut } from '../../../../src/webview/studio/streamLayout';

const rounds = ['4', '3', '2', '1'].map((id) => ({
	id,
	collapsed: id === '2',
	slots: ['a', 'b', 'c', 'd'].map((letter) => ({ id: `${id}${letter}`, ratio: 1 })),
}));
const layout = layOut(rounds, 4 * 300 + 3 * gap);
const isImage = (id: string) => !id.endsWith('d');
const [, third, second, first] = layout.blocks;

suite('onScreen', () => {
	test('is what is seen, then what is around it: images alone, and none of a collapsed round', () => {
		const { rounds: ids, images } = onScreen(
			layout,
			{ top: 0, bottom: layout.height },
			{ top: third!.y, bottom: second!.y },
			isImage,
		);
		assert.deepEqual(ids, ['3', '4', '2', '1']);
		assert.deepEqual(images, ['3a', '3b', '3c', '4a', '4b', '4c', '1a', '1b', '1c']);
	});

	test('is nothing that is far away', () => {
		const seen = { top: first!.y, bottom: first!.y + first!.height };
		const { rounds: ids, images } = onScreen(layout, seen, seen, isImage);
		assert.deepEqual([ids, images], [['1'], ['1a', '1b', '1c']]);
	});
});
