import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { AnswerParser } from '../../../src/service/answerParser.js';
import { AnswerError, type AnswerProblem } from '../../../src/service/errors.js';
import { processorMs } from '../linearTime/growth.js';
import { cutAnywhere } from './pieces.js';

interface Read {
	readonly image: Buffer;
	readonly value: unknown;
}

/** Reads an answer that comes in these pieces. */
function read(pieces: readonly Uint8Array[]): Read {
	const parser = new AnswerParser();
	const image = Buffer.concat(pieces.map((piece) => parser.write(piece)));
	parser.end();
	return { image, value: parser.value };
}

/** The same by the plain way, with everything in memory. */
function readPlainly(text: string): Read {
	const value = JSON.parse(text) as { data: { b64_json: string }[] };
	const base64 = value.data[0]!.b64_json;
	value.data[0]!.b64_json = '';
	return { image: Buffer.from(base64.replace(/^.*base64,/s, ''), 'base64'), value };
}

function inOnePiece(text: string): Uint8Array[] {
	return [Buffer.from(text)];
}

function cutInto(text: string, size: number): Uint8Array[] {
	const bytes = Buffer.from(text);
	return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
		bytes.subarray(index * size, (index + 1) * size),
	);
}

function assertRefused(pieces: readonly Uint8Array[], problem: AnswerProblem): AnswerError {
	let refusal: unknown;
	try {
		read(pieces);
	} catch (error) {
		refusal = error;
	}
	assert.ok(refusal instanceof AnswerError, String(refusal));
	assert.equal(refusal.problem, problem);
	return refusal;
}

/** A text in JSON, with some of its characters written as escapes. */
const escaped = (text: string) =>
	fc
		.array(fc.constantFrom('no', 'no', 'no', 'lower', 'upper', 'short'), { minLength: 1 })
		.map((ways) => {
			const characters = Array.from(text, (character, index) => {
				const code = character.charCodeAt(0).toString(16).padStart(4, '0');
				switch (ways[index % ways.length]) {
					case 'lower':
						return `\\u${code}`;
					case 'upper':
						return `\\u${code.toUpperCase()}`;
					case 'short':
						return character === '/' ? '\\/' : character;
					default:
						return character;
				}
			});
			return `"${characters.join('')}"`;
		});

/** An image as base64 in JSON; the second ones are long enough for the quick way. */
const imageText = fc
	.oneof(
		fc.uint8Array({ minLength: 1, maxLength: 40 }),
		fc.uint8Array({ minLength: 1000, maxLength: 1500, size: 'max' }),
	)
	.chain((bytes) =>
		fc
			.constantFrom('', 'data:image/png;base64,')
			.chain((prefix) => escaped(prefix + Buffer.from(bytes).toString('base64'))),
	);

/** Fields that nobody has announced, in many scripts. */
const extras = fc.dictionary(
	fc
		.string({ unit: 'grapheme', maxLength: 8 })
		.filter((name) => !['data', 'b64_json'].includes(name)),
	fc.jsonValue({ stringUnit: 'grapheme' }),
	{ maxKeys: 3 },
);

/** Whole answers, with more before and behind the image. */
const answers = fc
	.record({
		image: imageText,
		before: extras,
		inside: extras,
		behind: extras,
		blank: fc.constantFrom('', ' ', '\r\n\t'),
	})
	.map(({ image, before, inside, behind, blank }) => {
		const members = (fields: object) =>
			Object.entries(fields).map(
				([name, value]) => `${JSON.stringify(name)}${blank}:${JSON.stringify(value)}`,
			);
		const item = `{${[...members(inside), `${blank}"b64_json"${blank}:${blank}${image}`].join(',')}}`;
		const fields = [...members(before), `"data":[${blank}${item}${blank}]`, ...members(behind)];
		return `${blank}{${fields.join(`,${blank}`)}}${blank}`;
	});

suite('service › answerParser', () => {
	test('reads what JSON.parse reads, however it is escaped and wherever it is cut', () => {
		fc.assert(
			fc.property(answers, cutAnywhere, (text, inPieces) => {
				assert.deepEqual(read(inPieces<Buffer>(Buffer.from(text))), readPlainly(text));
			}),
			{ numRuns: 100 },
		);
	});

	suite('with an escape that is cut in two in the middle of the image', () => {
		const bytes = Buffer.alloc(1500, 0xff);
		const base64 = bytes.toString('base64');
		const before = '{"data":[{"b64_json":"';
		/** The pieces of an answer: the first is long enough for the quick way, the next ends as given. */
		const piecesOf = (...pieces: readonly string[]) =>
			[before + base64.slice(0, 1000), ...pieces].map((piece) => Buffer.from(piece));

		test('takes a slash', () => {
			for (const [first, second] of [
				['////\\', '////'],
				['\\', '/'],
				['\\/\\', '/\\/'],
			] as const) {
				const written = (first + second).replaceAll('\\', '').length;
				const end = `${base64.slice(1000 + written)}"}]}`;
				const expected = { image: bytes, value: { data: [{ b64_json: '' }] } };
				assert.deepEqual(read(piecesOf(first, second + end)), expected);
				assert.deepEqual(read(piecesOf(first, '', second, end)), expected);
			}
		});

		test('refuses what is no character of an image', () => {
			assertRefused(piecesOf('////\\', 'b//"}]}'), 'brokenBase64');
			assertRefused(piecesOf('////\\', '\\//"}]}'), 'brokenBase64');
			assertRefused(piecesOf('////\\', '"}]}'), 'brokenBase64');
			assertRefused(piecesOf('////\\', 'x"}]}'), 'notJson');
		});

		test('leaves one to what stands behind the image', () => {
			const behind = [`${base64.slice(1000)}"}],"words":"a\\`, 'n\\', '\\b"}'];
			assert.deepEqual(read(piecesOf(...behind)), {
				image: bytes,
				value: { data: [{ b64_json: '' }], words: 'a\n\\b' },
			});
		});

		test('knows what has come where nothing follows it', () => {
			assertRefused(piecesOf('////\\'), 'truncated');
			const parser = new AnswerParser();
			const image = piecesOf('////\\').map((piece) => parser.write(piece));
			assert.ok(Buffer.concat([...image, parser.rest()]).equals(bytes.subarray(0, 753)));
		});
	});

	test('takes or refuses a damaged answer alike, wherever it is cut, and takes none that JSON.parse refuses', () => {
		const outcome = (pieces: readonly Uint8Array[]): Read | undefined => {
			try {
				return read(pieces);
			} catch (error) {
				assert.ok(error instanceof AnswerError, String(error));
				return undefined;
			}
		};
		fc.assert(
			fc.property(
				answers,
				fc.nat(),
				fc.nat(2),
				fc.constantFrom(...'"\\{}[]:,u0aZ=!/é '),
				cutAnywhere,
				(text, place, length, character, inPieces) => {
					const at = place % text.length;
					const damaged = text.slice(0, at) + character + text.slice(at + length);
					const whole = outcome(inOnePiece(damaged));
					assert.deepEqual(outcome(inPieces<Buffer>(Buffer.from(damaged))), whole);
					if (whole !== undefined) {
						JSON.parse(damaged);
					}
				},
			),
			{ numRuns: 300 },
		);
	});

	test('takes for the image what stands at data[0].b64_json, and nothing else', () => {
		const image = '"aW1hZ2U="';
		for (const text of [
			`{"data":[{"b64_json":${image}},{"b64_json":"b3RoZXI="}]}`,
			`{"more":[{"b64_json":"b3RoZXI="}],"data":[{"b64_json":${image}}]}`,
			`{"more":{"data":[{"b64_json":"b3RoZXI="}]},"data":[{"b64_json":${image}}]}`,
			`{"data":[{"more":[{"b64_json":"b3RoZXI="}],"b64_json":${image}}]}`,
			`{"data":[{"data":[{"b64_json":"b3RoZXI="}],"b64_json":${image}}]}`,
			`{"data":[{"other":"b3RoZXI=","b64_json":${image}}]}`,
			`{"b64_json":"b3RoZXI=","data":[{"b64_json":${image}}]}`,
		]) {
			const { image: bytes, value } = read(inOnePiece(text));
			assert.equal(bytes.toString(), 'image', text);
			assert.deepEqual(value, JSON.parse(text.replace(image, '""')), text);
		}
	});

	test('leaves what is no text in the place of the image to whoever looks at the rest', () => {
		for (const none of ['null', '5', 'true', '{"a":["b"]}', '[]']) {
			const text = `{"data":[{"b64_json":${none},"more":"text"}],"created":5}`;
			const { image, value } = read(inOnePiece(text));
			assert.equal(image.length, 0);
			assert.deepEqual(value, JSON.parse(text), none);
		}
	});

	test('refuses an answer with two images at the one place', () => {
		const twice = '{"data":[{"b64_json":"aGk=","b64_json":"aGk="}]}';
		assertRefused(inOnePiece(twice), 'unexpected');
	});

	test('takes an answer behind any number of blanks, as gateways send them while one waits', () => {
		const text = `${' \n'.repeat(1000)}{"data":[{"b64_json":"aGk="}]}`;
		assert.equal(read(inOnePiece(text)).image.toString(), 'hi');
		assert.equal(read(cutInto(text, 7)).image.toString(), 'hi');
	});

	test('tells what a body is that is no JSON by its first character', () => {
		for (const [text, problem, words] of [
			['', 'empty', /without any content\. Try again; if it/],
			[' \r\n\t', 'empty', /without any content/],
			['<html>', 'html', /web page/],
			[`${'\n'.repeat(1000)}<!DOCTYPE html> {`, 'html', /web page/],
			['upstream error <b>', 'notJson', /is not JSON/],
			['}{', 'notJson', /is not JSON/],
			['{<', 'notJson', /damaged.*Try again; if it/],
			['\n {"data":[}', 'notJson', /damaged/],
			['{"data":[{"b64_json":"aGk="}]} more', 'notJson', /damaged/],
		] as const) {
			for (const pieces of [inOnePiece(text), cutInto(text, 1)]) {
				const refusal = assertRefused(pieces, problem);
				assert.match(refusal.message, words, text);
				assert.equal(refusal.cause instanceof Error, problem !== 'empty', 'the cause is kept');
			}
		}
	});

	test('says of every beginning of an answer that it is not complete', () => {
		const text = '{"data":[{"b64_json":"aGk=","n":[1.5,true]}],"é":"\\u00e9"}';
		const bytes = Buffer.from(text);
		for (let length = 1; length < bytes.length; length += 1) {
			assertRefused([bytes.subarray(0, length)], 'truncated');
		}
		for (const beginning of ['"aG', 'nul', '-', '[']) {
			assertRefused(inOnePiece(beginning), 'truncated');
		}
	});

	test('refuses in the middle of an image what no text in JSON may have', () => {
		const base64 = 'QUJD'.repeat(1000);
		for (const byte of [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0xa0]) {
			const bytes = Buffer.from(`{"data":[{"b64_json":"${base64} ${base64}"}]}`);
			bytes[bytes.indexOf(' ')] = byte;
			// In one piece, at the end of a piece, and within one that is nothing but image.
			for (const places of [[], [4022], [1000, 7000]]) {
				const pieces = [0, ...places].map((from, index) => bytes.subarray(from, places[index]));
				assert.throws(() => read(pieces), AnswerError, `${String(byte)}, ${places.join()}`);
			}
		}
	});

	test('refuses before the image what no text in JSON may have, wherever it is cut', () => {
		const text = '{"data":[{"b64_json":"data:\0\0\0\0\0\0\0\0\0\0image/png;base64,aGk="}]}';
		for (const size of [1, 7, 100]) {
			assertRefused(cutInto(text, size), 'notJson');
		}
	});

	test('refuses an answer with several faults for the first of them, wherever it is cut', () => {
		const image = '"data":[{"b64_json":"aGk="}]';
		for (const [text, problem] of [
			[`{${image},${image}]`, 'unexpected'],
			[`{${image}],${image}}`, 'notJson'],
			[`{"a":[${'1,'.repeat(10_001)}}`, 'tooLarge'],
			[`{"a":${'['.repeat(17)}}`, 'tooLarge'],
			[`{${image},"a":${'['.repeat(17)}}`, 'tooLarge'],
			[`{${image},"a":${'{"b":'.repeat(17)}]`, 'tooLarge'],
		] as const) {
			for (const size of [1, 2, 7, 50, text.length]) {
				assertRefused(cutInto(text, size), problem);
			}
		}
	});

	test('refuses half a character behind the answer', () => {
		const text = Buffer.from('{"data":[{"b64_json":"aGk="}]}');
		assertRefused([text, Buffer.from([0xc3])], 'notJson');
	});

	test('refuses an image that is no base64, with the reason as the cause', () => {
		for (const base64 of ['aGk!', 'aGVsb', 'a'.repeat(600) + '*', 'a'.repeat(601)]) {
			const text = `{"data":[{"b64_json":"${base64}"}]}`;
			for (const size of [1, 100, 1000]) {
				const refusal = assertRefused(cutInto(text, size), 'brokenBase64');
				assert.ok(refusal.cause instanceof RangeError);
				assert.ok(refusal.message.includes(refusal.cause.message));
			}
		}
	});

	test('takes a text of what stands between values as quickly as any other', () => {
		const readMs = (character: string) => {
			const pieces = [
				Buffer.from('{"a":"'),
				...Array<Buffer>(32).fill(Buffer.from(character.repeat(64 * 1024))),
				Buffer.from('","data":[{"b64_json":"aGk="}]}'),
			];
			return Math.min(...[1, 2, 3].map(() => processorMs(() => read(pieces))));
		};
		const plainMs = readMs('a');
		for (const character of ',[{') {
			const ms = readMs(character);
			assert.ok(ms < 10 * plainMs, `${character} ${String(ms)} ms, beside ${String(plainMs)}`);
		}
	});

	test('keeps a bounded beginning of a text that does not end, and the image behind it', () => {
		const text = (length: number) =>
			`{"a":"b","long":"${'x'.repeat(length)}","data":[{"b64_json":"aGk="}]}`;
		const kept = (length: number) => {
			const { image, value } = read(cutInto(text(length), 1000));
			assert.equal(image.toString(), 'hi');
			return (value as { long: string }).long.length;
		};
		assert.equal(kept(60 * 1024), 60 * 1024);
		assert.ok(kept(5_000_000) < 70_000);
	});

	suite('with more than any answer needs', () => {
		const data = '"data":[{"b64_json":"aGk="}]';
		/** Each with one that is just taken and one that is just too much. */
		const bounds: Readonly<Record<string, [taken: string, refused: string, words: RegExp]>> = {
			// The object around it is a level, too.
			levels: [
				`{"a":${'['.repeat(15)}${']'.repeat(15)},${data}}`,
				`{"a":${'['.repeat(16)}${']'.repeat(16)},${data}}`,
				/nested deeper than 16 levels, the most that Easel reads\.$/,
			],
			'levels of objects': [
				`{${'"a":{'.repeat(15)}${'}'.repeat(15)},${data}}`,
				`{${'"a":{'.repeat(16)}${'}'.repeat(16)},${data}}`,
				/nested deeper than 16 levels/,
			],
			// Beside them there are the object, the array with its object and image, and the array.
			...Object.fromEntries(
				['1', '"a"', 'null', 'true', '{}', '[]'].map((value) => [
					`values such as ${value}`,
					[
						`{${data},"a":[${Array(9995).fill(value).join(',')}]}`,
						`{${data},"a":[${Array(9996).fill(value).join(',')}]}`,
						/has more than 10,000 values, the most that Easel reads\.$/,
					] as [string, string, RegExp],
				]),
			),
			'bytes of a key': [
				`{"${'é'.repeat(524_260)}":1,${data}}`,
				`{"${'é'.repeat(524_288)}":1,${data}}`,
				/has more than 1 MiB beside its image, the most that Easel reads\.$/,
			],
			'bytes of a number': [
				`{${data},"a":${'1'.repeat(1_048_500)}}`,
				`{${data},"a":${'1'.repeat(1_048_576)}}`,
				/more than 1 MiB/,
			],
			'bytes of texts': [
				`{${data},"a":[${Array(17)
					.fill(`"${'a'.repeat(60_000)}"`)
					.join(',')}]}`,
				`{${data},"a":[${Array(18)
					.fill(`"${'a'.repeat(60_000)}"`)
					.join(',')}]}`,
				/more than 1 MiB/,
			],
		};

		for (const [name, [taken, refused, words]] of Object.entries(bounds)) {
			test(`bounds the ${name}, and says so`, () => {
				for (const size of [60_000, 16_384]) {
					assert.equal(read(cutInto(taken, size)).image.toString(), 'hi');
					assert.match(assertRefused(cutInto(refused, size), 'tooLarge').message, words);
				}
				assertRefused(inOnePiece(refused), 'tooLarge');
			});
		}

		test('has brought the image that stood before it', () => {
			for (const bomb of ['['.repeat(70_000), '1,'.repeat(70_000), `"${'x'.repeat(2_000_000)}`]) {
				const parser = new AnswerParser();
				let image = parser.write(Buffer.from(`{${data},"a":[`)).toString();
				try {
					for (const piece of cutInto(bomb, 16_384)) {
						image += parser.write(piece).toString();
					}
				} catch (error) {
					assert.ok(error instanceof AnswerError);
				}
				assert.equal(image + parser.rest().toString(), 'hi');
				assert.deepEqual((parser.value as { data: unknown }).data, [{ b64_json: '' }]);
			}
		});

		test('counts nothing of the image, however it is written', () => {
			const image = Buffer.alloc(3_000_000, 'image');
			const slashes = image.toString('base64').replaceAll('a', '\\u0061').replaceAll('/', '\\/');
			const { image: bytes } = read(cutInto(`{"data":[{"b64_json":"${slashes}"}]}`, 60_000));
			assert.ok(bytes.equals(image));
		});
	});

	suite('of an answer that broke off', () => {
		function broken(text: string): { parser: AnswerParser; arrived: string } {
			const parser = new AnswerParser();
			return { parser, arrived: parser.write(Buffer.from(text)).toString() };
		}

		test('gives the bytes that are in no whole group yet', () => {
			for (const [text, image] of [
				['aGVsbG8', 'hello'],
				['aGVsb', 'hel'],
			] as const) {
				const { parser, arrived } = broken(`{"data":[{"b64_json":"${text}`);
				assert.equal(arrived + parser.rest().toString(), image);
			}
		});

		test('gives none where the image has not begun, is over, or cannot be told', () => {
			for (const text of [
				'{"data":[{"revised_prompt":"aGVsbG8',
				'{"data":[{"b64_json":"aGVsbG8="',
				'{"data":[{"b64_json":"aGVsbG8"',
				'{"data":[{"b64_json":"a',
			]) {
				const { parser, arrived } = broken(text);
				assert.equal(parser.rest().length, 0, text);
				assert.ok('hello'.startsWith(arrived));
			}
		});

		test('gives what stood in the same piece before that which makes no sense', () => {
			for (const text of [
				'{"data":[{"b64_json":"aGVsbG8="}]}<html>',
				'{"data":[{"b64_json":"aGVsbG8=","b64_json":"aGk="}]}',
				'{"data":[{"b64_json":"aGVsbG8=aGk="}]}',
				'{"data":[{"b64_json":"aGVsbG8<"}]}',
				'{"data":[{"b64_json":"aGVsbG8',
				'{"data":[{"b64_json":"aGVsbG8\\u00e9',
			]) {
				for (const at of [0, 1, 22, 28, text.length - 1]) {
					const parser = new AnswerParser();
					let image = '';
					try {
						image += parser.write(Buffer.from(text.slice(0, at))).toString();
						image += parser.write(Buffer.from(text.slice(at))).toString();
					} catch (error) {
						assert.ok(error instanceof AnswerError);
					}
					assert.equal(image + parser.rest().toString(), 'hello', `${text}, cut at ${at}`);
				}
			}
		});

		test('gives the same of it, whichever character has no place there, wherever it is cut', () => {
			const image = randomBytes(600);
			const base64 = image.toString('base64');
			for (let code = 0; code < 32; code += 1) {
				const text = `{"data":[{"b64_json":"${base64.slice(0, 600)}${String.fromCharCode(code)}`;
				for (const size of [1, 7, 100, 599, text.length]) {
					const parser = new AnswerParser();
					const arrived: Buffer[] = [];
					assert.throws(() => {
						for (const piece of cutInto(`${text}${base64.slice(600)}"}]}`, size)) {
							arrived.push(parser.write(piece));
						}
					}, AnswerError);
					arrived.push(parser.rest());
					assert.deepEqual(
						Buffer.concat(arrived),
						image.subarray(0, 450),
						`${String(code)} ${String(size)}`,
					);
				}
			}
		});

		test('knows the rest of it as far as it has come', () => {
			const { parser } = broken('{"created":5,"data":[{"b64_json":"aGk=","revised_prompt":"a fox"');
			parser.rest();
			assert.deepEqual(parser.value, {
				created: 5,
				data: [{ b64_json: '', revised_prompt: 'a fox' }],
			});
		});
	});
});
