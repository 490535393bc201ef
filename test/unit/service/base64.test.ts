import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Base64Decoder } from '../../../src/service/base64.js';
import { cutAnywhere } from './pieces.js';

function decode(pieces: readonly string[]): Buffer {
	const decoder = new Base64Decoder();
	return Buffer.concat([...pieces.map((piece) => decoder.write(piece)), decoder.end()]);
}

function cut(text: string, size: number): string[] {
	return text.match(new RegExp(`[^]{1,${String(size)}}`, 'g')) ?? [];
}

/** So long that a prefix cannot reach into the pieces that follow. */
const longText = randomBytes(600).toString('base64');

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

	test('decodes whatever is folded into lines, cut anywhere, with and without padding', () => {
		fc.assert(
			fc.property(
				fc.uint8Array({ maxLength: 2000, size: 'max' }),
				fc.constantFrom('', 'base64,', 'data:image/png;base64,'),
				fc.constantFrom('', '\n', '\r\n', '\r\n\t '),
				fc.integer({ min: 1, max: 100 }),
				fc.boolean(),
				cutAnywhere,
				(bytes, prefix, fold, width, isPadded, inPieces) => {
					const base64 = Buffer.from(bytes).toString('base64');
					const text = cut(isPadded ? base64 : base64.replace(/=+$/, ''), width).join(fold);
					assert.deepEqual(decode(inPieces(prefix + text + fold)), Buffer.from(bytes));
				},
			),
		);
	});

	test('takes for base64 the same of a text, or refuses it, however it is split', () => {
		const outcome = (pieces: readonly string[]) => {
			try {
				return decode(pieces).toString('hex');
			} catch (error) {
				assert.ok(error instanceof RangeError);
				return 'refused';
			}
		};
		for (const [text, expected] of [
			// A prefix that is longer than any.
			[`data:${'9'.repeat(600)};base64,aGk=`, 'refused'],
			[`data:${'9'.repeat(512 - 12)}base64,aGk=`, '6869'],
			[`data:${'9'.repeat(512 - 11)}base64,aGk=`, 'refused'],
			['aGk==', '6869'],
			['aGk===', 'refused'],
			['aGk= = =', 'refused'],
			['aGk=\n=\n', '6869'],
		] as const) {
			for (const size of [1, 2, 3, 500, 511, 512, 513, 1000]) {
				assert.equal(outcome(cut(text, size)), expected, `${String(size)}: ${text}`);
			}
		}
		const before = outcome([longText]);
		for (const [padding, expected] of [
			['==', `${before}6869`],
			['===', 'refused'],
			['= = =', 'refused'],
			['=\n=\n', `${before}6869`],
		] as const) {
			for (const size of [1, 2, 3, 1000]) {
				assert.equal(outcome(cut(`${longText}aGk${padding}`, size)), expected, String(size));
			}
		}
	});

	test('hands the bytes out while the text arrives, from the 512th character on', () => {
		const decoder = new Base64Decoder();
		assert.equal(decoder.write(longText.slice(0, 511)).length, 0);
		assert.equal(decoder.write(longText.slice(511, 512)).length, 384);
		assert.equal(decoder.write(longText.slice(512, 520)).length, 6);
	});

	test('says when no prefix can come any more, so that what comes is base64 alone', () => {
		const decoder = new Base64Decoder();
		decoder.write(longText.slice(0, 511));
		assert.equal(decoder.isPastPrefix, false);
		decoder.write(longText.slice(511, 512));
		assert.equal(decoder.isPastPrefix, true);
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

	test('takes padding that comes in two pieces', () => {
		const whole = decode([longText, 'aA==']);
		assert.deepEqual(decode([longText, 'aA=', '=']), whole);
		assert.deepEqual(decode([longText, 'aA', '=', '=']), whole);
		assert.deepEqual(decode([longText, 'aA=', '\n=']), whole);
	});

	test('refuses what is not base64', () => {
		for (const text of [
			...['aGk!', 'aGk=aGk=', 'a', 'aGVsb', '====', 'a===', 'a==', 'aGVs=', 'aGVsb=', 'aGVsb=='],
			...['aGk-_w', 'aG=k', '{', '=', '=='],
			// Its lower half is an A.
			'aGVs\u0141GVs',
		]) {
			assert.throws(() => decode([text]), RangeError, text);
			assert.throws(() => decode(cut(text, 1)), RangeError, `${text} in pieces`);
			assert.throws(() => decode([longText, text]), RangeError, `${text} in the middle`);
		}
	});

	test('refuses a character of no alphabet wherever it stands', () => {
		fc.assert(
			fc.property(
				fc.nat(longText.length),
				fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
				cutAnywhere,
				(at, foreign, inPieces) => {
					fc.pre(!/^[A-Za-z0-9+/\s]/.test(foreign));
					const text = longText.slice(0, at) + foreign + longText.slice(at);
					// Padding is refused too, unless nothing stands behind it.
					fc.pre(at < longText.length || foreign !== '=');
					assert.throws(() => decode(inPieces(text)), RangeError);
				},
			),
			{ numRuns: 1000 },
		);
	});

	test('takes a plain piece as any other, and nothing of one that may be more', () => {
		const prefix = new Base64Decoder();
		assert.equal(prefix.writePlain(longText), undefined);
		for (const before of ['', 'a', 'ab', 'abc']) {
			for (const [piece, isPlain] of [
				...['', 'A', 'AB', 'ABC', longText].map((text) => [text, true] as const),
				...[' ', '=', '!', '"', '\\', '\0', '\n', '-', '_', '\xa0', '\xc1', '\u0141'].flatMap(
					(other) => [0, 1, 2, 3, 4].map((at) => ['ABCD'.slice(0, at) + other, false] as const),
				),
			] as const) {
				const decoder = new Base64Decoder();
				const decoded = [decoder.write(longText + before)];
				const plain = decoder.writePlain(piece);
				assert.equal(plain !== undefined, isPlain, JSON.stringify(piece));
				// What comes next tells whether anything of the piece was taken.
				decoded.push(plain ?? Buffer.alloc(0), decoder.write('AAAA'), decoder.salvage());
				assert.deepEqual(
					Buffer.concat(decoded),
					Buffer.from(`${longText}${before}${isPlain ? piece : ''}AAAA`, 'base64'),
				);
			}
		}
	});

	test('takes nothing plain behind the padding', () => {
		const decoder = new Base64Decoder();
		decoder.write(`${longText}aGk=`);
		assert.equal(decoder.writePlain('aGkh'), undefined);
	});

	/** All that is decoded of a text that may make no sense. */
	function salvaged(pieces: readonly string[]): Buffer {
		const decoder = new Base64Decoder();
		const decoded: Buffer[] = [];
		try {
			for (const piece of pieces) {
				decoded.push(decoder.write(piece));
			}
		} catch (error) {
			assert.ok(error instanceof RangeError);
		}
		return Buffer.concat([...decoded, decoder.salvage()]);
	}

	test('saves what stands before that which makes no sense, and nothing of it', () => {
		fc.assert(
			fc.property(fc.uint8Array({ maxLength: 900 }), cutAnywhere, (content, inPieces) => {
				const bytes = Buffer.from(content);
				const text = bytes.toString('base64');
				for (const behind of ['', '<!-- cached -->', '-_aGk', ' {aGk=', '\n<\naGk=']) {
					assert.deepEqual(salvaged(inPieces(text + behind)), bytes, behind);
					assert.deepEqual(salvaged([text + behind]), bytes, behind);
				}
			}),
			{ numRuns: 300 },
		);
	});

	test('saves nothing of what stands behind the padding', () => {
		assert.deepEqual(
			salvaged([`${longText}aGk=`, 'aGk=']),
			Buffer.concat([Buffer.from(longText, 'base64'), Buffer.from('hi')]),
		);
	});

	test('saves the whole bytes of a text that ends too early, or whose padding is wrong', () => {
		for (const [text, whole] of [
			...[['', ''] as const, ['a', ''] as const, ['aG', 'h'] as const, ['aGk', 'hi'] as const],
			...[['aGVsb', 'hel'] as const, ['aGVs=', 'hel'] as const, ['aGVsb=', 'hel'] as const],
			['data:image/png;base64,aGVsbG8', 'hello'] as const,
		]) {
			for (const pieces of [[text], cut(text, 1), [text, '!', 'aGk=']]) {
				assert.equal(salvaged(pieces).toString(), whole, pieces.join(' '));
			}
		}
	});

	test('refuses what stands behind the padding, in the same piece or a later one', () => {
		for (const end of ['aGk=', 'aA==']) {
			for (const behind of ['a', 'aGk=', 'aGkh', '!']) {
				for (const pieces of [[end + behind], [end, behind], cut(end + behind, 1)]) {
					assert.throws(() => decode([longText, ...pieces]), RangeError, pieces.join(' '));
				}
			}
		}
	});
});
