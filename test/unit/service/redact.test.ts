import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { hideSecrets, redact } from '../../../src/service/redact.js';
import { echo, tells } from './echoes.js';

/** Keys of every length and form, some of which look as if they were encoded themselves. */
const keys = fc.oneof(
	fc.constantFrom(
		'worker-key-d41a77',
		'sk-proj-Ab3+/x_9=',
		'k%41%2Fy-1234',
		'a\\u0041bcd\\/&amp;x',
	),
	fc.constantFrom(...['Zm9vYmFyYmF6cXV4', 'deadbeefcafe0123', '100%abcdef', '"quoted"key"']),
	fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.+/=%&\\"~'), minLength: 8, maxLength: 40 }),
);

/** None of them ends in what a key begins with: where both can be read as the key, more is hidden. */
const around = fc.constantFrom(
	'',
	' ',
	'"',
	'key=',
	'Bearer ',
	'?key=',
	'88%',
	'a',
	'\\',
	'{"a":"',
);

suite('service › redact', () => {
	test('hides the key wherever it stands, even with characters of a pattern in it', () => {
		const key = 'sk-a.b*c$1+(d)';
		assert.equal(redact(`key ${key} and ${key}.`, [key]), 'key *** and ***.');
	});

	test('leaves nothing of a key, in whatever way it is written down', () => {
		fc.assert(
			fc.property(keys, echo, around, around, (key, encode, before, behind) => {
				const said = before + encode(key) + behind;
				const hidden = hideSecrets(said, [key]);
				assert.equal(tells(hidden, key), false, `${said} became ${hidden}`);
				assert.ok(hidden.startsWith(before.slice(0, -1)), 'what stands before it stays');
			}),
			{ numRuns: 500 },
		);
	});

	test('hides more where the key can be read in more ways than one', () => {
		// `%00` may be a character that nobody sees.
		assert.equal(hideSecrets('100%00aaaaaaaa', ['00aaaaaaaa']), '1***');
	});

	test('hides each of several secrets, wherever and however often they stand', () => {
		const secrets = ['first-key-1', 'second-key-2'];
		const said = 'first-key-1second%2Dkey-2, Zmlyc3Qta2V5LTE= and first-key-1.';
		assert.equal(hideSecrets(said, secrets), '******, ***= and ***.');
		assert.equal(hideSecrets('aaaa-aaaa-aaaa', ['aaaa-aaaa']), '***');
	});

	test('leaves what is encoded and no key as it is', () => {
		const said = 'https://a/b%20c?d=e%2Fdd &amp; \\u00e9 aGVsbG8gd29ybGQsIGhlbGxvIHdvcmxk \u200b';
		assert.equal(hideSecrets(said, ['worker-key-d41a77']), said);
	});

	test('looks for what a key reads as, where that is long enough to be one, and half of it', () => {
		assert.equal(hideSecrets('an abcd', ['ab%63%64']), 'an ***');
		assert.equal(hideSecrets('an abcd', ['ab%63%64%20']), 'an abcd');
		assert.equal(hideSecrets('an abc', ['a%62c']), 'an abc');
		assert.equal(hideSecrets('an abcd', ['%61%62%63%64']), 'an abcd');
	});

	test('shows an ordinary text of any length, and none that reads in more ways than any', () => {
		const ordinary = 'An ordinary text, and one more. '.repeat(10_000);
		assert.equal(hideSecrets(ordinary, ['worker-key-d41a77']), ordinary);
		// Escapes of every kind, within one another.
		const endless = [
			'%2525252541 ',
			String.raw`\u005cu005cu005cu005cu0041 `,
			'&amp;amp;amp;amp;amp; ',
			`${'\\'.repeat(32)}n `,
			'\u200b',
		];
		const said = endless.join('').repeat(20);
		assert.equal(hideSecrets(said, ['worker-key-d41a77']), '***');
	});

	test('hides keys that it has not been told of', () => {
		assert.equal(redact('Authorization: Bearer abc.def'), 'Authorization: Bearer ***');
		assert.equal(redact('authorization: BASIC  \t dXNlcg==;'), 'authorization: BASIC ***;');
		assert.equal(redact('{"x-api-key":"abc"}'), '{"x-api-key":"***"}');
		assert.equal(redact("apiKey = 'abc', next"), "apiKey = '***', next");
		assert.equal(redact('api_key=abc&b=c'), 'api_key=***');
		assert.equal(redact('via http://user:pass@proxy:80/'), 'via http://***@proxy:80/');
	});

	test('hides what it is told from four characters on', () => {
		assert.equal(redact('a key abcd', ['abcd', 'a']), 'a key ***');
		assert.equal(redact('a key abc', ['abc']), 'a key abc');
	});

	test('replaces base64 of an image by its length', () => {
		const text = redact(`before ${randomBytes(300).toString('base64')} after`);
		assert.equal(text, 'before [400 characters] after');
	});

	test('leaves ordinary text as it is', () => {
		const text = 'attempt 1: POST https://images.example.com/v1/images/generations, 1024x1024';
		assert.equal(redact(text, ['']), text);
		assert.equal(redact(text), text);
	});
});
