import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
	mkdir,
	mkdtemp,
	open,
	readdir,
	readFile,
	rm,
	writeFile,
	type FileHandle,
} from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { ImageFile, partOf, type ImageFileOptions } from '../../../src/service/imageFile.js';

/** What a disk does instead of a step; `undefined`: the step. */
type Faults = Partial<Record<'write' | 'sync', () => Fault | Promise<Fault>>>;

type Fault = number | string | undefined;

type Write = (
	piece: Buffer,
	from: number,
	length: number,
	at: number,
) => Promise<{ bytesWritten: number; buffer: Buffer }>;

suite('service › imageFile', () => {
	let folder: string;
	let file: string;
	let restore: () => void = () => undefined;

	setup(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'easel-image-file-'));
		file = path.join(folder, 'image');
	});

	teardown(async () => {
		restore();
		await Promise.all(images.splice(0).map((image) => image.leave()));
		await rm(folder, { recursive: true });
	});

	/** Lets the disk refuse with a code, or take fewer bytes of a piece, as a nearly full one does. */
	async function withFaults({ write, sync }: Faults): Promise<{ syncs: number; open(): number }> {
		const any = await open(path.join(folder, 'any'), 'w');
		const prototype = Object.getPrototypeOf(any) as Pick<FileHandle, 'sync'> & {
			write: (this: FileHandle, ...rest: Parameters<Write>) => ReturnType<Write>;
		};
		const original = { write: prototype.write, sync: prototype.sync };
		await any.close();
		await rm(path.join(folder, 'any'));
		const opened = new Set<FileHandle>();
		const counts = {
			syncs: 0,
			open: () => [...opened].filter(({ fd }) => fd >= 0).length,
		};
		const refuse = (fault: Fault) => {
			if (typeof fault === 'string') {
				throw Object.assign(new Error(fault), { code: fault });
			}
			return fault;
		};
		prototype.write = async function (piece, from, length, at) {
			opened.add(this);
			const most = refuse(await write?.()) ?? length;
			return original.write.call(this, piece, from, Math.min(most, length), at);
		};
		prototype.sync = async function (this: FileHandle) {
			counts.syncs += 1;
			refuse(await sync?.());
			return original.sync.call(this);
		};
		restore = () => {
			Object.assign(prototype, original);
			restore = () => undefined;
		};
		return counts;
	}

	/** Every step is refused once for each of these, then done. */
	function oneByOne(faults: readonly (number | string)[]): () => Fault {
		const left = [...faults];
		return () => left.shift();
	}

	/** Nobody can open a socket as a file: a disk that refuses until it is closed. */
	async function refusingDisk(): Promise<{ allow: () => Promise<void> }> {
		const server = net.createServer();
		await new Promise<void>((resolve) => {
			server.listen(partOf(file), resolve);
		});
		return {
			allow: () =>
				new Promise((resolve) => {
					server.close(() => {
						resolve();
					});
				}),
		};
	}

	/** Those that were made; each has a file open. */
	const images: ImageFile[] = [];

	function imageFile(options: Partial<ImageFileOptions> = {}): ImageFile {
		const image = new ImageFile(file, { longestStallMs: 10_000, ...options });
		images.push(image);
		return image;
	}

	test('has its name when it is whole and flushed, and a part until then', async () => {
		const counts = await withFaults({});
		const image = imageFile();
		await image.append(Buffer.alloc(0));
		assert.deepEqual(await readdir(folder), []);
		await image.append(Buffer.from('one '));
		await image.append(Buffer.from('two'));
		assert.equal(image.bytes, 7);
		assert.equal(await readFile(partOf(file), 'utf8'), 'one two');
		assert.deepEqual(await readdir(folder), ['image.part']);
		assert.deepEqual([counts.syncs, counts.open()], [0, 1]);
		await image.finish();
		assert.deepEqual(await readdir(folder), ['image']);
		assert.equal(await readFile(file, 'utf8'), 'one two');
		assert.deepEqual([counts.syncs, counts.open()], [1, 0]);
	});

	test('takes the place of what an earlier attempt has left', async () => {
		await writeFile(partOf(file), 'something longer');
		const image = imageFile();
		await image.append(Buffer.from('new'));
		await image.finish();
		assert.equal(await readFile(file, 'utf8'), 'new');
	});

	test('is whole whatever a disk takes at once, and however often it refuses', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.uint8Array({ minLength: 1, maxLength: 20 }), { minLength: 1, maxLength: 5 }),
				fc.array(fc.constantFrom(1, 2, 7, 'ENOSPC', 'EIO'), { maxLength: 4 }),
				fc.boolean(),
				async (pieces, faults, oneAfterAnother) => {
					await withFaults({ write: oneByOne(faults), sync: oneByOne(['EIO']) });
					try {
						const image = imageFile();
						const appending = pieces.map((piece) => () => image.append(Buffer.from(piece)));
						if (oneAfterAnother) {
							for (const append of appending) {
								await append();
							}
						} else {
							await Promise.all(appending.map((append) => append()));
						}
						await image.finish();
						assert.deepEqual(await readFile(file), Buffer.concat(pieces));
					} finally {
						restore();
					}
				},
			),
			{ numRuns: 30 },
		);
	});

	test('tells when the disk begins to refuse and when it takes again, and holds what comes', async () => {
		const disk = await refusingDisk();
		const stalls: (string | undefined)[] = [];
		const image = imageFile({ onStall: (code) => stalls.push(code) });
		await image.append(Buffer.from('one '));
		await image.append(Buffer.from('two '));
		assert.deepEqual(stalls, ['ENXIO']);
		const settled = image.settle();
		await image.append(Buffer.from('three'));
		await disk.allow();
		await settled;
		assert.deepEqual(stalls, ['ENXIO', undefined]);
		assert.equal(await readFile(partOf(file), 'utf8'), 'one two three');
		await image.finish();
	});

	test('waits for the bytes again once the disk takes again, and tells of a second refusal', async () => {
		let fault: () => Fault | Promise<Fault> = () => 'ENOSPC';
		await withFaults({ write: () => fault() });
		const told: (string | undefined)[] = [];
		const takes = Promise.withResolvers<void>();
		const image = imageFile({
			onStall: (code) => {
				told.push(code);
				if (code === undefined) {
					takes.resolve();
				}
			},
		});
		await image.append(Buffer.from('one '));
		fault = () => undefined;
		await takes.promise;
		const slow = Promise.withResolvers<Fault>();
		const asked = Promise.withResolvers<void>();
		fault = () => {
			asked.resolve();
			return slow.promise;
		};
		let isTaken = false;
		const appending = image.append(Buffer.from('two ')).then(() => {
			isTaken = true;
		});
		await asked.promise;
		await new Promise(setImmediate);
		assert.ok(!isTaken);
		slow.resolve(undefined);
		await appending;
		fault = () => 'EIO';
		await image.append(Buffer.from('three'));
		fault = () => undefined;
		await image.finish();
		assert.deepEqual(told, ['ENOSPC', undefined, 'EIO', undefined]);
		assert.equal(await readFile(file, 'utf8'), 'one two three');
	});

	test('asks a disk that refuses at once, then less and less often', async () => {
		let asked = 0;
		await withFaults({
			write: () => {
				asked += 1;
				return 'ENOSPC';
			},
		});
		const image = imageFile({ longestStallMs: 300 });
		await image.append(Buffer.from('one'));
		await assert.rejects(image.settle(), { code: 'ENOSPC' });
		assert.ok(asked >= 4 && asked <= 9, String(asked));
	});

	test('holds no more than 64 MiB of what a disk refuses', async () => {
		let isFull = true;
		let asked = Promise.withResolvers<void>();
		await withFaults({
			write: () => {
				asked.resolve();
				return isFull ? 'ENOSPC' : undefined;
			},
		});
		const image = imageFile();
		const piece = Buffer.alloc(32 * 1024 * 1024);
		await image.append(piece);
		await image.append(piece);
		asked = Promise.withResolvers();
		let isTaken = false;
		const last = image.append(Buffer.from('!')).then(() => {
			isTaken = true;
		});
		await asked.promise;
		await new Promise(setImmediate);
		assert.ok(!isTaken);
		isFull = false;
		await last;
		assert.equal(image.bytes, 2 * piece.length + 1);
		await image.discard();
	});

	test('gives up where everything has arrived and the disk refuses for too long', async () => {
		const disk = await refusingDisk();
		const image = imageFile({ longestStallMs: 100 });
		await image.append(Buffer.from('one'));
		const startedAt = performance.now();
		await assert.rejects(image.finish(), { code: 'ENXIO' });
		const elapsed = performance.now() - startedAt;
		assert.ok(elapsed >= 90 && elapsed < 2000, String(elapsed));
		await disk.allow();
	});

	test('does not wait for what cannot pass', async () => {
		await mkdir(partOf(file));
		const stalls: unknown[] = [];
		const image = imageFile({ onStall: (code) => stalls.push(code) });
		await assert.rejects(image.append(Buffer.from('one')), { code: 'EISDIR' });
		await rm(partOf(file), { recursive: true });
		await mkdir(path.join(file, 'in the way'), { recursive: true });
		await image.append(Buffer.from('two'));
		await assert.rejects(image.finish(), /ENOTEMPTY|EISDIR|EEXIST|EPERM/);
		assert.deepEqual(stalls, []);
	});

	test('is flushed where the file system knows how to, and nobody complains where it does not', async () => {
		await withFaults({ sync: oneByOne(['EINVAL']) });
		const image = imageFile();
		await image.append(randomBytes(10));
		await image.finish();
		assert.equal((await readFile(file)).length, 10);
	});

	test('ends every wait with its signal', async () => {
		const disk = await refusingDisk();
		const controller = new AbortController();
		const image = imageFile({ signal: controller.signal });
		await image.append(Buffer.from('one'));
		const finishing = image.finish();
		controller.abort();
		await assert.rejects(finishing, { name: 'AbortError' });
		await disk.allow();
	});

	test('leaves its part where it is left, and nothing where it is discarded', async () => {
		for (const [end, left] of [
			['leave', ['image.part']],
			['discard', []],
		] as const) {
			const counts = await withFaults({});
			const image = imageFile();
			await image.append(Buffer.from('one'));
			await image[end]();
			assert.deepEqual(await readdir(folder), left);
			assert.equal(counts.open(), 0);
			restore();
		}
	});

	test('does not wait any more for a disk once it is discarded', async () => {
		const disk = await refusingDisk();
		const image = imageFile();
		await image.append(Buffer.from('one'));
		const startedAt = performance.now();
		await image.discard();
		assert.ok(performance.now() - startedAt < 2000);
		await disk.allow();
		await new Promise(setImmediate);
		assert.deepEqual(await readdir(folder), []);
	});
});
