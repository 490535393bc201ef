import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
	mkdtemp,
	open,
	readdir,
	readFile,
	rm,
	stat,
	writeFile,
	type FileHandle,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { AnswerFile } from '../../../src/service/answerFile.js';

type Fault = number | string | undefined;

suite('service › answerFile', () => {
	let folder: string;
	let restore: () => void = () => undefined;

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-answer-file-'));
	});

	teardown(async () => {
		restore();
		await rm(folder, { recursive: true });
	});

	/** Lets the disk refuse with a code, or take fewer bytes of a piece, as a nearly full one does. */
	async function withFaults(faults: Partial<Record<'write' | 'sync', () => Fault>>) {
		const any = await open(path.join(folder, 'any'), 'w');
		const prototype = Object.getPrototypeOf(any) as Record<
			'write' | 'sync',
			(this: FileHandle, ...given: unknown[]) => Promise<unknown>
		>;
		const { write, sync } = prototype;
		await any.close();
		await rm(path.join(folder, 'any'));
		const refuse = (fault: Fault) => {
			if (typeof fault === 'string') {
				throw Object.assign(new Error(fault), { code: fault });
			}
			return fault;
		};
		prototype.write = async function (piece, from) {
			const length = (piece as Buffer).length - (from as number);
			const taken = Math.min(refuse(faults.write?.()) ?? length, length);
			return write.call(this, piece, from, taken);
		};
		prototype.sync = async function () {
			refuse(faults.sync?.());
			return sync.call(this);
		};
		restore = () => {
			Object.assign(prototype, { write, sync });
			restore = () => undefined;
		};
	}

	function oneByOne(faults: readonly Fault[]): () => Fault {
		const left = [...faults];
		return () => left.shift();
	}

	function answerFile(
		[first = folder, ...others]: readonly string[] = [],
		onStall?: (code: string | undefined) => void,
	) {
		return new AnswerFile(first, others, onStall);
	}

	test('lies under the first name that is free, as far as it has come', async () => {
		await writeFile(path.join(folder, 'answer'), 'of an earlier attempt');
		const answer = answerFile();
		await answer.append(Buffer.from('one '));
		await answer.append(Buffer.from('two'));
		assert.equal(await readFile(path.join(folder, 'answer-2'), 'utf8'), 'one two');
		assert.equal(await answer.finish(), path.join(folder, 'answer-2'));
		assert.equal(await readFile(path.join(folder, 'answer'), 'utf8'), 'of an earlier attempt');
		await answer.discard();
		assert.deepEqual(await readdir(folder), ['answer']);
	});

	test('is whole whatever a disk takes at once, and however often it refuses', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 5 }),
				fc.array(fc.constantFrom(1, 2, 7, 'ENOSPC', 'EIO', 'EROFS'), { maxLength: 4 }),
				fc.boolean(),
				async (pieces, faults, oneAfterAnother) => {
					await withFaults({ write: oneByOne(faults), sync: oneByOne(['EIO']) });
					try {
						const answer = answerFile();
						const appending = pieces.map((piece) => () => answer.append(Buffer.from(piece)));
						if (oneAfterAnother) {
							for (const append of appending) {
								await append();
							}
						} else {
							await Promise.all(appending.map((append) => append()));
						}
						assert.deepEqual(await readFile(await answer.finish()), Buffer.concat(pieces));
					} finally {
						restore();
					}
				},
			),
			{ numRuns: 30 },
		);
	});

	test('is written anew, into another file, where the flush of one has failed', async () => {
		const bytes = randomBytes(100_000);
		const answer = answerFile();
		await answer.append(bytes);
		const first = await open(path.join(folder, 'answer'));
		await withFaults({ sync: oneByOne(['EIO']) });
		const file = await answer.finish();
		restore();
		assert.deepEqual(await readFile(file), bytes);
		assert.notEqual((await stat(file)).ino, (await first.stat()).ino);
		await first.close();
	});

	test('goes into the next folder where one can never take it, and says so', async () => {
		const stalls: (string | undefined)[] = [];
		const occupied = path.join(folder, 'file');
		await writeFile(occupied, '');
		const next = path.join(folder, 'made', 'for it');
		const answer = answerFile([occupied, next], (code) => stalls.push(code));
		await answer.append(Buffer.from('one '));
		await answer.append(Buffer.from('two'));
		assert.equal(await answer.finish(), path.join(next, 'answer'));
		assert.equal(await readFile(path.join(next, 'answer'), 'utf8'), 'one two');
		assert.deepEqual(stalls, ['EEXIST', undefined]);
	});

	test('goes into a folder that is added when all the others have refused', async () => {
		const stalls: [string | undefined, boolean][] = [];
		const occupied = path.join(folder, 'file');
		await writeFile(occupied, '');
		const others = [path.join(occupied, 'below')];
		const added = [path.join(occupied, 'another'), path.join(folder, 'added')];
		const answer = new AnswerFile(occupied, others, (code, isEverywhere) => {
			stalls.push([code, isEverywhere]);
			if (isEverywhere) {
				others.push(...added.splice(0, 1));
			}
		});
		await answer.append(Buffer.from('all of it'));
		assert.equal(await answer.finish(), path.join(folder, 'added', 'answer'));
		assert.deepEqual(stalls, [
			['EEXIST', false],
			['ENOTDIR', true],
			['ENOTDIR', true],
			[undefined, false],
		]);
	});

	test('makes a folder again that was deleted meanwhile', async () => {
		const deleted = path.join(folder, 'deleted');
		const answer = answerFile([deleted]);
		await rm(deleted, { recursive: true, force: true });
		await answer.append(Buffer.from('all of it'));
		assert.equal(await readFile(await answer.finish(), 'utf8'), 'all of it');
	});

	test('is held as long as a disk refuses, until it is given up', async () => {
		let fault: Fault = 'ENOSPC';
		await withFaults({ write: () => fault });
		const held = answerFile();
		await held.append(Buffer.from('held '));
		await held.append(Buffer.from('all of it'));
		const finishing = held.finish();
		fault = undefined;
		assert.equal(await readFile(await finishing, 'utf8'), 'held all of it');
		fault = 'ENOSPC';
		const given = answerFile();
		await given.append(Buffer.from('held'));
		given.giveUpAfter(0);
		await assert.rejects(given.finish(), { code: 'ENOSPC' });
	});
});
