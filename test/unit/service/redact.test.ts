import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { hideSecrets, redact, redactInPlace } from '../../../src/service/redact.js';
import { assertLinear } from '../linearTime/growth.js';
import { echo, shows } from './echoes.js';
import { useFolder } from '../scratch.js';

const key = 'sk-ABCDEF0123456789xyz';

/** Keys of every length and form, some of which look as if they were encoded themselves. */
const keys = fc.oneof(
	fc.constantFrom(key, 'worker-key-d41a77', 'sk-proj-Ab3+/x_9=', 'k%41%2Fy-1234'),
	fc.constantFrom(
		'Zm9vYmFyYmF6cXV4',
		'deadbeefcafe0123',
		'100%abcdef',
		'"quoted"key"',
		'a\\u0041\\/c',
		'sk-a.b*c$1+(d)',
	),
	fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.+/=%&\\"~'), minLength: 8, maxLength: 40 }),
);

/** None of them ends in what a key begins with: where both can be read as the key, more is hidden. */
const around = fc.constantFrom('', ' ', '"', 'key=', 'Bearer ', '?key=', '{"a":"');

const base64 = (text: string) => Buffer.from(text).toString('base64');

suite('service › redact', () => {
	test('leaves a key that is masked, cut, in base64 or encoded twice', () => {
		for (const said of [
			`${key.slice(0, 12)}****${key.slice(-4)}`,
			key.slice(0, -1),
			base64(key),
			encodeURIComponent(encodeURIComponent('sk/a+b"c\\d=1')),
		]) {
			assert.equal(hideSecrets(said, [key, 'sk/a+b"c\\d=1']), said);
		}
	});

	test('hides a password of any script', () => {
		const password = 'Schlüßel-für-日本';
		const ascii = JSON.stringify(password).replaceAll(
			/[^ -~]/g,
			(each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
		);
		for (const said of [password, encodeURIComponent(password), ascii.slice(1, -1)]) {
			assert.equal(hideSecrets(`ß ${said} 日本`, [password]), 'ß *** 日本');
		}
	});

	test('hides any key in any form, and leaves all that stands around it', () => {
		fc.assert(
			fc.property(keys, echo, around, around, (key, encode, before, behind) => {
				const said = before + encode(key) + behind;
				const left = hideSecrets(said, [key]);
				assert.equal(shows(left, key), false, `${said} became ${left}`);
				assert.ok(left.includes('***'), `${said} became ${left}`);
				assert.ok(left.startsWith(before.slice(0, -1)) && left.endsWith(behind.slice(1)), left);
			}),
			{ numRuns: 1000 },
		);
	});

	test('hides each of several secrets, wherever and however often they stand', () => {
		const secrets = ['first-key-1', 'second-key-2'];
		const said = 'first-key-1, second%2Dkey-2 and first-key-1second-key-2.';
		assert.equal(hideSecrets(said, secrets), '***, *** and ***.');
	});

	test('leaves a secret under 4 characters, and words that have a part of one', () => {
		assert.equal(redact('a key abcd, abc', ['abcd', 'abc', 'a']), 'a key ***, abc');
		assert.equal(hideSecrets('hid hidde HIDDEN hiddens', ['hidden']), 'hid hidde *** ***s');
		for (const [secret, said, left = said] of [
			['received', 'It was received.', 'It was ***.'],
			['sk-image-generation', 'An image of general images, sk, generated; gpt-image-2.'],
			[key, 'https://a/b%20c?d=e%2Fdd &amp; \\u00e9 aGVsbG8gd29ybGQsIGhlbGxvIHdvcmxk 🦊'],
			[key, 'An ordinary text, and one more: \ud83d. '.repeat(10_000)],
		] as const) {
			assert.equal(hideSecrets(said, [secret]), left);
			assert.equal(hideSecrets(said, []), said);
		}
	});

	test('hides keys and passwords by what stands before them', () => {
		assert.equal(redact('Authorization: Bearer abc.def'), 'Authorization: Bearer ***');
		assert.equal(redact('authorization: BASIC  \t dXNlcg==;'), 'authorization: BASIC ***;');
		assert.equal(redact('{"x-api-key":"abc"}'), '{"x-api-key":"***"}');
		assert.equal(redact("apiKey = 'abc', next"), "apiKey = '***', next");
		assert.equal(redact('api_key=abc&b=c'), 'api_key=***');
		assert.equal(redact('via http://user:pass@proxy:80/'), 'via http://***@proxy:80/');
	});

	test('replaces base64 of an image by its length', () => {
		const text = redact(`before ${randomBytes(300).toString('base64')} after`);
		assert.equal(text, 'before [400 characters] after');
	});

	test('takes a time that grows no faster than the text', () => {
		for (const text of [
			...[key, key.slice(0, -1), 'aaaaaaaaaaa ', 'a', '狐'],
			...['%73', '%25', '%', '\\u0073', '\\u005c', '\\\\', '\\'],
		]) {
			assertLinear((length) => {
				const long = text.repeat(length / text.length);
				return () => hideSecrets(long, [key, 'hidden', 'a'.repeat(1000)]);
			}, JSON.stringify(text));
		}
	});
});

suite('service › redact a file', () => {
	const at = useFolder();
	const source = () => at('source');

	/** Returns the redacted content of a file, byte by byte. */
	async function redacted(content: string | Buffer, secrets = [key]): Promise<string> {
		await writeFile(source(), content, typeof content === 'string' ? 'latin1' : undefined);
		await redactInPlace(source(), secrets);
		return readFile(source(), 'latin1');
	}

	/** More than what is read of a file at once. */
	const pieceLength = 64 * 1024;

	test('hides each byte of a secret, and leaves all others in their place', async () => {
		const stars = '*'.repeat(key.length);
		assert.equal(
			await redacted(`\0\xff\x89PNG ${key}\r\n{"error":"${key}..."}\xfe`),
			`\0\xff\x89PNG ${stars}\r\n{"error":"${stars}..."}\xfe`,
		);
		assert.equal(await redacted(''), '');
		assert.equal(await redacted(key), stars);
		assert.equal(await redacted(key, []), key);
		assert.equal(
			await redacted(Buffer.from('"Schlüßelbund"'), ['schlüßelbund']),
			`"${'*'.repeat(14)}"`,
		);
	});

	test('leaves a secret under 8 characters, which an image has by chance', async () => {
		assert.equal(await redacted('hidden', ['hidden']), 'hidden');
	});

	test('finds a secret across two pieces, wherever it is cut and however it is encoded', async () => {
		const forms = [
			key,
			Array.from(key, (each) => `\\u00${each.charCodeAt(0).toString(16)}`).join(''),
			Array.from(key, (each) => `%${each.charCodeAt(0).toString(16)}`).join(''),
		];
		for (const form of forms) {
			const alone = await redacted(`.${form}.`);
			assert.ok(alone.includes('****'));
			// Several pieces a file: in each the secret is cut at another place.
			let content = '';
			let expected = '';
			for (let cut = 0; cut <= form.length; cut++) {
				const blanks = ' '.repeat((cut + 1) * pieceLength - cut - 1 - content.length);
				content += `${blanks}.${form}.`;
				expected += blanks + alone;
			}
			assert.equal(await redacted(content), expected, form);
		}
	});

	test('leaves an image and the base64 of one as they are', async () => {
		const bytes = randomBytes(2 * 1024 * 1024);
		for (const content of [bytes, Buffer.from(bytes.toString('base64'))]) {
			await redacted(content);
			assert.ok((await readFile(source())).equals(content));
		}
	});

	test('leaves nothing that is incomplete', async () => {
		await rm(source(), { force: true });
		await assert.rejects(redactInPlace(source(), [key]), { code: 'ENOENT' });
		await assert.rejects(redactInPlace(at(), [key]), { code: 'EISDIR' });
		assert.deepEqual(await readdir(at()), []);
	});
});
