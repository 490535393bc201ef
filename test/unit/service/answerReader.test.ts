import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import type { ReaderOptions } from '../../../src/service/answerReader.js';
import { decodeContent } from '../../../src/service/contentCoding.js';
import { AnswerError } from '../../../src/service/errors.js';
import { answerKey, answerTable } from './answerTable.js';
import { cutAnywhere } from './pieces.js';
import { completeIf, receiveImage } from './receive.js';
import { useFolder } from '../scratch.js';

/** Both alphabets of base64 differ in every group of it, and it has padding. */
const image = Buffer.from('fbeffbfeff'.repeat(300) + 'fb', 'hex');
const large = randomBytes(2_000_003);
const table = answerTable(image);
const plain = String(table['as specified']!.body);
const base64 = image.toString('base64');

suite('service › answerReader', () => {
	const at = useFolder();
	const file = () => at('image');

	const only = (whole: Buffer): ReaderOptions['inspect'] => {
		return async (part) => ((await readFile(part)).equals(whole) ? 'complete' : 'other');
	};

	async function failureOf(body: string | Buffer, options?: Partial<ReaderOptions>) {
		try {
			await receiveImage([Buffer.from(body)], file(), { secrets: [answerKey], ...options });
		} catch (error) {
			assert.ok(error instanceof AnswerError, String(error));
			assert.deepEqual(await readdir(at()), [], 'half an image is left');
			return error;
		}
		return assert.fail('it should have been refused');
	}

	for (const [name, { body, coding, outcome, shown }] of Object.entries(table)) {
		test(`reads an answer: ${name}`, async () => {
			const options = { coding, inspect: only(image) };
			if (outcome === 'image') {
				const { bytes } = await receiveImage([Buffer.from(body)], file(), options);
				assert.equal(bytes, image.length);
				assert.deepEqual(await readFile(file()), image);
				assert.deepEqual(await readdir(at()), ['image']);
				return;
			}
			const error = await failureOf(body, options);
			const charge = outcome === 'words' ? 'unknown' : 'charged';
			assert.deepEqual(
				[error.facts.code, error.charge, error.repeatable],
				[outcome, charge, false],
			);
			assert.match(wordsOf(error), shown ?? /./);
		});
	}

	test('reads a larger answer whatever the end of its gzip', async () => {
		// More than a decoder takes at once.
		const larger = large.subarray(0, 300_003);
		for (const [name, { body, coding }] of Object.entries(answerTable(larger))) {
			if (name.startsWith('gzip ') && table[name]!.outcome === 'image') {
				await receiveImage([Buffer.from(body)], file(), { coding, inspect: only(larger) });
				assert.ok((await readFile(file())).equals(larger), name);
			}
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

	test('passes on what has come before the error of a body', async () => {
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

	test('finds the same wherever the pieces end, in an answer of megabytes too', async () => {
		const prompt = 'an \u{1F98A}, "quoted"\\';
		const body = Buffer.from(
			JSON.stringify({ data: [{ revised_prompt: prompt, b64_json: large.toString('base64') }] }),
		);
		const small = Buffer.from(table['other escapes']!.body);
		await fc.assert(
			fc.asyncProperty(cutAnywhere, async (cut) => {
				await receiveImage(cut<Buffer>(small), file());
				assert.deepEqual(await readFile(file()), image);
			}),
			{ numRuns: 20 },
		);
		const { revisedPrompt } = await receiveImage([body], file());
		assert.equal(revisedPrompt, prompt);
		assert.ok((await readFile(file())).equals(large));
	});

	test('takes a complete image out of an answer that breaks off behind it, and no half one', async () => {
		const broken = { isComplete: false, inspect: completeIf(image) };
		for (const body of [
			plain.slice(0, -1),
			plain.slice(0, -4),
			`{"data":[{"b64_json":"${base64}","revised_prompt":"a ha`,
			`{"data":[{"b64_json":"${base64}","revi`,
			`{"data":[{"b64_json":"${base64}","usage":{"a":[1,2,{"b":tr`,
		]) {
			await receiveImage([Buffer.from(body)], file(), broken);
			assert.deepEqual(await readFile(file()), image, body.slice(-20));
			await rm(file());
		}
		const half = await failureOf(plain.slice(0, 800), broken);
		assert.equal(half.facts.code, 'answer.truncated');
		assert.equal((await failureOf(image.subarray(0, 99), broken)).facts.code, 'answer.notJson');
		for (const name of ['gzip that is damaged', 'gzip of nothing', 'two zeros']) {
			const { facts } = await failureOf(table[name]!.body, broken);
			assert.equal(facts.code, 'answer.truncated', name);
		}
	});

	test('has the code of an error, the link that it gives, and the prompt of the image it takes', async () => {
		assert.equal((await failureOf(table['an error']!.body)).code, 'moderation_blocked');
		const typed = '{"error":{"message":"No.","type":"insufficient_quota","code":null}}';
		assert.equal((await failureOf(typed)).code, 'insufficient_quota');
		assert.equal((await failureOf(table['a link']!.body)).link, 'https://cdn.example/a.png?s=1');
		const first = '{"b64_json":"aGk=","revised_prompt":"of another one"}';
		const second = `{"data":[${first},{"b64_json":"${base64}","revised_prompt":"its own"}]}`;
		const taken = await receiveImage([Buffer.from(second)], file(), { inspect: only(image) });
		assert.equal(taken.revisedPrompt, 'its own');
	});
});
