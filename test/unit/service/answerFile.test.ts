import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rm, stat, writeFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { holdPieces, storeAnswer, type OnStall } from '../../../src/service/answerFile.js';
import { until } from '../../host/until';
import { useFolder } from '../scratch.js';

type Fault = string | undefined;

suite('service › answerFile', () => {
	const at = useFolder();

	/** Lets the disk refuse a piece or a flush with a code. */
	async function withFaults(faults: Partial<Record<'write' | 'sync', () => Fault>>) {
		const any = await open(at('any'), 'w');
		const prototype = Object.getPrototypeOf(any) as Pick<FileHandle, 'writeFile' | 'sync'>;
		const { writeFile: writeAll, sync } = prototype;
		await any.close();
		await rm(at('any'));
		const refuse = (fault: Fault) => {
			if (fault !== undefined) {
				throw Object.assign(new Error(fault), { code: fault });
			}
		};
		mock.method(prototype, 'writeFile', async function (this: FileHandle, content: unknown) {
			const pieces = async function* () {
				for await (const piece of content as AsyncIterable<Buffer>) {
					refuse(faults.write?.());
					yield piece;
				}
			};
			return writeAll.call(this, pieces());
		});
		mock.method(prototype, 'sync', async function (this: FileHandle) {
			refuse(faults.sync?.());
			return sync.call(this);
		});
	}

	function oneByOne(faults: readonly Fault[]): () => Fault {
		const left = [...faults];
		return () => left.shift();
	}

	/** Keeps what is given bit by bit, until it is ended. */
	function keep(
		[first = at(), ...otherFolders]: readonly string[] = [],
		onStall?: OnStall,
		giveUp = new AbortController().signal,
	) {
		const stream = new PassThrough();
		const file = storeAnswer(holdPieces(stream), { folder: first, otherFolders, giveUp, onStall });
		// Where it fails, the test waits for it later.
		file.catch(() => undefined);
		return {
			append: (piece: Uint8Array | string) => void stream.write(piece),
			finish: () => {
				stream.end();
				return file;
			},
		};
	}

	function untilIn(file: string, text: string): Promise<void> {
		return until(async () => (await readFile(file, 'utf8').catch(() => '')) === text, 'the text');
	}

	test('lies under the first name that is free, as far as it has come', async () => {
		await writeFile(at('answer'), 'of an earlier attempt');
		const answer = keep();
		answer.append('one ');
		answer.append('two');
		await untilIn(at('answer-2'), 'one two');
		answer.append(' three');
		await untilIn(at('answer-2'), 'one two three');
		assert.equal(await answer.finish(), at('answer-2'));
		assert.equal(await readFile(at('answer'), 'utf8'), 'of an earlier attempt');
	});

	test('is whole however often the disk refuses', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 5 }),
				fc.array(fc.constantFrom(undefined, 'ENOSPC', 'EIO', 'EROFS'), { maxLength: 4 }),
				fc.boolean(),
				async (pieces, faults, oneAfterAnother) => {
					await withFaults({ write: oneByOne(faults), sync: oneByOne(['EIO']) });
					try {
						const answer = keep();
						for (const piece of pieces) {
							answer.append(piece);
							if (oneAfterAnother) {
								await nextTurn();
							}
						}
						assert.deepEqual(await readFile(await answer.finish()), Buffer.concat(pieces));
					} finally {
						mock.restoreAll();
					}
				},
			),
			{ numRuns: 30 },
		);
	});

	test('is written anew, into another file, where the flush of one has failed', async () => {
		const bytes = randomBytes(100_000);
		const answer = keep();
		answer.append(bytes);
		const name = at('answer');
		await until(
			async () => (await stat(name).catch(() => undefined))?.size === bytes.length,
			'the bytes',
		);
		const first = await open(name);
		await withFaults({ sync: oneByOne(['EIO']) });
		const file = await answer.finish();
		mock.restoreAll();
		assert.deepEqual(await readFile(file), bytes);
		assert.notEqual((await stat(file)).ino, (await first.stat()).ino);
		await first.close();
	});

	test('goes into the next folder where one can never take it, and says so', async () => {
		const stalls: (string | undefined)[] = [];
		const occupied = at('file');
		await writeFile(occupied, '');
		const next = at('made/for it');
		const answer = keep([occupied, next], (code) => stalls.push(code));
		answer.append('one ');
		// Before its end, it is reported that the disk takes it again.
		await until(() => stalls.length === 2, 'the next folder');
		answer.append('two');
		assert.equal(await answer.finish(), path.join(next, 'answer'));
		assert.equal(await readFile(path.join(next, 'answer'), 'utf8'), 'one two');
		assert.deepEqual(stalls, ['EEXIST', undefined]);
	});

	test('is dropped where a disk that refuses is given up, and leaves nothing', async () => {
		await withFaults({ write: () => 'ENOSPC' });
		const giveUp = new AbortController();
		const stalled = Promise.withResolvers<unknown>();
		const given = keep([], stalled.resolve, giveUp.signal);
		given.append('held');
		await stalled.promise;
		giveUp.abort();
		await assert.rejects(given.finish(), { code: 'ENOSPC' });
		assert.deepEqual(await readdir(at()), []);
	});
});
