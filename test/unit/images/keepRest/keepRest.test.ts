import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { alignmentOf, keepRest } from '../../../../src/images/keepRest/keepRest.js';
import { keepRestInThread } from '../../../../src/images/keepRest/restThread.js';
import type { Mark } from '../../../../src/images/marks.js';
import { markedPixels } from '../../../../src/images/marks/areas.js';
import type { Pixels } from '../../../../src/images/thumbnails/shrink.js';
import { drawnPng } from '../../../formats/oddPictures.js';
import { rare } from '../../../host/rare.js';
import { bundleWorker } from '../thumbnails/bundle.js';
import { pairOf, type Kind, type Manner } from './pairs.js';

const rectangle = (x: number, y: number, width: number, height: number): Mark => ({
	...{ shape: 'rectangle', note: '' },
	...{ x, y, width, height },
});
const small = [rectangle(0.4, 0.4, 0.2, 0.15)];
const two = [rectangle(0.05, 0.05, 0.2, 0.2), rectangle(0.6, 0.5, 0.3, 0.3)];
const side = [rectangle(0, 0, 0.3, 1)];
const many = [...two, rectangle(0.3, 0, 0.2, 0.4), rectangle(0.1, 0.6, 0.4, 0.35)];

// Three quarters and more, so that what is compared is far from the other edges.
const below = [rectangle(0, 0.2, 1, 0.8)];
const most = [rectangle(0.5, 0, 0.5, 1), rectangle(0, 0.5, 0.5, 0.5)];

const copyOf = ({ data }: Pixels) => new Uint8ClampedArray(data);
const colorAt = ({ data, width }: Pixels, x: number, y: number) => [
	...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3),
];

/** Asserts that all unmarked pixels are those from before. */
function assertKept(picture: Pixels, before: Uint8ClampedArray, marks: readonly Mark[]): void {
	const now = new Uint32Array(picture.data.buffer);
	const then = new Uint32Array(before.buffer);
	const changed = markedPixels(marks, picture).findIndex(
		(isMarked, at) => isMarked === 0 && now[at] !== then[at],
	);
	assert.equal(changed, -1, 'an unmarked pixel is another one');
}

suite('Keeping the rest of a picture', () => {
	for (const [what, manner, moved] of [
		['repainted', { noise: 10 }, 0],
		['moved by 3 pixels', { move: [3, 0], noise: 6 }, 3],
		['answered in another size', { size: 0.9, noise: 4 }, 0],
	] as const) {
		test(`gives each pixel outside of the marks back where it was ${what}`, () => {
			const { original, answer } = pairOf('page', [640, 480], two, manner);
			const before = copyOf(original);
			const figures = keepRest(original, answer, two);
			assert.ok(figures !== 'reframed');
			assertKept(original, before, two);
			assert.deepEqual(Math.round(figures.share * 100), 87);
			assert.ok(Math.abs(figures.shift - moved) < 0.5, String(figures.shift));
			assert.ok(figures.changed < 0.1, String(figures.changed));
			// Red, as the service has painted it; towards the edge it turns into the original.
			const [red = 0, green = 0] = colorAt(original, 480, 312);
			assert.ok(Math.abs(red - 208) < 20 && Math.abs(green - 52) < 20, `${red} ${green}`);
		});
	}

	test('says how much of it the service had changed', () => {
		const { original, answer } = pairOf('page', [640, 480], small, {});
		for (let y = 0; y < 120; y++) {
			answer.data.fill(90, y * 640 * 4, (y + 1) * 640 * 4);
		}
		const figures = keepRest(original, answer, small);
		assert.ok(figures !== 'reframed');
		assert.ok(Math.abs(figures.changed - 0.25) < 0.03, String(figures.changed));
	});

	test('is refused where the framing is another one, and leaves the picture as it is', () => {
		const manner = { zoom: 1.5, move: [-150, -100] } as const;
		const { original, answer } = pairOf('city street', [640, 480], small, manner);
		const before = copyOf(original);
		assert.equal(keepRest(original, answer, small), 'reframed');
		assert.deepEqual(original.data, before);
	});

	test('is refused for another picture', () => {
		const { original } = pairOf('page', [640, 480], small, {});
		const { answer } = pairOf('forest', [640, 480], small, {});
		assert.equal(keepRest(original, answer, small), 'reframed');
	});

	test('takes all of an answer where all is marked, and works without anything to see', () => {
		const all = [rectangle(0, 0, 1, 1)];
		const { original, answer } = pairOf('page', [320, 240], all, {});
		assert.deepEqual(keepRest(original, answer, all), { share: 0, changed: 0, shift: 0, scale: 1 });
		assert.deepEqual(colorAt(original, 0, 0), colorAt(answer, 0, 0));
		const blank = { width: 300, height: 200, data: new Uint8ClampedArray(300 * 200 * 4).fill(255) };
		const figures = keepRest(blank, { ...blank, data: copyOf(blank) }, small);
		assert.ok(figures !== 'reframed' && figures.shift === 0);
	});

	test('keeps what is transparent', () => {
		const { original, answer } = pairOf('page', [320, 240], small, {});
		for (let at = 3; at < original.data.length / 4; at += 4) {
			original.data[at] = 0;
		}
		const before = copyOf(original);
		assert.notEqual(keepRest(original, answer, small), 'reframed');
		assertKept(original, before, small);
	});

	test('says where the original has more bits for each color than the image', async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'easel-rest-'));
		const script = path.join(folder, 'worker.js');
		try {
			await bundleWorker(script);
			for (const bitDepth of [8, 16] as const) {
				const original = path.join(folder, `${String(bitDepth)}.png`);
				await writeFile(original, drawnPng({ colorType: 2, bitDepth }));
				const order = { original, answer: original, marks: small };
				const file = path.join(folder, 'kept.png');
				const done = await keepRestInThread({ ...order, file }, script);
				assert.ok(done.type === 'restored');
				assert.equal(done.figures.wasDeeper, bitDepth === 16 ? true : undefined);
			}
		} finally {
			await rm(folder, { recursive: true });
		}
	});

	/** Real dimensions; what a service does to a picture, each by itself and together. */
	const table: readonly (readonly [
		Kind,
		readonly [number, number],
		readonly Mark[],
		Manner,
		'kept' | 'reframed',
	])[] = [
		['page', [1536, 1024], small, { move: [3, 0] }, 'kept'],
		['page', [1536, 1024], two, { move: [3, -2], noise: 12 }, 'kept'],
		['page', [3840, 2160], small, { move: [3, 0], noise: 10 }, 'kept'],
		['page', [1920, 1080], two, { size: [0.8, 0.8533], noise: 6 }, 'kept'],
		['text', [1024, 1536], side, { move: [0.5, 0.25] }, 'kept'],
		['text', [1024, 1024], many, { size: 0.94, noise: 8 }, 'kept'],
		['harbor sea', [1536, 1024], small, { move: [-3, 3], noise: 10, brighter: 12 }, 'kept'],
		['harbor sea', [2048, 1152], side, { zoom: 1.02, move: [-8, -4], noise: 10 }, 'kept'],
		['harbor sea', [3840, 2160], small, { zoom: 1.01, move: [-12, -8], noise: 16 }, 'kept'],
		['city street', [1024, 1536], two, { move: [3, 3] }, 'kept'],
		['city street', [1536, 1152], small, { size: 1.25, noise: 14 }, 'kept'],
		['city street', [3840, 2160], many, { size: 0.5, noise: 10 }, 'kept'],
		['forest', [1536, 1024], two, { move: [-40, 25], zoom: 1.03, noise: 8 }, 'kept'],
		['forest', [2048, 2048], small, { size: 0.5, move: [3, 0], noise: 20 }, 'kept'],
		['hills', [1536, 1024], many, { move: [3, 0], noise: 6 }, 'kept'],
		['hills', [1024, 1024], side, { zoom: 0.97, move: [15, 15] }, 'kept'],
		['forest', [2048, 2048], below, { size: 0.5, move: [3, 0], noise: 20 }, 'kept'],
		['harbor sea', [1536, 1024], most, { move: [-3, 3], noise: 10, brighter: 12 }, 'kept'],
		['page', [1536, 1024], small, { zoom: 1.6, move: [-300, -200] }, 'reframed'],
		['city street', [1536, 1024], small, { zoom: 1.4, move: [-100, -350] }, 'reframed'],
		['forest', [1024, 1024], small, { move: [400, 0], noise: 6 }, 'reframed'],
		['harbor sea', [1536, 1024], small, { zoom: 1.35, move: [-400, 0] }, 'reframed'],
	];
	for (const [index, [kind, size, marks, manner, end]] of table.entries()) {
		const words = `${kind}, ${size.join(' × ')}, ${JSON.stringify(manner)}`;
		const which = `${String(index + 1)} of ${String(table.length)}`;
		rare(`${which} is aligned to half a pixel, or refused: ${words}`, () => {
			const { original, answer } = pairOf(kind, size, marks, manner);
			const found = alignmentOf(original, answer, marks);
			assert.equal(found === undefined ? 'reframed' : 'kept', end);
			if (found === undefined) {
				return;
			}
			const { move = [0, 0], zoom = 1 } = manner;
			for (const x of [0, size[0]]) {
				for (const y of [0, size[1]]) {
					const across = ((found.scaleX * x + found.shiftX) / answer.width) * size[0];
					const down = ((found.scaleY * y + found.shiftY) / answer.height) * size[1];
					const error = Math.hypot(across - zoom * x - move[0], down - zoom * y - move[1]);
					assert.ok(error < 0.5, `${error.toFixed(3)} px at ${String(x)}, ${String(y)}`);
				}
			}
			const before = copyOf(original);
			assert.notEqual(keepRest(original, answer, marks), 'reframed');
			assertKept(original, before, marks);
		});
	}
});
