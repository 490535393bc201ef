import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readings } from '../../../src/service/readings.js';

/** All ways to read a text. */
function texts(text: string, shortest = 4): string[] {
	return [...readings(text, shortest)].map((reading) => reading.text);
}

/** What of a text says the word in the first reading that does; `undefined` where none does. */
function saying(word: string, text: string, shortest = word.length): string | undefined {
	for (const reading of readings(text, shortest)) {
		const at = reading.text.indexOf(word);
		if (at >= 0) {
			return text.slice(...reading.placeOf(at, at + word.length));
		}
	}
	return undefined;
}

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex');

suite('service › readings', () => {
	test('of a text that says nothing else are the text itself', () => {
		for (const text of ['', 'a fox', '100 % of it', 'A & B', 'a_b', 'C:\\']) {
			assert.deepEqual(texts(text), [text]);
		}
		assert.equal(saying('fox', 'a fox.'), 'fox');
	});

	test('have each escape decoded, and know where it stands', () => {
		for (const [escape, character] of [
			...[['%73', 's'] as const, ['%4A', 'J'] as const, ['%2f', '/'] as const],
			...[['\\u0073', 's'] as const, ['\\u00E9', 'é'] as const, ['\\U0073', 's'] as const],
			...[['\\u{73}', 's'] as const, ['\\u{01F98A}', '🦊'] as const],
			...[['\\x73', 's'] as const, ['\\xE9', 'é'] as const],
			...[['\\/', '/'] as const, ['\\"', '"'] as const, ['\\n', 'n'] as const],
			...[['&#115;', 's'] as const, ['&#115', 's'] as const, ['&#0000115;', 's'] as const],
			...[['&#x73;', 's'] as const, ['&#X0000e9;', 'é'] as const, ['&#x1F98A;', '🦊'] as const],
			...[['&amp;', '&'] as const, ['&LT;', '<'] as const, ['&gt', '>'] as const],
			...[['&quot;', '"'] as const, ['&apos;', "'"] as const],
			...[['\u200b', ''] as const, ['\u0001', ''] as const, ['\u00ad', ''] as const],
			...[['\\u{10ffff}', '\u{10ffff}'] as const, ['\\u{110000}', '\ufffd'] as const],
			...[['&#x10ffff;', '\u{10ffff}'] as const, ['&#1114112;', '\ufffd'] as const],
		]) {
			const text = `-- ab${escape}cd --`;
			const reading = [...readings(text, 4)].find((each) => each.text === `-- ab${character}cd --`);
			assert.ok(reading !== undefined, text);
			const place = (start: number, end: number) => text.slice(...reading.placeOf(start, end));
			const behind = 5 + character.length;
			assert.equal(place(0, behind), `-- ab${escape}`);
			assert.equal(place(4, behind), `b${escape}`);
			assert.equal(place(behind, behind + 1), 'c');
			if (character !== '') {
				assert.equal(place(5, behind + 1), `${escape}c`);
			}
		}
	});

	test('leave what is only half an escape as it is', () => {
		for (const text of [
			...['ab%7', 'ab%7g', 'ab\\u007', 'ab\\u{}', 'ab\\u{0000073}', 'ab\\x7', 'ab\\ c', 'ab\\'],
			...['ab&#;', 'ab&#x;', 'ab&#xg;', 'ab&copy;', 'ab&'],
		]) {
			assert.deepEqual(texts(text), [text]);
		}
	});

	test('have escapes of several kinds decoded, each kind alone and all together', () => {
		for (const a of ['%61', 'a']) {
			for (const b of ['\\u0062', 'b']) {
				for (const c of ['&#99;', 'c']) {
					assert.ok(texts('%61\\u0062&#99;d').includes(`${a}${b}${c}d`));
				}
			}
		}
		// More kinds than layers.
		const five = 'a\u200b&#98;\\c\\u0064%65';
		assert.equal(saying('abcde', five), five);
		// Where two of them overlap, the first one counts.
		assert.ok(texts('\\%61&#98;').includes('%61b'));
		assert.ok(!texts('\\%61&#98;').includes('%ab'));
		// What would be an escape of one kind is no more than the rest of another one's.
		assert.equal(saying('100%abcd', '100%abc&#100;'), '100%abc&#100;');
		assert.equal(saying('a"b%c', 'a\\"b\\u0025c'), 'a\\"b\\u0025c');
	});

	test('are two where there is one kind of escape, and one where the text is too short', () => {
		assert.deepEqual(texts('%61b%63d'), ['%61b%63d', 'abcd']);
		assert.deepEqual(texts('%61', 4), ['%61']);
		assert.deepEqual(texts('%61', 3), ['%61', 'a']);
	});

	test('have base64 decoded in both alphabets, wherever its groups begin', () => {
		for (const before of ['', 'x', 'xy', 'xyz']) {
			for (const glued of ['', 'A', 'AB', 'ABC', 'Basic ']) {
				for (const word of ['secret', 'a?b>c~d?', 'se\tc\r\nr~ t']) {
					for (const encoding of ['base64', 'base64url'] as const) {
						const text = `(${glued}${Buffer.from(`${before}${word}yz`).toString(encoding)})`;
						const place = saying(word, text);
						assert.ok(place !== undefined, text);
						// What is cut away around it is no more than what it shares a character with.
						assert.ok(place.length <= Math.ceil((word.length * 4) / 3) + 1, place);
						assert.ok(!tells(text.replace(place, ' '), word), place);
					}
				}
			}
		}
		assert.equal(saying('secret', `a ${base64('secret')} b`), base64('secret'));
		assert.equal(saying('secret', base64('xsecret')), 'HNlY3JldA');
	});

	test('have hexadecimal digits decoded, wherever their pairs begin', () => {
		for (const glued of ['', 'a', 'ab', '0x']) {
			for (const digits of [hex('-secret-'), hex('-secret-').toUpperCase()]) {
				const text = `(${glued}${digits})`;
				assert.equal(saying('secret', text), digits.slice(2, -2), text);
			}
		}
	});

	test('have no run decoded that is shorter than what is looked for', () => {
		for (const encode of [base64, hex]) {
			assert.ok(texts(encode('secret'), 6).includes('secret'));
			assert.deepEqual(texts(encode('secre'), 6), [encode('secre')]);
			// Nor what of it can be read where only a part of it can.
			const words = texts(encode('\xff\xffsecret\xff\xffword\x7f\x1f'), 6);
			assert.ok(words.includes('secret') && !words.includes('word'), words.join());
		}
	});

	test('have base64 decoded across the ends of lines that were filled', () => {
		const word = 'a secret that stands in two lines';
		const long = `${'x'.repeat(40)}${word}${'y'.repeat(50)}`;
		for (const [width, end] of [
			...[[76, '\r\n'] as const, [64, '\n'] as const, [60, ' '] as const, [71, ' \t '] as const],
		]) {
			const text = base64(long).replace(new RegExp(`.{${String(width)}}`, 'g'), `$&${end}`);
			assert.ok(texts(text).includes(long), text);
			assert.ok(saying(word, text)?.includes(end), text);
		}
		const short = base64(long).replace(/.{59}/g, '$& ');
		assert.ok(!texts(short).includes(long), 'lines of 59 are words');
	});

	test('go four layers deep, with the place in the text itself', () => {
		const ways: readonly ((text: string) => string)[] = [
			(text) => text.replaceAll(/./g, (c) => `%${hex(c)}`),
			(text) => JSON.stringify(text).slice(1, -1).replaceAll('%', '\\u0025'),
			base64,
			hex,
		];
		const text = ways.reduce((inner, way) => way(inner), 'secret');
		assert.equal(saying('secret', `(${text})`), text);
		assert.equal(saying('secret', `(${base64(text)})`), undefined);
	});

	test('know the place of every part of what was escaped in any way', () => {
		const escaped = fc
			.array(
				fc.tuple(
					fc.constantFrom(...'abcdefgh'),
					fc.constantFrom(
						(c: string) => c,
						(c: string) => `%${hex(c)}`,
						(c: string) => `\\u00${hex(c)}`,
						(c: string) => `&#x${hex(c)};`,
						(c: string) => `\\u{${hex(c)}}`,
					),
				),
				{ minLength: 2, maxLength: 40 },
			)
			.map((characters) => characters.map(([c, way]) => ({ plain: c, written: way(c) })));
		fc.assert(
			fc.property(escaped, fc.nat(), fc.nat(), (characters, one, other) => {
				const text = characters.map(({ written }) => written).join('');
				const said = characters.map(({ plain }) => plain).join('');
				const reading = [...readings(text, 1)].find((each) => each.text === said)!;
				const [start, end] = [one % said.length, other % said.length].sort((a, b) => a - b);
				const expected = characters.slice(start, end).map(({ written }) => written);
				assert.equal(text.slice(...reading.placeOf(start!, end!)), expected.join(''));
			}),
			{ numRuns: 300 },
		);
	});
});

function tells(text: string, word: string): boolean {
	return saying(word, text) !== undefined;
}
