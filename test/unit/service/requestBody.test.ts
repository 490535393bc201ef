import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import {
	appendFile,
	open,
	readdir,
	readlink,
	rm,
	truncate,
	utimes,
	writeFile,
} from 'node:fs/promises';
import { mock } from 'node:test';
import { wordsOf } from '../../../src/editor/errorTexts.js';
import { RequestError } from '../../../src/service/errors.js';
import {
	requestBody,
	type ImageCall,
	type ReferenceFile,
	type RequestBody,
} from '../../../src/service/requestBody.js';
import { useFolder } from '../scratch.js';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const writtenAt = new Date('2026-01-02T03:04:05Z');

suite('service › requestBody', () => {
	const at = useFolder();

	async function reference(
		name: string,
		bytes: Buffer,
		contentType: ReferenceFile['contentType'] = 'image/webp',
	): Promise<ReferenceFile> {
		const file = at(name);
		await writeFile(file, bytes);
		// So that what is written behind it has another time on every file system.
		await utimes(file, writtenAt, writtenAt);
		return { path: file, fileName: name, contentType };
	}

	const callOf = (change: Partial<ImageCall>): ImageCall => ({
		...{ prompt: 'a lighthouse', size: 'auto', references: [] },
		...change,
	});

	/** Copies of the pieces of a form: each is valid until the next one is asked for. */
	async function piecesOf(
		form: RequestBody,
		onPiece: (piece: Uint8Array) => Promise<void> = async () => {},
	): Promise<Buffer[]> {
		const pieces: Buffer[] = [];
		for await (const piece of form.pieces()) {
			pieces.push(Buffer.from(piece));
			await onPiece(piece);
		}
		return pieces;
	}

	async function formOf(change: Partial<ImageCall>): Promise<RequestBody> {
		return requestBody(callOf(change));
	}

	/** Reads a form by the platform's own parser: its fields, and then its files. */
	async function read(form: RequestBody): Promise<[fields: object, ...files: unknown[]]> {
		const body = Buffer.concat(await piecesOf(form));
		assert.equal(form.length, body.length);
		const response = new Response(body, { headers: { 'content-type': form.contentType } });
		const fields: Record<string, string> = {};
		const files: unknown[] = [];
		for (const [name, value] of await response.formData()) {
			if (typeof value === 'string') {
				fields[name] = value;
			} else {
				files.push([name, value.name, value.type, sha256(await value.bytes())]);
			}
		}
		return [fields, ...files];
	}

	async function refusal(change: Partial<ImageCall>): Promise<RequestError> {
		return requestBody(callOf(change)).then(
			() => assert.fail('it should have been refused'),
			(error: unknown) => {
				assert.ok(error instanceof RequestError, String(error));
				return error;
			},
		);
	}

	test('of an edit has what is laid over its first image behind the images', async () => {
		const [image, mask] = [randomBytes(2000), randomBytes(1000)];
		const references = [await reference('a.webp', image)];
		const file = await reference('marks', mask, 'image/png');
		const form = await formOf({ references, overlay: { ...file, field: 'mask' } });
		assert.deepEqual((await read(form)).slice(1), [
			['image', 'reference-1.webp', 'image/webp', sha256(image)],
			['mask', 'mask.png', 'image/png', sha256(mask)],
		]);
	});

	test('of an edit reads its files in pieces of 64 KiB into the same memory, as they are sent', async () => {
		const bytes = randomBytes(160_000);
		const form = await formOf({ references: [await reference('large.webp', bytes)] });
		const memory = new Set<ArrayBufferLike>();
		const pieces = await piecesOf(form, ({ length, buffer }) => {
			if (length > 10_000) {
				memory.add(buffer);
			}
			return Promise.resolve();
		});
		const at = pieces.findIndex(({ length }) => length === 64 * 1024);
		const ofFile = pieces.slice(at, at + 3);
		assert.deepEqual(
			ofFile.map(({ length }) => length),
			[65_536, 65_536, 160_000 - 2 * 65_536],
		);
		assert.ok(Buffer.concat(ofFile).equals(bytes));
		assert.equal(memory.size, 1);
	});

	const changes: Record<string, (file: string) => Promise<void>> = {
		'is shorter': (file) => truncate(file, 10),
		'is longer': (file) => appendFile(file, 'more'),
		'is longer, and says to be as old': async (file) => {
			await appendFile(file, 'more');
			await utimes(file, writtenAt, writtenAt);
		},
		'holds something else': (file) => writeFile(file, Buffer.alloc(400_000, 1)),
		'is gone': (file) => rm(file),
	};
	for (const [what, change] of Object.entries(changes)) {
		test(`of an edit ends with an error that names the file where it ${what} before it is sent`, async () => {
			const file = await reference('large.webp', randomBytes(400_000));
			const form = await formOf({ references: [file] });
			await change(file.path);
			await assert.rejects(piecesOf(form), isChanged);
		});

		for (const [when, pieces] of [
			['while it is sent', 2],
			['before its last piece is sent', 6],
		] as const) {
			test(`of an edit is never whole where a file ${what} ${when}, and keeps none open`, async () => {
				const file = await reference('large.webp', randomBytes(400_000));
				const form = await formOf({ references: [file] });
				let sentOfFile = 0;
				const sending = piecesOf(form, async ({ length }) => {
					if (length === 64 * 1024 && (sentOfFile += 1) === pieces) {
						await change(file.path);
					}
				});
				// One that is gone is open already, and read to its end.
				await (what === 'is gone' ? sending : assert.rejects(sending, isChanged));
				assert.ok(sentOfFile >= pieces, String(sentOfFile));
				assert.deepEqual(await openFiles(), []);
			});
		}
	}

	test('of an edit leaves no file open where the rest is not read', async () => {
		const form = await formOf({
			references: [await reference('large.webp', randomBytes(400_000))],
		});
		for await (const { length } of form.pieces()) {
			if (length === 64 * 1024) {
				assert.equal((await openFiles()).length, process.platform === 'linux' ? 1 : 0);
				break;
			}
		}
		assert.deepEqual(await openFiles(), []);
	});

	test('of an edit is whole where the system hands a file over in little pieces', async () => {
		const bytes = randomBytes(200_000);
		const file = await reference('large.webp', bytes);
		const form = await formOf({ references: [file] });
		const some = await open(file.path);
		type Read = (memory: Uint8Array, at: number, length: number, from: number) => unknown;
		const handles = Object.getPrototypeOf(some) as { read: Read };
		await some.close();
		const { read } = handles;
		const reading = mock.method(handles, 'read', function (this: unknown, ...given) {
			const [memory, at, length, from] = given;
			return read.call(this, memory, at, Math.min(length, 10_000), from);
		} satisfies Read);
		try {
			assert.ok(Buffer.concat(await piecesOf(form)).includes(bytes));
			assert.ok(reading.mock.callCount() >= 20);
		} finally {
			reading.mock.restore();
		}
	});

	/** Which files of the test's folder this process has open; none where the system does not show it. */
	async function openFiles(): Promise<string[]> {
		const numbers = await readdir('/proc/self/fd').catch(() => []);
		const files = await Promise.all(
			numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')),
		);
		return files.filter((file) => file.startsWith(at()));
	}

	function isChanged(error: unknown): boolean {
		assert.ok(error instanceof RequestError);
		assert.equal(error.field, 'references');
		assert.match(
			wordsOf(error),
			/large\.webp was changed or deleted while it was being sent\. .* You were not charged\.$/,
		);
		assert.ok(error.cause instanceof Error);
		return true;
	}

	test('is none where a reference cannot be read, and says which', async () => {
		const there = await reference('there.webp', Buffer.from('an image'));
		const gone = { ...there, path: at('gone.webp') };
		const error = await refusal({ references: [there, gone] });
		assert.equal(error.field, 'references[1]');
		assert.match(
			wordsOf(error),
			/^The reference image there\.webp cannot be read\. Choose it again\. Nothing was sent\.$/,
		);
	});

	test('is none where the service would not take it, and says why', async () => {
		const file = await reference('there.webp', Buffer.from('an image'));
		for (const references of [[], [file]]) {
			const empty = await refusal({ prompt: '', references });
			assert.equal(empty.field, 'prompt');
			assert.match(wordsOf(empty), /^The prompt is empty\./);
			const size = await refusal({ size: '10x10', references });
			assert.equal(size.field, 'size');
			assert.match(wordsOf(size), /^Standard .* does not offer the size 10x10.*1024x1024, /);
		}
	});

	for (const [refused, call, field, words] of [
		[
			'a size',
			{ service: 'openai', size: '512x512' },
			'size',
			/^OpenAI does not .* 512x512: .* nearest one is 816x816\./,
		],
		[
			'a size of an older model',
			{ service: 'openai', model: 'gpt-image-1-mini', size: '3840x2160' },
			...(['size', /offers auto, 1024x1024, 1536x1024, 1024x1536\./] as const),
		],
		[
			'a quality of a newer model',
			{ service: 'openai', model: 'gpt-image-2', quality: 'max' },
			...(['quality', /quality max\. It offers low, medium, high\./] as const),
		],
		['a missing deployment', { service: 'azure' }, 'easel.service.model', /^Azure OpenAI needs/],
	] as const satisfies readonly (readonly [string, Partial<ImageCall>, string, RegExp])[]) {
		test(`is none for ${refused} that a service does not have, and names what it has`, async () => {
			const error = await refusal(call);
			assert.equal(error.field, field);
			assert.match(wordsOf(error), words);
		});
	}

	test('is none for more reference images than a service takes', async () => {
		const file = await reference('there.webp', Buffer.from('an image'));
		const call = {
			service: 'openai',
			references: new Array<ReferenceFile>(17).fill(file),
		} as const;
		assert.match(wordsOf(await refusal(call)), /^OpenAI takes at most 16 reference images, not 17/);
	});
});
