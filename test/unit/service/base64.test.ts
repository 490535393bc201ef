import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Base64Decoder } from '../../../src/service/base64.js';

function decode(pieces: readonly string[]): Buffer {
	const decoder = new Base64Decoder();
	return Buffer.concat([...pieces.map((piece) => decoder.write(piece)), decoder.end()]);
}

function cut(text: string, size: number): string[] {
	return text.match(new RegExp(`[^]{1,${String(size)}}`, 'g')) ?? [];
}

suite('service › base64', () => {
	test('decodes every length in pieces of every size', () => {
		for (let length = 0; length < 40; length += 1) {
			const bytes = randomBytes(length);
			for (let size = 1; size < 12; size += 1) {
				assert.deepEqual(decode(cut(bytes.toString('base64'), size)), bytes);
			}
		}
	});

	test('decodes more than the prefix buffer holds', () => {
		const bytes = randomBytes(5000);
		for (const size of [1, 3, 511, 512, 513, 4096]) {
			assert.deepEqual(decode(cut(bytes.toString('base64'), size)), bytes);
		}
	});

	test('removes a data-URI style prefix that ends in base64, before decoding', () => {
		const bytes = randomBytes(2000);
		for (const prefix of [
			'data:image/png;base64,',
			'data:image/png;charset=utf-8;base64,',
			'base64,',
		]) {
			for (const size of [1, 2, 5, 700]) {
				assert.deepEqual(decode(cut(prefix + bytes.toString('base64'), size)), bytes);
			}
			assert.deepEqual(decode([`${prefix}aGk=`]).toString(), 'hi');
		}
	});

	test('forgives line breaks and missing padding', () => {
		assert.equal(decode(['aGVs\r\nbG8', 'gd29y\nbGQ']).toString(), 'hello world');
		assert.equal(decode(['aGVsbG8gd29ybGQ=', '\n']).toString(), 'hello world');
	});

	test('refuses what is not base64', () => {
		for (const text of ['aGk!', 'aGk=aGk=', 'a', 'aGVsb', '====', 'a===', 'aGk-_w', 'aG=k', '{']) {
			assert.throws(() => decode([text]), RangeError, text);
			assert.throws(() => decode(cut(text, 1)), RangeError, `${text} in pieces`);
		}
	});
});
