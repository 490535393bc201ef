import assert from 'node:assert/strict';
import { wordsOf } from '../../../../src/editor/errorTexts.js';
import { EaselError } from '../../../../src/easelError.js';
import { ThumbnailError } from '../../../../src/images/thumbnails/thumbnailError.js';

suite('images › thumbnails › ThumbnailError', () => {
	test('names the file and what is wrong with it', () => {
		for (const [kind, words] of [
			['tooLarge', 'too large'],
			['undecodable', 'cannot be decoded'],
			['tooSlow', 'takes too long'],
			['crashed', 'has ended'],
			['unwritable', 'could not be stored'],
		] as const) {
			const cause = new Error('why');
			const error = new ThumbnailError(kind, '/images/a.png', cause);
			assert.ok(error instanceof EaselError);
			assert.deepEqual(
				[error.name, error.kind, error.path, error.cause],
				['ThumbnailError', kind, '/images/a.png', cause],
			);
			const text = wordsOf(error);
			assert.ok(text.startsWith('"a.png" ') && text.includes(words), kind);
		}
	});
});
