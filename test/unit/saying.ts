import assert from 'node:assert/strict';
import { wordsOf } from '../../src/editor/errorTexts.js';

/** For `assert.throws` and `assert.rejects`: checks the text of an error, and its class. */
export function saying(
	words: RegExp | string,
	type: abstract new (...args: never) => Error = Error,
): (error: unknown) => true {
	return (error) => {
		assert.ok(error instanceof type, String(error));
		const text = wordsOf(error);
		if (typeof words === 'string') {
			assert.equal(text, words);
		} else {
			assert.match(text, words);
		}
		return true;
	};
}
