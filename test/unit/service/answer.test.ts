import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import net from 'node:net';
import path from 'node:path';
import { receiveImage, storageMessage, type ReceiveOptions } from '../../../src/service/answer.js';
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
				assert.equal(error.charge, 'charged');
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

	test('says what to do where nobody here can correct it, once, and before what it means for the money', async () => {
		for (const [text, problem] of [
			['', 'empty'],
			['{"data":[{"b64_json":"aGk', 'truncated'],
			['{"data": [}', 'notJson'],
			['{"data":[{"b64_json":"aGk!"}]}', 'brokenBase64'],
			['{"data":[{"b64_json":"aGk=","b64_json":"aGk="}]}', 'unexpected'],
			['{"created":"today","data":[{"b64_json":"aGk="}]}', 'unexpected'],
			['{"data":[{}]}', 'missingImage'],
			['{"data":[{"b64_json":""}]}', 'missingImage'],
		] as const) {
			await assertRefused(
				text,
				problem,
				/[^.]\. Try again; if it happens again, show the log to the operator of the service\.$/,
			);
		}
	});

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

	test('refuses an answer of a form that is unknown', async () => {
		await assertRefused(
			'{"created":"today","data":[{"b64_json":"aGk="}]}',
			'unexpected',
			/form that Easel does not know/,
		);
		await assertRefused('{"data":[{}]}', 'missingImage', /no image/);
		await assertRefused('{"data":[{"b64_json":""}]}', 'missingImage', /empty image/);
	});

	test('takes a body that is as large as the limit, and names the limit where it is larger', async () => {
		const text = answerWith(randomBytes(2 * 1024 * 1024));
		await receiveImage(body(text), file, { limit: text.length });
		await rm(file);
		await assert.rejects(receiveImage(body(text), file, { limit: 2 * 1024 * 1024 }), {
			problem: 'tooLarge',
			message: /larger than 2 MiB/,
		});
	});

	suite('an answer that breaks off', () => {
		const broken = Object.assign(new Error('other side closed'), { code: 'ECONNRESET' });

		async function* breakingOff(text: string): AsyncGenerator<Uint8Array> {
			yield* body(text);
			throw broken;
		}

		/** What was asked whether it is whole. */
		let asked: string[];

		setup(() => {
			asked = [];
		});

		function options(isWhole: boolean, more: ReceiveOptions = {}): ReceiveOptions {
			return {
				isWhole: async (part) => {
					asked.push(await readFile(part, 'utf8'));
					return isWhole;
				},
				...more,
			};
		}

		test('behind a whole image has brought it, with what is known and the reason', async () => {
			const text = '{"created":5,"data":[{"revised_prompt":"a fox","b64_json":"aGVsbG8';
			const received = await receiveImage(breakingOff(text), file, options(true));
			assert.deepEqual(received, {
				response: { created: 5, data: [{ revised_prompt: 'a fox' }] },
				bytes: 5,
				incomplete: broken,
			});
			assert.deepEqual(asked, ['hello']);
			assert.deepEqual(await readdir(folder), ['image']);
			assert.equal(await readFile(file, 'utf8'), 'hello');
		});

		test('has brought it also where it cannot be read', async () => {
			for (const [text, response] of [
				['{"data":[{"b64_json":"aGVsbG8="}', { data: [{ b64_json: '' }] }],
				['{"created":"today","data":[{"b64_json":"aGVsbG8="}]}', { data: [{}] }],
			] as const) {
				const received = await receiveImage(body(text), file, options(true));
				assert.deepEqual(received.response, response);
				assert.ok(received.incomplete instanceof AnswerError);
				assert.equal(await readFile(file, 'utf8'), 'hello');
			}
		});

		for (const [what, behind] of [
			['a page', '"}]}<html>502 Bad Gateway</html>'],
			['a second image', '","b64_json":"aGVsbG8="}]}'],
			['what is no base64', '<!-- cached -->"}]}'],
		] as const) {
			test(`by ${what} behind a whole image, wherever it was cut, has brought it`, async () => {
				const image = randomBytes(realBytes);
				const text = `{"data":[{"b64_json":"${image.toString('base64')}${behind}`;
				for (const size of [1000, 65_536, 3_000_000]) {
					const isWhole = async (part: string) => image.equals(await readFile(part));
					const received = await receiveImage(body(text, size), file, { isWhole });
					assert.ok(received.incomplete instanceof AnswerError);
					assert.ok(image.equals(await readFile(file)), `in pieces of ${size}`);
					await rm(file);
				}
			});
		}

		test('before the image is whole is an error, and nothing is left', async () => {
			const text = '{"data":[{"b64_json":"aGVsbG8';
			for (const more of [{}, { whenBroken: () => 'keepWhole' as const }]) {
				await assert.rejects(receiveImage(breakingOff(text), file, options(false, more)), broken);
				assert.deepEqual(await readdir(folder), []);
			}
			await assert.rejects(receiveImage(breakingOff(text), file), broken);
			await assert.rejects(
				receiveImage(breakingOff(text), file, {
					isWhole: () => Promise.reject(new Error('cannot tell')),
				}),
				broken,
			);
			assert.deepEqual(await readdir(folder), []);
			assert.deepEqual(asked, ['hello', 'hello']);
		});

		test('before the image has begun is not asked about', async () => {
			await assert.rejects(
				receiveImage(breakingOff('{"data":[{"b64_json":"'), file, {
					isWhole: (part) => Promise.resolve(asked.push(part) > 0),
				}),
				broken,
			);
			assert.deepEqual(asked, []);
			assert.deepEqual(await readdir(folder), []);
		});

		test('is discarded where nobody wants it, whole or not', async () => {
			const text = '{"data":[{"b64_json":"aGVsbG8=';
			const discarding = options(true, { whenBroken: () => 'discard' });
			await assert.rejects(receiveImage(breakingOff(text), file, discarding), broken);
			assert.deepEqual(asked, []);
			assert.deepEqual(await readdir(folder), []);
		});

		test('leaves what has arrived where all of it is to be kept', async () => {
			const text = '{"data":[{"b64_json":"aGVsbG8';
			const keeping = options(false, { whenBroken: () => 'keepAll' });
			await assert.rejects(receiveImage(breakingOff(text), file, keeping), broken);
			assert.deepEqual(await readdir(folder), ['image.part']);
			assert.equal(await readFile(path.join(folder, 'image.part'), 'utf8'), 'hello');
		});
	});

	suite('a disk that refuses', () => {
		/** No file can be made where a socket is. */
		async function refuse(): Promise<() => Promise<unknown>> {
			const server = net.createServer();
			await new Promise<void>((resolve) => {
				server.listen(`${file}.part`, resolve);
			});
			return () => new Promise((resolve) => server.close(resolve));
		}

		test('is waited for, and whoever asks is told', async () => {
			const allow = await refuse();
			const told: (string | undefined)[] = [];
			const { bytes } = await receiveImage(body(answerWith(randomBytes(900))), file, {
				longestStallMs: 60_000,
				onStall: (code) => {
					told.push(code);
					void allow();
				},
			});
			assert.equal(bytes, 900);
			assert.deepEqual(told, ['ENXIO', undefined]);
		});

		test('is given up after the time that is allowed, and not asked again', async () => {
			const allow = await refuse();
			const startedAt = performance.now();
			await assert.rejects(
				receiveImage(body(answerWith(randomBytes(900))), file, {
					longestStallMs: 50,
					isWhole: () => Promise.resolve(true),
				}),
				(error: unknown) => {
					assert.ok(error instanceof StorageError);
					assert.equal(error.code, 'ENXIO');
					assert.equal((error.cause as NodeJS.ErrnoException).code, 'ENXIO');
					return true;
				},
			);
			assert.ok(performance.now() - startedAt < 1500);
			await allow();
		});

		test('is not waited for any more once the signal is aborted', async () => {
			const allow = await refuse();
			const controller = new AbortController();
			await assert.rejects(
				receiveImage(body(answerWith(randomBytes(900))), file, {
					longestStallMs: 60_000,
					signal: controller.signal,
					onStall: () => {
						controller.abort();
					},
				}),
				StorageError,
			);
			await allow();
		});
	});

	test('what a disk says is told in words, with what to do', () => {
		for (const [codes, words] of [
			[['ENOSPC', 'EDQUOT'], /no space left.*Free some/],
			[['EFBIG'], /larger than the largest file.*Ask for a smaller size/],
			[
				['EACCES', 'EPERM', 'EROFS'],
				/Easel's own storage.* is not writable \(E[A-Z]+\)\. Make it writable/,
			],
			[['EIO'], /cannot be stored on this machine \(EIO\)\. Check the disk/],
		] as const) {
			for (const code of codes) {
				assert.match(storageMessage(code), words);
			}
		}
	});

	test('says so when the image cannot be stored', async () => {
		await mkdir(file);
		await mkdir(path.join(file, 'in the way'));
		await assert.rejects(receiveImage(body(answerWith(randomBytes(9))), file), (error: unknown) => {
			assert.ok(error instanceof StorageError);
			assert.equal(error.charge, 'charged');
			assert.match(error.message, /cannot be stored/);
			return true;
		});
		assert.deepEqual(await readdir(folder), ['image']);
	});
});
