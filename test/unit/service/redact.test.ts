import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { redact } from '../../../src/service/redact.js';

suite('service › redact', () => {
	test('hides the key wherever it stands, even with characters of a pattern in it', () => {
		const key = 'sk-a.b*c$1+(d)';
		assert.equal(redact(`key ${key} and ${key}.`, [key]), 'key *** and ***.');
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
