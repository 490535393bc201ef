import assert from 'node:assert/strict';
import { originOf, type GalleryImage } from '../../../src/jobs/gallery';

suite('originOf', () => {
	const image = (target: string, prompt: string, original?: string) =>
		({
			target,
			prompt,
			operation: original === undefined ? 'generate' : 'edit',
			references: original === undefined ? [] : [original, 'file:///other.png'],
		}) as unknown as GalleryImage;
	const made = image('file:///a.png', 'a fox');
	const night = image('file:///b.png', 'make it night', made.target);
	const snow = image('file:///c.png', 'add snow', night.target);

	test('follows edits back to the prompt that they have begun with', () => {
		assert.deepEqual(originOf(snow, [snow, night, made]), {
			files: [night.target, made.target],
			prompt: 'a fox',
		});
	});

	test('is the file of unknown origin', () => {
		assert.deepEqual(originOf(night, [night]), { files: [made.target], prompt: undefined });
	});

	test('is nothing for what is no edit', () => {
		assert.equal(originOf(made, [made]), undefined);
		assert.equal(originOf({ operation: 'edit', references: [] }, []), undefined);
		const inTheStyleOf = { operation: 'generate' as const, references: [made.target] };
		assert.equal(originOf(inTheStyleOf, [made]), undefined);
	});

	test('comes to an end where edits have taken the place of their originals', () => {
		const circle = image('file:///a.png', 'darker', 'file:///a.png');
		assert.deepEqual(originOf(circle, [circle]), { files: ['file:///a.png'], prompt: undefined });
	});
});
