import assert from 'node:assert/strict';
import { loadImage } from '@napi-rs/canvas';
import { rare } from '../../host/rare.js';
import { drawPicture } from '../../service/picture.js';

// The smallest and the largest size of the specification's table, with the sizes in MB that
// photographic PNG files of it have.
const fileSizes: Readonly<Record<string, readonly [min: number, max: number]>> = {
	'1024x1024': [1, 3],
	'3840x2160': [12, 24],
};

suite('The stand-in service: pictures', () => {
	for (const [size, [min, max]] of Object.entries(fileSizes)) {
		(size === '1024x1024' ? test : rare)(
			`A file of the size ${size} has ${min} to ${max} MB, by its quality`,
			async () => {
				const draw = async (quality?: string): Promise<number> => {
					const picture = await drawPicture({
						prompt: 'A settings dialog',
						...{ size, quality, references: [] },
					});
					const { width, height } = await loadImage(picture);
					assert.equal(`${width}x${height}`, size);
					return picture.length / 1e6;
				};
				const [low, unset, high] = [await draw('low'), await draw(), await draw('high')];
				const found = [min, low, unset, high, max];
				assert.deepEqual(
					found,
					found.toSorted((a, b) => a - b),
				);
			},
		);
	}
});
