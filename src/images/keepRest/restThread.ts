import { Serial } from '../../files/serial.js';
import { inspectImage } from '../inspect.js';
import { decoderMemory, isTooLarge, maxFileBytes } from '../thumbnails/order.js';
import { doAlone, problemError, ThumbnailError } from '../thumbnails/thumbnailError.js';
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
	const done = await doAlone<{ readonly keepRest: KeepRestOrder }, KeepRestAnswer>(
		{ keepRest: { ...order, memoryLimit: decoderMemory } },
		original,
		script,
		timeLimitMs,
	);
	if ('rest' in done) {
		return done.rest;
	}
	throw problemError(done, done.of === 'original' ? original : answer);
}

const timeLimitMs = 60_000;
