import assert from 'node:assert/strict';
import { errorWords } from '../../../src/service/errorWords.js';

const key = 'a-long-key-1';
const no = 'No such size';
const packed = JSON.stringify({ error: { message: no } });

suite('service › errorWords', () => {
	for (const [form, body, words = no] of [
		['the specification', { error: { message: no, type: 'a', param: 'n' }, message: 'm' }],
		['the specification, at the top', { message: no, more: 1 }],
		['an error that is a text', { error: no }],
		['Spring', { status: 400, error: 'Bad Request', message: no, path: '/v1' }],
		['a list around the error, as of Gemini', [{ error: { code: 400, message: no } }]],
		['FastAPI, a text', { detail: no }],
		['FastAPI, a list', { detail: [{ loc: ['body', 'size'], msg: no, type: 'enum' }] }],
		['FastAPI, an object', { detail: { error: { message: no } } }],
		['Cloudflare', { success: false, errors: [{ code: 7003, message: no }], messages: [] }],
		['code and msg', { code: 'InvalidParameter', msg: no }],
		['NestJS', { statusCode: 400, message: [no, 'Wrong model'] }],
		['an error in an error', { error: { error: { message: no } } }],
		['problem details', { type: 'about:blank', title: no, status: 400, errors: { size: ['x'] } }],
		['a reason', { status: 'failed', reason: no }],
		['JSON in the message', { error: { message: packed } }],
		['JSON in the message, twice', { message: JSON.stringify({ message: packed }) }, packed],
		['what only looks like JSON', { message: '{size} is missing' }, '{size} is missing'],
		[
			'OpenRouter',
			{ error: { message: 'Provider returned error', metadata: { raw: packed } } },
			`Provider returned error: ${no}`,
		],
		['OpenRouter, the same twice', { error: { message: no, metadata: { raw: no } } }],
		['blanks before', { error: { message: ' \n' }, message: '\u001b[0m', detail: no }],
		['another kind before', { error: { message: 5 }, message: null, msg: no }],
		['lines', { message: `${no}\n` }],
		['the key', { errors: [`Not with ${key}`] }, 'Not with ***'],
		['four levels', { error: { error: { error: { message: no } } } }],
	] as [string, unknown, string?][]) {
		test(`finds the words in ${form}`, () => {
			assert.equal(errorWords(body, [key]).message, words);
		});
	}

	for (const body of [
		{ error: { error: { error: { error: { message: no } } } } },
		[[{ message: no }]],
		{ data: [{ url: no }], usage: { total: 1 } },
		undefined,
	]) {
		test(`finds no words in ${JSON.stringify(body)}`, () => {
			assert.equal(errorWords(body, [key]).message, undefined);
		});
	}

	for (const [body, code] of [
		[{ error: { code: 7, type: 'a' }, code: 'b' }, '7'],
		[{ error: { code: null, type: 'insufficient_quota' } }, 'insufficient_quota'],
		[{ error_code: 'E7', message: 'm' }, 'E7'],
		[[{ error: { code: 429 } }], '429'],
		[{ code: ['x'], message: 'm' }, undefined],
	] as const) {
		test(`has the code ${String(code)} of ${JSON.stringify(body)}`, () => {
			assert.equal(errorWords(body, [key]).code, code);
		});
	}
});
