import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import type { ReaderOptions } from '../../../src/service/answerReader.js';
import { decodeContent } from '../../../src/service/contentCoding.js';
import { AnswerError, type Charge } from '../../../src/service/errors.js';
import { cutAnywhere } from './pieces.js';
import { completeIf, receiveImage } from './receive.js';

/** Both alphabets of base64 differ in every group of it. */
const image = Buffer.from('fbeffbfeff'.repeat(300), 'hex');
const base64 = image.toString('base64');
const plain = JSON.stringify({ data: [{ b64_json: base64 }] });
const key = 'a-key-of-nobody';

suite('service › answerReader', () => {
	let folder: string;
	let file: string;

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-reader-'));
		file = path.join(folder, 'image');
	});

	teardown(() => rm(folder, { recursive: true }));

	async function failureOf(body: string | Buffer, options?: Partial<ReaderOptions>) {
		try {
			await receiveImage([Buffer.from(body)], file, { secrets: [key], ...options });
		} catch (error) {
			assert.ok(error instanceof AnswerError, String(error));
			assert.deepEqual(await readdir(folder), [], 'half an image is left');
			return error;
		}
		return assert.fail('it should have been refused');
	}

	const understood: Readonly<Record<string, string | Buffer>> = {
		plain,
		'in capitals of another order': `{"usage":{"b64_json":"x"},"data":[{"a":[1,"b"],"b64_json":"${base64}"}],"b64_json":"no"}`,
		'a byte order mark': `\ufeff${plain}`,
		'blanks of a heartbeat': ' \n'.repeat(50_000) + plain,
		'the URL-safe alphabet': plain.replaceAll('+', '-').replaceAll('/', '_'),
		'both alphabets': plain.replace('/', '_'),
		'no padding': plain.replace(/=+/, ''),
		'line breaks in JSON': plain.replace(base64, base64.replace(/.{76}/g, '$&\\r\\n')),
		'raw line breaks': plain.replace(base64, base64.replace(/.{76}/g, '$&\n')),
		'escaped slashes': plain.replaceAll('/', '\\/'),
		'other escapes': plain.replaceAll('+', '\\u002B').replaceAll('A', '\\u0041'),
		'a data URI': plain.replace(base64, `data:image/png;charset=utf-8;base64,${base64}`),
		'a data URI in its URL': `{"data":[{"url":"data:image/png;base64,${base64}"}]}`,
		'a data URI in its URL, beside nothing': `{"data":[{"b64_json":"","url":"data:image/png;base64,${base64}"}]}`,
		'null first': `{"data":[{"b64_json":null},{"b64_json":""},{"b64_json":"${base64}"}]}`,
		'no item first': `{"data":[null,7,{"b64_json":"${base64}"}]}`,
		'an error beside it': `{"error":null,"message":"done","data":[{"b64_json":"${base64}"}]}`,
		'something behind it': `${plain}\n{"more":1}<html>`,
		'gzip in two members': Buffer.concat([
			gzipSync(plain.slice(0, 300)),
			gzipSync(plain.slice(300)),
		]),
		'gzip with a file name, a comment and more in its head': Buffer.concat([
			Buffer.from([0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 2, 0, 1, 2]),
			Buffer.from('answer.json\0a comment\0\x01\x02', 'latin1'),
			gzipSync(plain).subarray(10),
		]),
	};
	for (const [what, body] of Object.entries(understood)) {
		test(`takes the image out of an answer: ${what}`, async () => {
			assert.equal((await receiveImage([Buffer.from(body)], file)).bytes, image.length);
			assert.deepEqual(await readFile(file), image);
			assert.deepEqual(await readdir(folder), ['image']);
		});
	}

	const large = randomBytes(2_000_003);
	for (const [size, whole] of [
		['of kilobytes', image],
		['of megabytes', large],
	] as const) {
		const body = JSON.stringify({ data: [{ b64_json: whole.toString('base64') }] });
		const gzip = gzipSync(body);
		const behind = (...more: readonly (string | Buffer)[]) =>
			Buffer.concat([gzip, ...more.map((one) => Buffer.from(one))]);
		/** With another byte, counted from the end. */
		const wrongAt = (coded: Buffer, fromEnd: number) => {
			const wrong = Buffer.from(coded);
			wrong[wrong.length - fromEnd]! ^= 0xff;
			return wrong;
		};
		const ends: Readonly<Record<string, Buffer>> = {
			'as it should be': gzip,
			'no checksum and no length': gzip.subarray(0, -8),
			'half a length': gzip.subarray(0, -2),
			'a wrong checksum': wrongAt(gzip, 8),
			'a wrong length': wrongAt(gzip, 1),
			'a line end behind it': behind('\r\n'),
			'words behind it': behind('garbage behind it'),
			'zeros behind it': behind(Buffer.alloc(9)),
			'a second answer behind it': behind(gzip),
			'a second answer behind it that is plain': behind(body),
			'the start of a second one behind it': behind(gzip.subarray(0, 5)),
		};
		for (const [end, coded] of Object.entries(ends)) {
			test(`takes the image out of an answer ${size} whatever the end of its gzip: ${end}`, async () => {
				await receiveImage([coded], file, { inspect: completeIf(whole) });
				assert.ok((await readFile(file)).equals(whole));
			});
		}
	}

	test('believes the first bytes, not what the answer says of its coding', async () => {
		for (const [coding, body] of [
			['gzip', plain],
			['br', plain],
			['unheard', plain],
			['identity', gzipSync(plain)],
			['br', gzipSync(plain)],
			[' BR ', brotliCompressSync(plain)],
		] as const) {
			await receiveImage([Buffer.from(body)], file, { coding });
			assert.deepEqual(await readFile(file), image, coding);
		}
	});

	test('unpacks gzip alike wherever its pieces end, up to what is no gzip', async () => {
		const members = [plain.slice(0, 300), '', plain.slice(300)].map((part) => gzipSync(part));
		const packed = Buffer.concat([...members, Buffer.from('behind it')]);
		await fc.assert(
			fc.asyncProperty(cutAnywhere, async (cut) => {
				const pieces = Readable.from(cut<Buffer>(packed)) as AsyncIterable<Buffer>;
				assert.equal(await text(Readable.from(decodeContent(pieces))), plain);
			}),
			{ numRuns: 50 },
		);
	});

	test('tells a coding that breaks off from an answer that cannot be read', async () => {
		const refusal = new Error('EIO');
		for (const body of [Buffer.from(plain), gzipSync(plain)]) {
			const pieces = async function* () {
				yield body;
				await Promise.reject(refusal);
			};
			const read: Buffer[] = [];
			await assert.rejects(async () => {
				for await (const piece of decodeContent(pieces())) {
					read.push(piece);
				}
			}, refusal);
			assert.equal(Buffer.concat(read).toString(), plain);
		}
	});

	test('takes a body that is the image itself', async () => {
		await receiveImage([image], file, { inspect: completeIf(image) });
		assert.deepEqual(await readFile(file), image);
	});

	test('finds the same wherever the pieces end, in an answer of megabytes too', async () => {
		const prompt = 'an \u{1F98A}, "quoted"\\';
		const body = Buffer.from(
			JSON.stringify({ data: [{ revised_prompt: prompt, b64_json: large.toString('base64') }] }),
		);
		const small = Buffer.from(understood['other escapes']!);
		await fc.assert(
			fc.asyncProperty(cutAnywhere, async (cut) => {
				await receiveImage(cut<Buffer>(small), file);
				assert.deepEqual(await readFile(file), image);
			}),
			{ numRuns: 20 },
		);
		const { revisedPrompt } = await receiveImage([body], file);
		assert.equal(revisedPrompt, prompt);
		assert.ok((await readFile(file)).equals(large));
	});

	test('takes a whole image out of an answer that breaks off behind it, and no half one', async () => {
		const whole = { isComplete: false, inspect: completeIf(image) };
		for (const body of [
			plain.slice(0, -1),
			plain.slice(0, -4),
			`{"data":[{"b64_json":"${base64}","revised_prompt":"a ha`,
			`{"data":[{"b64_json":"${base64}","revi`,
			`{"data":[{"b64_json":"${base64}","usage":{"a":[1,2,{"b":tr`,
		]) {
			await receiveImage([Buffer.from(body)], file, whole);
			assert.deepEqual(await readFile(file), image, body.slice(-20));
			await rm(file);
		}
		const half = await failureOf(plain.slice(0, 800), whole);
		assert.equal(half.facts.code, 'answer.truncated');
		assert.equal((await failureOf(image.subarray(0, 99), whole)).facts.code, 'answer.notJson');
	});

	const refused: readonly (readonly [string, string, RegExp, Charge?])[] = [
		['', 'empty', /without an image/],
		[' \n ', 'empty', /without an image/],
		['\n<!DOCTYPE html><html>Sign in', 'html', /web page.*service address/],
		['upstream error', 'notJson', /not JSON/],
		['{"data": [}', 'notJson', /not JSON/],
		['"text"', 'notJson', /not JSON/],
		['{"data":[{"b64_json":"aGk', 'truncated', /ends before/],
		['{"data":[{"b64_json":"aGk!"}]}', 'brokenBase64', /damaged/],
		['{"data":[{"b64_json":"a=Gk"}]}', 'brokenBase64', /damaged/],
		['{"data":[{"b64_json":"aGké"}]}', 'brokenBase64', /damaged/],
		['{"data":[{"b64_json":"aGk\\x"}]}', 'notJson', /not JSON/],
		['{"data":[{"b64_json":"aGk=\\uU063"}]}', 'notJson', /not JSON/],
		['{"data":[{}]}', 'missingImage', /no image/],
		['{"data":[]}', 'missingImage', /no image/],
		['[]', 'missingImage', /no image/],
		['{"data":[{"b64_json":""}]}', 'missingImage', /no image/],
		['{"data":[{"url":"https://cdn.example/a.png?s=1"}]}', 'link', /link instead/],
		['{"data":[{"url":"javascript:alert(1)"}]}', 'missingImage', /no image/],
		[
			'{"error":{"message":" Not so. ","code":"moderation_blocked"}}',
			'error',
			/^Not so\.$/,
			'unknown',
		],
		['{"data":[],"error":{"message":"Not so."}}', 'error', /^Not so\.$/, 'unknown'],
		['{"message":"Not so."}', 'error', /^Not so\.$/, 'unknown'],
		['{"error":"Not so."}', 'error', /^Not so\.$/, 'unknown'],
		['{"error_code":"E7","detail":"Not so."}', 'error', /^Not so\.$/, 'unknown'],
		['{"error":{"code":402}}', 'error', /^402$/, 'unknown'],
		[`{"error":{"message":"Not with ${key}."}}`, 'error', /^Not with \*\*\*\.$/, 'unknown'],
		[`{"error":{"message":"${'long '.repeat(40_000)}"}}`, 'error', /^long long /, 'unknown'],
	];
	for (const [body, problem, words, charge = 'charged'] of refused) {
		test(`says what is wrong: ${body.slice(0, 50)}`, async () => {
			const error = await failureOf(body);
			const code = problem === 'error' ? 'words' : `answer.${problem}`;
			assert.deepEqual([error.facts.code, error.charge, error.repeatable], [code, charge, false]);
			assert.match(wordsOf(error), words);
		});
	}

	test('says what the service says of an error: its code, and the link that it gives', async () => {
		const { code } = await failureOf('{"error":{"message":"No.","code":"moderation_blocked"}}');
		assert.equal(code, 'moderation_blocked');
		const typed = '{"error":{"message":"No.","type":"insufficient_quota","code":null}}';
		assert.equal((await failureOf(typed)).code, 'insufficient_quota');
		const { link } = await failureOf('{"data":[{"url":"https://cdn.example/a.png?s=1"}]}');
		assert.equal(link, 'https://cdn.example/a.png?s=1');
	});

	test('refuses what is no image, and takes the next one that is', async () => {
		const inspect = async (part: string) =>
			(await readFile(part)).equals(image) ? ('complete' as const) : ('other' as const);
		assert.equal(
			(await failureOf('{"data":[{"b64_json":"aGk="}]}', { inspect })).facts.code,
			'answer.notAnImage',
		);
		const first = '{"b64_json":"aGk=","revised_prompt":"of another one"}';
		const second = `{"data":[${first},{"b64_json":"${base64}","revised_prompt":"its own"}]}`;
		const { revisedPrompt } = await receiveImage([Buffer.from(second)], file, { inspect });
		assert.deepEqual(await readFile(file), image);
		assert.equal(revisedPrompt, 'its own');
	});

	test('reads no more beside the image than it has a use for', async () => {
		const endless = `{"more":[${'1,'.repeat(600_000)}1],"data":[{"b64_json":"aGk="}]}`;
		assert.equal((await failureOf(endless)).facts.code, 'answer.tooMuch');
		const bomb = gzipSync(Buffer.alloc(300_000_000, ' '));
		assert.equal((await failureOf(bomb)).facts.code, 'answer.notJson');
	});

	test('calls no answer empty that has a byte', async () => {
		const damaged = gzipSync(plain);
		damaged.fill(0xff, 12, 40);
		for (const body of [
			damaged,
			gzipSync(''),
			gzipSync(gzipSync(plain)),
			deflateSync(plain),
			'\0\0',
			'\ufeff',
		]) {
			assert.equal((await failureOf(body)).facts.code, 'answer.notJson');
			const broken = await failureOf(body, { isComplete: false });
			assert.equal(broken.facts.code, 'answer.truncated');
		}
	});
});
