import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { serviceText, serviceTextPieces } from '../../../src/service/serviceText.js';
import { assertLinear } from '../linearTime/growth.js';
import { echo, shows } from './echoes.js';
import { cutAnywhere } from './pieces.js';

const key = 'sk-Secret/key+d41a77_9';

suite('service › serviceText', () => {
	test('leaves ordinary words of any script as they are', () => {
		for (const words of [
			'Insufficient quota: top up the account (https://a.example/b?c=d).',
			'Das Guthaben reicht nicht – „bitte“ aufladen.',
			'余额不足。',
			'موجودی کافی نیست\u200cها 👩‍👩‍👧 e\u0301',
		]) {
			assert.equal(serviceText(words, [key]), words);
		}
	});

	test('makes one line of several, and of no line an entry of a log', () => {
		assert.equal(
			serviceText(' no\r\n\r\n2026-01-01 00:00:00.000 [info]\tall\u2028is\u0085well \n', []),
			'no 2026-01-01 00:00:00.000 [info] all is well',
		);
	});

	test('takes away what a terminal obeys, and what turns directions', () => {
		assert.equal(
			serviceText(
				'a\u001b[31mred\u001b[0m \u001b]0;title\u0007b\u009b2Jc \u001b]8;;http://x\u001b\\link \u0008\u0000',
				[],
			),
			'ared bc link',
		);
		// A reset, and changes of the character set: nothing, one or two characters stand in between.
		assert.equal(serviceText('a\u001bcb \u001b(Bc \u001b%/Gd', []), 'ab c d');
		assert.equal(
			serviceText('a\u202egnp.exe\u202c \u2066b\u2069\u200f\u200b\ufeff', []),
			'agnp.exe b',
		);
		assert.equal(serviceText('half \ud83d of it', []), 'half \ufffd of it');
	});

	test('ends long words with a whole character', () => {
		assert.equal(serviceText('x'.repeat(2000), []), 'x'.repeat(2000));
		assert.equal(serviceText('x'.repeat(2001), []), `${'x'.repeat(1999)}…`);
		const family = '👩‍👩‍👧‍👦';
		assert.equal(serviceText(family.repeat(5), [], 3 * family.length), `${family.repeat(2)}…`);
		assert.equal(serviceText(`e${'\u0301'.repeat(5000)}`, [], 10), `e${'\u0301'.repeat(8)}…`);
		assert.equal(serviceText('😀'.repeat(20), [], 10), `${'😀'.repeat(4)}…`);
	});

	test('is one line of a bounded length without the key, whatever the service says', () => {
		const noise = fc.string({
			unit: fc.constantFrom(...'ab \n\t\u001b[31m;]\u0007\u202e\u009b\u0000é👩\u200d'),
		});
		fc.assert(
			fc.property(echo, noise, noise, fc.integer({ min: 5, max: 60 }), (encode, a, b, longest) => {
				const text = serviceText(a + encode(key) + b, [key], longest);
				assert.ok(text.length <= longest);
				assert.doesNotMatch(text, /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
				assert.ok(text.isWellFormed());
				assert.equal(shows(text, key), false, text);
				// A cut before the secret was found would leave half of it.
				assert.ok(!text.includes(key.slice(0, 12)), text);
			}),
			{ numRuns: 500 },
		);
	});

	test('hides the key where invisible characters stand in between', () => {
		const parts = ['\u001b[31m', '\u0000', '\u200b', '\u202e', '\u00ad'];
		for (const part of parts) {
			assert.equal(serviceText([...key].join(part), [key]), '***', JSON.stringify(part));
		}
	});

	test('hides the key in a text that comes in pieces, wherever they are cut', async () => {
		const around = fc.string({ unit: fc.constantFrom(...'ab \n\té👩🌅\u200d'), maxLength: 200 });
		await fc.assert(
			fc.asyncProperty(echo, around, around, cutAnywhere, async (encode, before, behind, cut) => {
				const said = `${before}(${encode(key)}) ${behind}`;
				let text = '';
				for await (const piece of serviceTextPieces(Readable.from(cut(said)), [key])) {
					text += piece;
				}
				assert.equal(shows(text, key), false, text);
				assert.ok(text.startsWith(before) && text.endsWith(behind), text);
				assert.ok(text.includes('***'), text);
			}),
			{ numRuns: 300 },
		);
	});

	test('passes a text on as it comes, but for its last characters and what is not seen', async () => {
		const pieces: string[] = [];
		for await (const piece of serviceTextPieces(
			Readable.from(['one\r\n\u200b'.repeat(50), '\u202e\ttwo'.repeat(50), 'three']),
			[key],
		)) {
			pieces.push(piece);
		}
		assert.ok(pieces.length >= 3, String(pieces.length));
		assert.equal(pieces.join(''), `${'one\n'.repeat(50)}${'\ttwo'.repeat(50)}three`);
	});

	test('takes a time that grows no faster than the text', () => {
		for (const text of [
			'\u001b[',
			'\u001b]',
			'\u001b[1;',
			'\u009d;a',
			' \n',
			'\u202e',
			'%25',
			'\\u0025',
			'&amp;',
		]) {
			assertLinear((length) => {
				const long = text.repeat(length / text.length);
				return () => serviceText(long, [key]);
			}, JSON.stringify(text));
		}
	});
});
