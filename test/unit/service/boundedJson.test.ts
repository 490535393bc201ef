import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
	BoundedJson,
	jsonTokens,
	mostBytes,
	mostLevels,
	mostValues,
	partsOf,
} from '../../../src/service/boundedJson.js';
import { AnswerError } from '../../../src/service/errors.js';
import { cutAnywhere } from './pieces.js';

/** Takes JSON in these pieces, as whoever reads an answer does it. */
function read(...pieces: readonly string[]): BoundedJson {
	const json = new BoundedJson();
	const tokens = jsonTokens();
	for (const piece of pieces) {
		for (const part of partsOf(piece, () => json.isInText)) {
			json.expect(part);
			for (const token of tokens(part)) {
				json.take(token);
			}
		}
	}
	return json;
}

function assertTooLarge(step: () => unknown, words: RegExp): void {
	assert.throws(step, (error: unknown) => {
		assert.ok(error instanceof AnswerError);
		assert.equal(error.problem, 'tooLarge');
		assert.match(error.message, words);
		assert.match(error.message, /^The answer of the service .*, the most that Easel reads\.$/);
		return true;
	});
}

suite('service › boundedJson', () => {
	test('reads what JSON.parse reads, wherever it is cut', () => {
		const values = fc.dictionary(fc.string(), fc.jsonValue({ stringUnit: 'grapheme' }));
		fc.assert(
			fc.property(values, fc.nat(2), cutAnywhere, (value, indent, inPieces) => {
				const text = JSON.stringify(value, undefined, indent);
				assert.deepEqual(read(...inPieces(text)).value, JSON.parse(text));
			}),
			{ numRuns: 200 },
		);
	});

	test('says where it stands', () => {
		const placeBehind = (...pieces: string[]) => {
			const { depth, path, key, isInText } = read(...pieces);
			return { depth, path, key, isInText };
		};
		assert.deepEqual(placeBehind('{"data":[{"size":1,"b64_json":'), {
			...{ depth: 3, path: ['data', 0], key: 'b64_json', isInText: false },
		});
		assert.equal(placeBehind('{"data":[{"b64_json":"aG').isInText, true);
		assert.equal(placeBehind('{"data":[{"b64_json":"aG', 'k="').isInText, false);
		assert.equal(placeBehind('{"data":[{"b64_').isInText, false, 'a key is no text');
		assert.equal(placeBehind('').depth, 0);
	});

	test('hands a text to the parser in parts that end where a value begins or it may have a fault', () => {
		const parts = (text: string, isInText: boolean) => [...partsOf(text, () => isInText)];
		assert.deepEqual(parts('{"a":[1,2], "b":{}}', false), [
			...['{', '"', 'a"', ':[', '1,', '2],', ' "', 'b"', ':{', '}}'],
		]);
		assert.deepEqual(parts(',,[[{{""', false), [...',,[[{{""']);
		assert.deepEqual(parts('a\\b\\\\ \r\n\t\0\x1f true', false), [
			...['a', '\\', 'b', '\\', '\\', ' ', '\r\n\t\0\x1f', ' true'],
		]);
		const whole = 'a, [{:}é\\"\\\\\\/\\b\\f\\n\\r\\t\\u0aF9"';
		assert.deepEqual(parts(`${whole}b""`, true), [whole, 'b"', '"']);
		assert.deepEqual(parts('a\\xb\\u0aG9\\u0a', true), [
			...['a', '\\', 'xb', '\\', 'u0aG9', '\\', 'u0a'],
		]);
		assert.deepEqual(parts('a\0\n\x1fb c', true), ['a', '\0\n\x1f', 'b c']);
		assert.deepEqual(parts('', true), []);
	});

	test('asks before each part whether it stands in a text', () => {
		let asked = 0;
		// What begins a value ends a part outside of a text alone.
		const parts = partsOf('[1,2,3', () => asked++ > 1);
		assert.deepEqual([...parts], ['[', '1,', '2,3']);
		assert.equal(asked, 3);
	});

	test('refuses one level more than any answer needs', () => {
		for (const [open, opened] of [
			['[', '['],
			['{', '{"a":'],
		] as const) {
			const most = opened.repeat(mostLevels - 1) + open;
			assert.equal(read(most).depth, 16);
			assertTooLarge(() => read(opened.repeat(mostLevels) + open), /deeper than 16 levels/);
		}
		// What is closed does not count.
		assert.equal(read(`[${'[],'.repeat(50)}`).depth, 1);
	});

	test('refuses one value more than any answer needs, whatever it is', () => {
		for (const value of ['1', '"a"', 'null', 'true', '{}', '[]']) {
			// The array around them is one, too.
			const most = `[${Array(mostValues - 1)
				.fill(value)
				.join(',')}`;
			assert.equal((read(`${most}]`).value as unknown[]).length, 9999);
			assertTooLarge(() => read(`${most},${value}]`), /more than 10,000 values/);
		}
		const keys = Array.from({ length: mostValues - 1 }, (_, index) => `"${String(index)}":1`);
		assert.equal(Object.keys(read(`{${keys.join(',')}}`).value as object).length, 9999);
		const json = read(`[${'1,'.repeat(mostValues - 1)}`);
		assertTooLarge(() => {
			json.takeText('');
		}, /more than 10,000 values/);
	});

	test('refuses a byte more than any answer needs, before anything is made of it', () => {
		const json = new BoundedJson();
		json.expect('é'.repeat(mostBytes / 4));
		json.expect('a'.repeat(mostBytes / 2));
		assertTooLarge(() => {
			json.expect('a');
		}, /more than 1 MiB beside its image/);
	});

	test('keeps 64 KiB of a text and counts no more of it, but all of the one behind it', () => {
		const json = read('{"a":"');
		const chunk = (value: string) => {
			json.expect(value);
			json.take({ name: 'stringChunk', value });
		};
		chunk('x'.repeat(64 * 1024));
		for (let mebibytes = 0; mebibytes < 3; mebibytes += 1) {
			chunk('y'.repeat(mostBytes));
		}
		json.take({ name: 'endString' });
		assert.deepEqual(json.value, { a: 'x'.repeat(64 * 1024) });
		json.take({ name: 'keyValue', value: 'b' });
		json.take({ name: 'startString' });
		chunk('z');
		json.take({ name: 'endString' });
		assert.deepEqual(json.value, { a: 'x'.repeat(64 * 1024), b: 'z' });
		assertTooLarge(() => {
			json.expect('x'.repeat(mostBytes - 64 * 1024));
		}, /more than 1 MiB/);
	});

	test('takes a text at once, in the place of the one that stands there', () => {
		const json = read('{"data":[{"b64_json":');
		json.takeText('');
		assert.deepEqual(json.path, ['data', 0]);
		json.close();
		assert.deepEqual(json.value, { data: [{ b64_json: '' }] });
	});

	test('is what has come, once what is open is closed', () => {
		for (const [text, value] of [
			['{"a":{"b":[1,[true,', { a: { b: [1, [true]] } }],
			['{"a":1,"b":"half', { a: 1 }],
			['[{"a":1},', [{ a: 1 }]],
			['{"a":[]}', { a: [] }],
		] as const) {
			const json = read(text);
			json.close();
			assert.equal(json.depth, 0);
			assert.deepEqual(json.value, value, text);
		}
	});
});
