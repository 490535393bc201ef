import { Serial } from '../../files/serial.js';
import { decoderMemory, isTooLarge } from '../thumbnails/order.js';
import { doAlone, problemError, ThumbnailError } from '../thumbnails/thumbnailError.js';
import type { MarkAnswer, MarkOrder } from './make.js';

/**
 * Draws the picture that marks are sent in, in a thread of its own.
 *
 * @param script the workers' bundle
 * @returns its content type
 * @throws {ImageError} where the image cannot be read
 * @throws {ThumbnailError} where it cannot be decoded, takes too long, or the picture cannot be stored
 */
export function drawMarkedImage(
	order: Omit<MarkOrder, 'memoryLimit'>,
	script: string,
): Promise<'image/png' | 'image/jpeg'> {
	// One after the other: all pixels of a picture are in memory meanwhile.
	return turns.run(() => drawIn(order, script));
}

const turns = new Serial();

async function drawIn(
	order: Omit<MarkOrder, 'memoryLimit'>,
	script: string,
): Promise<'image/png' | 'image/jpeg'> {
	const { path } = order;
	if (isTooLarge(order.size)) {
		throw new ThumbnailError('tooLarge', path);
	}
	const answer = await doAlone<{ readonly mark: MarkOrder }, MarkAnswer>(
		{ mark: { ...order, memoryLimit: decoderMemory } },
		path,
		script,
		timeLimitMs,
	);
	if ('drawn' in answer) {
		return answer.drawn.contentType;
	}
	throw problemError(answer, path);
}

const timeLimitMs = 60_000;
