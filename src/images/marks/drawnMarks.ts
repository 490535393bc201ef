import { Serial } from '../../files/serial.js';
import { ImageError } from '../inspect.js';
import { isTooLarge } from '../thumbnails/order.js';
import { Thread, ThreadFailure } from '../thumbnails/thread.js';
import { ThumbnailError } from '../thumbnails/thumbnailError.js';
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
	const thread = new Thread<{ readonly mark: MarkOrder }, MarkAnswer>(script);
	try {
		const answer = await thread.do({ mark: { ...order, memoryLimit } }, timeLimitMs);
		if ('drawn' in answer) {
			return answer.drawn.contentType;
		}
		throw answer.problem === 'unreadable'
			? new ImageError('unreadable', path, answer.detail)
			: new ThumbnailError(answer.problem, path, answer.detail);
	} catch (error) {
		throw error instanceof ThreadFailure
			? new ThumbnailError(error.kind, path, error.cause)
			: error;
	} finally {
		await thread.end();
	}
}

/** In bytes: that of thumbnails. */
const memoryLimit = 640 * 1024 * 1024;
const timeLimitMs = 60_000;
