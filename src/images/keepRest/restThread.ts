import { Serial } from '../../files/serial.js';
import { ImageError, inspectImage } from '../inspect.js';
import { isTooLarge, maxFileBytes } from '../thumbnails/order.js';
import { Thread, ThreadFailure } from '../thumbnails/thread.js';
import { ThumbnailError } from '../thumbnails/thumbnailError.js';
import type { KeepRestAnswer, KeepRestOrder, RestOutcome } from './make.js';

/**
 * Makes an image that is the original's outside of the marks, in a thread of its own.
 *
 * @param script the workers' bundle
 * @throws {ImageError} where one of the two cannot be read
 * @throws {ThumbnailError} where one cannot be decoded, it takes too long, or it cannot be stored
 */
export function keepRestInThread(
	order: Omit<KeepRestOrder, 'memoryLimit'>,
	script: string,
): Promise<RestOutcome> {
	// One after the other: all pixels of two pictures are in memory meanwhile.
	return turns.run(() => keepIn(order, script));
}

const turns = new Serial();

async function keepIn(
	order: Omit<KeepRestOrder, 'memoryLimit'>,
	script: string,
): Promise<RestOutcome> {
	const { original, answer } = order;
	for (const path of [original, answer]) {
		const facts = await inspectImage(path);
		if (isTooLarge(facts) || facts.bytes > maxFileBytes) {
			throw new ThumbnailError('tooLarge', path);
		}
	}
	const thread = new Thread<{ readonly keepRest: KeepRestOrder }, KeepRestAnswer>(script);
	try {
		const done = await thread.do({ keepRest: { ...order, memoryLimit } }, timeLimitMs);
		if ('rest' in done) {
			return done.rest;
		}
		const path = done.of === 'original' ? original : answer;
		throw done.problem === 'unreadable'
			? new ImageError('unreadable', path, done.detail)
			: new ThumbnailError(done.problem, path, done.detail);
	} catch (error) {
		throw error instanceof ThreadFailure
			? new ThumbnailError(error.kind, original, error.cause)
			: error;
	} finally {
		await thread.end();
	}
}

/** In bytes: that of thumbnails. */
const memoryLimit = 640 * 1024 * 1024;
const timeLimitMs = 60_000;
