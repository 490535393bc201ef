import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { receiveImage } from '../../../src/service/answer.js';
import { AnswerError, StorageError, type AnswerProblem } from '../../../src/service/errors.js';

/** As large as a photographic PNG of 1024 × 1024. */
const realBytes = 2_000_003;

/**
 * What is taken apart letter by letter, or cut off at every place, is small: each rule of an answer
 * shows in a few bytes, and a large image would be read thousands of times.
 */
suite('service › answer', () => {
	let folder: string;
	let file: string;

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-answer-'));
		file = path.join(folder, 'image');
	});

	teardown(() => rm(folder, { recursive: true }));

	// eslint-disable-next-line @typescript-eslint/require-await -- a body is read asynchronously
	async function* body(text: string, size = 64 * 1024): AsyncGenerator<Uint8Array> {
		const bytes = Buffer.from(text);
		for (let at = 0; at < bytes.length; at += size) {
			yield bytes.subarray(at, at + size);
		}
	}

	function answerWith(image: Buffer, extra: object = {}, item: object = {}): string {
		return JSON.stringify({
			created: 1763676000,
			data: [{ b64_json: image.toString('base64'), ...item }],
			...extra,
		});
	}

	async function assertRefused(text: string, problem: AnswerProblem, message: RegExp) {
		for (const size of [1, 7, 64 * 1024]) {
			await assert.rejects(receiveImage(body(text, size), file), (error: unknown) => {
				assert.ok(error instanceof AnswerError, String(error));
				assert.equal(error.problem, problem);
				assert.equal(error.charge, 'delivered');
				assert.match(error.message, message);
				return true;
			});
			assert.deepEqual(await readdir(folder), [], 'no half file is left');
		}
	}

	for (const [what, bytes, sizes] of [
		['in single letters', 3000, [1, 2, 3, 5, 64]],
		['as they come from a network', realBytes, [1000, 16_384, 65_536, 3_000_000]],
	] as const) {
		test(`decodes data[0].b64_json into the file, whatever the pieces are: ${what}`, async () => {
			const image = randomBytes(bytes);
			for (const size of sizes) {
				const received = await receiveImage(body(answerWith(image), size), file);
				assert.equal(received.bytes, bytes);
				assert.ok(image.equals(await readFile(file)));
				await rm(file);
			}
		});
	}

	test('keeps the rest of the answer and allows extra fields at both levels', async () => {
		const image = randomBytes(10);
		const text = answerWith(
			image,
			{ usage: { total_tokens: 5, details: [1, { b64_json: 'x' }] }, b64_json: 'not this one' },
			{ revised_prompt: 'an \u{1F98A}, "quoted"', b64_json_2: 'nor this' },
		);
		const { response } = await receiveImage(body(text, 3), file);
		assert.equal(response.data[0]?.revised_prompt, 'an \u{1F98A}, "quoted"');
		assert.equal(response.created, 1763676000);
		assert.deepEqual(response['usage'], { total_tokens: 5, details: [1, { b64_json: 'x' }] });
		assert.deepEqual(await readFile(file), image);
	});

	test('takes the first of several images', async () => {
		const text = JSON.stringify({
			data: [{ b64_json: 'Zmlyc3Q=' }, { b64_json: 'c2Vjb25k' }],
		});
		await receiveImage(body(text), file);
		assert.equal(await readFile(file, 'utf8'), 'first');
	});

	test('understands escaped slashes', async () => {
		const image = Buffer.from([0xff, 0xff, 0xff, 0xfb, 0xef, 0xbe]);
		const text = answerWith(image).replaceAll('/', '\\/');
		await receiveImage(body(text, 1), file);
		assert.deepEqual(await readFile(file), image);
	});

	test('refuses an empty body', () => assertRefused('', 'empty', /without any content/));

	test('refuses a web page', () =>
		assertRefused('\n<!DOCTYPE html><html><body>Sign in', 'html', /web page.*service address/));

	test('refuses what is no JSON', async () => {
		await assertRefused('upstream error', 'notJson', /not JSON/);
		await assertRefused('{"data": [}', 'notJson', /damaged/);
		await assertRefused(`${answerWith(randomBytes(9))} trailing`, 'notJson', /damaged/);
	});

	test('refuses an answer that ends before it is complete, wherever it ends', async () => {
		const text = answerWith(randomBytes(12), { more: 'x', n: 12 });
		for (let length = 1; length < text.length; length += 1) {
			await assert.rejects(receiveImage(body(text.slice(0, length), 9), file), (error: unknown) => {
				assert.ok(error instanceof AnswerError);
				assert.equal(error.problem, 'truncated', text.slice(0, length));
				return true;
			});
		}
		assert.deepEqual(await readdir(folder), []);
	});

	test('refuses broken base64', async () => {
		await assertRefused('{"data":[{"b64_json":"aGk!"}]}', 'brokenBase64', /damaged/);
		await assertRefused('{"data":[{"b64_json":"aGVsb"}]}', 'brokenBase64', /damaged/);
	});

	test('refuses an answer without an image', async () => {
		for (const text of [
			'{}',
			'{"data":[]}',
			'{"data":[{}]}',
			'{"data":[{"url":"https://example.com/a.png"}]}',
			'{"data":[{"b64_json":null}]}',
			'{"data":null}',
			'{"data":{"0":{"b64_json":"aGk="}}}',
			'{"error":{"message":"no"}}',
			'[]',
			'null',
			'5',
			'"aGk="',
			'{"data":[{"b64_json":""}]}',
		]) {
			await assertRefused(text, 'missingImage', /no image|empty image/);
		}
	});

	test('refuses an image that stands there twice', () =>
		assertRefused('{"data":[{"b64_json":"aGk=","b64_json":"aGk="}]}', 'unexpected', /twice/));

	test('refuses a body over the limit as soon as it is over', async () => {
		let pieces = 0;
		async function* endless(): AsyncGenerator<Uint8Array> {
			yield Buffer.from('{"data":[{"b64_json":"');
			for (;;) {
				pieces += 1;
				yield await Promise.resolve(Buffer.alloc(1024, 'A'));
			}
		}
		await assert.rejects(receiveImage(endless(), file, { limit: 10 * 1024 }), (error: unknown) => {
			assert.ok(error instanceof AnswerError);
			assert.equal(error.problem, 'tooLarge');
			return true;
		});
		assert.ok(pieces <= 11);
		assert.deepEqual(await readdir(folder), []);
	});

	test('bounds what an endless extra field can take of memory', async () => {
		const text = JSON.stringify({ junk: 'x'.repeat(5_000_000), data: [{ b64_json: 'aGk=' }] });
		const { response } = await receiveImage(body(text), file);
		assert.ok((response['junk'] as string).length < 200_000);
		assert.equal(await readFile(file, 'utf8'), 'hi');
	});

	test('passes on an error of the connection and leaves no half file', async () => {
		async function* broken(): AsyncGenerator<Uint8Array> {
			yield* body(answerWith(randomBytes(realBytes)).slice(0, realBytes));
			throw Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
		}
		await assert.rejects(receiveImage(broken(), file), { code: 'UND_ERR_SOCKET' });
		assert.deepEqual(await readdir(folder), []);
	});

	test('says so when the image cannot be stored', async () => {
		await mkdir(file);
		await mkdir(path.join(file, 'in the way'));
		await assert.rejects(receiveImage(body(answerWith(randomBytes(9))), file), (error: unknown) => {
			assert.ok(error instanceof StorageError);
			assert.equal(error.charge, 'delivered');
			assert.match(error.message, /cannot be stored/);
			return true;
		});
		assert.deepEqual(await readdir(folder), ['image']);
	});
});
