import assert from 'node:assert/strict';
import { areaOf, markedPixels } from '../../../../src/images/marks/areas.js';
import { drawMarks } from '../../../../src/images/marks/draw.js';
import { promptWithMarks } from '../../../../src/images/marks/words.js';
import { marksSchema, roundedMarks, type Mark } from '../../../../src/images/marks.js';

const rectangle: Mark = {
	...{ shape: 'rectangle', note: 'make this button\nthe primary one' },
	...{ x: 0.1, y: 0.5, width: 0.2, height: 0.25 },
};
const arrow: Mark = {
	...{ shape: 'arrow', note: '' },
	...{ from: { x: 0.9, y: 0.9 }, to: { x: 0.5, y: 0.5 } },
};
const area: Mark = {
	shape: 'area',
	note: 'blue',
	points: [
		{ x: 0.2, y: 0.2 },
		{ x: 0.4, y: 0.2 },
		{ x: 0.3, y: 0.4 },
	],
};

suite('The words about marks', () => {
	test('say what each number means and where it is, and that marks are not drawn', () => {
		const text = promptWithMarks('Modern', [rectangle, area, arrow], 'copy', 0);
		assert.equal(
			text,
			[
				'Modern',
				'',
				'The second image is a copy of the first one with numbered marks drawn on it. Edit the first image. Change only the marked places, and leave everything else exactly as it is:',
				'1 (rectangle, 10–30 % from the left, 50–75 % from the top): make this button the primary one',
				'2 (outlined area, 20–40 % from the left, 20–40 % from the top): blue',
				'3 (where the arrow points, 50 % from the left, 50 % from the top): as said above',
				'The marks and their numbers only show the places. Do not draw any of them in the picture.',
			].join('\n'),
		);
	});

	test('name the picture that the marks are sent in, and keep the numbers of other images', () => {
		assert.match(promptWithMarks('a', [area], 'mask', 1), /\n\nThe mask leaves the marked places/);
		assert.match(promptWithMarks('a', [area], 'markup', 1), /drawn over the first image\. Change/);
		assert.match(promptWithMarks('a', [area], 'copy', 1), /this copy does not count\. Change only/);
	});
});

suite('The marked pixels', () => {
	const size = { width: 40, height: 20 };
	const count = (marks: readonly Mark[]) =>
		markedPixels(marks, size).reduce((sum, one) => sum + one, 0);

	test('are those of a rectangle, and of the square around the tip of an arrow', () => {
		const marked = markedPixels([rectangle], size);
		const at = (x: number, y: number) => marked[y * 40 + x];
		assert.equal(count([rectangle]), 8 * 5);
		assert.deepEqual([at(4, 10), at(11, 14), at(3, 10), at(12, 14), at(4, 9)], [1, 1, 0, 0, 0]);
		assert.deepEqual(areaOf(arrow, size)[0], { x: 17.5, y: 7.5 });
		assert.equal(count([arrow]), 5 * 5);
	});

	test('end at the edges of the picture', () => {
		const corner: Mark = { ...arrow, to: { x: 1, y: 1 } };
		assert.equal(count([corner]), 3 * 3);
		assert.equal(count([{ ...rectangle, x: 0, y: 0, width: 1, height: 1 }]), 40 * 20);
	});

	test('are all loops of an outline that crosses itself', () => {
		const crossed: Mark = {
			...area,
			points: [
				{ x: 0, y: 0 },
				{ x: 1, y: 1 },
				{ x: 1, y: 0 },
				{ x: 0, y: 1 },
			],
		};
		const marked = markedPixels([crossed], size);
		assert.equal(marked[10 * 40 + 1], 1);
		assert.equal(marked[10 * 40 + 38], 1);
		assert.equal(marked[1 * 40 + 20], 0);
	});
});

suite('Drawn marks', () => {
	const blank = () => ({ width: 400, height: 300, data: new Uint8ClampedArray(400 * 300 * 4) });

	test('are lines on what is transparent, with numbers that lie within the picture', () => {
		const picture = blank();
		drawMarks(picture, [{ ...rectangle, x: 0, y: 0 }, arrow]);
		const alpha = (x: number, y: number) => picture.data[(y * 400 + x) * 4 + 3];
		assert.equal(alpha(80, 30), 255, 'the right side');
		assert.equal(alpha(40, 30), 0, 'the middle');
		assert.equal(alpha(8, 8), 255, 'the number');
		assert.equal(alpha(280, 210), 255, 'the arrow');
	});

	test('of every number differ', () => {
		const seen = new Set<string>();
		for (let number = 1; number <= 20; number++) {
			const picture = blank();
			const mark: Mark = { ...rectangle, x: 0.5, y: 0.5 };
			drawMarks(
				picture,
				Array.from({ length: number }, () => mark),
			);
			seen.add(Buffer.from(picture.data).toString('base64'));
		}
		assert.equal(seen.size, 20);
	});

	test('are saved to a hundredth of a percent', () => {
		const [rounded] = roundedMarks([{ ...rectangle, x: 1 / 3 }]) ?? [];
		assert.ok(rounded?.shape === 'rectangle' && rounded.x === 0.3333);
		assert.equal(roundedMarks([]), undefined);
		assert.ok(marksSchema.safeParse([rounded]).success);
	});
});
