import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from '../../files/fsErrors.js';
import { readBoundedSync, UnfitFileError } from '../../files/boundedRead.js';
import { privateFile, privateFolder } from '../../files/writeWhole.js';
import { detectFormat, type ImageFormat } from '../inspect.js';
import type { Orientation } from '../orientation.js';
import { decodeJpeg, decodeWebp, encodeJpeg, encodeWebp, OutOfMemory } from './codecs.js';
import { colorProfile } from './colorProfile.js';
import { isCmyk } from './jpeg.js';
import { readPng } from './png.js';
import { Shrinker, turn, type Pixels } from './shrink.js';
import { thumbnailSize } from './stored.js';
import {
	isTooLarge,
	maxFileBytes,
	partEnding,
	type MakeAnswer,
	type MakeOrder,
	type MakeProblem,
} from './order.js';
import { firstFrame, withProfile } from './webp.js';

/**
 * Makes the thumbnail of an image and stores it. Run it in a worker: it blocks its thread.
 *
 * @returns the thumbnail, or the problem; it does not throw
 */
export async function makeThumbnail(order: MakeOrder): Promise<MakeAnswer> {
	const { file } = order;
	let problem: MakeProblem = 'unreadable';
	try {
		const stored = sizeOf(file);
		if (stored !== undefined) {
			// It was asked for twice, or another window has made it meanwhile.
			return { made: { file, ...stored } };
		}
		const bytes = readBoundedSync(order.path, { maxBytes: maxFileBytes });
		const format = detectFormat(bytes);
		if (format === undefined) {
			return { problem: 'undecodable', detail: 'it is no image' };
		}
		problem = format === 'jpeg' && isCmyk(bytes) ? 'cmyk' : 'undecodable';
		const small = await shrink(bytes, format, order);
		const encoded = file.endsWith('.jpg')
			? await encodeJpeg(small, order.quality)
			: await encodeWithProfile(small, order.quality, colorProfile(bytes, format));
		problem = 'unwritable';
		store(file, encoded);
		return { made: { file, width: small.width, height: small.height, ...sizeOf(file) } };
	} catch (error) {
		return {
			problem: saysTooLarge(error) ? ('tooLarge' as const) : problem,
			detail: error instanceof Error ? error.message : String(error),
		};
	}
}

async function encodeWithProfile(
	small: Pixels,
	quality: number,
	profile: Buffer | undefined,
): Promise<Buffer> {
	const plain = await encodeWebp(small, quality);
	return profile === undefined ? plain : withProfile(plain, small, profile);
}

function sizeOf(file: string): ReturnType<typeof thumbnailSize> {
	try {
		const bytes = readFileSync(file);
		return thumbnailSize(bytes, bytes.length);
	} catch {
		return undefined;
	}
}

class TooLarge extends Error {}

function saysTooLarge(error: unknown): boolean {
	return (
		error instanceof TooLarge ||
		error instanceof OutOfMemory ||
		(error instanceof UnfitFileError && error.code === 'TooLarge')
	);
}

async function shrink(
	bytes: Buffer,
	format: ImageFormat,
	{ maxSide, memoryLimit }: MakeOrder,
): Promise<Pixels> {
	switch (format) {
		case 'png': {
			let shrinker: Shrinker | undefined;
			let orientation: Orientation = 1;
			await readPng(bytes, (header) => {
				({ orientation } = header);
				const into = (shrinker = shrinkerFor(header, maxSide));
				return (y, rgba, count, x, step) => {
					into.add(y, rgba, count, x, step);
				};
			});
			return turn(shrinker!.finish(), orientation);
		}
		case 'jpeg':
			return shrinkPicture(await decodeJpeg(bytes, memoryLimit), maxSide);
		case 'webp': {
			const frame = firstFrame(bytes);
			return frame === undefined
				? shrinkPicture(await decodeWebp(bytes, memoryLimit), maxSide)
				: shrinkPicture(await decodeWebp(frame.file, memoryLimit), maxSide, frame);
		}
	}
}

/**
 * @param canvas what the picture lies on, where it does not fill it
 * @throws {RangeError} where the picture does not fit on it
 */
function shrinkPicture(
	{ data, width, height }: Pixels,
	maxSide: number,
	canvas = { width, height, x: 0, y: 0 },
): Pixels {
	if (canvas.x + width > canvas.width || canvas.y + height > canvas.height) {
		throw new RangeError('a frame does not fit its canvas');
	}
	const shrinker = shrinkerFor(canvas, maxSide);
	for (let y = 0; y < height; y++) {
		const row = data.subarray(y * width * 4, (y + 1) * width * 4);
		shrinker.add(canvas.y + y, row, width, canvas.x);
	}
	return shrinker.finish();
}

function shrinkerFor(size: { width: number; height: number }, maxSide: number): Shrinker {
	if (isTooLarge(size)) {
		throw new TooLarge(`${String(size.width)} × ${String(size.height)} pixels`);
	}
	return new Shrinker(size, maxSide);
}

/** Writes the file under another name first, so that no process reads half of it. */
function store(file: string, bytes: Uint8Array): void {
	const part = `${file}.${randomUUID()}${partEnding}`;
	try {
		mkdirSync(path.dirname(file), { recursive: true, mode: privateFolder });
		writeFileSync(part, bytes, { mode: privateFile });
		renameSync(part, file);
	} catch (error) {
		rmSync(part, { force: true });
		// Windows does not replace a file that is being read. Then the thumbnail is there already.
		if (!['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error)) || !existsSync(file)) {
			throw error;
		}
	}
}
