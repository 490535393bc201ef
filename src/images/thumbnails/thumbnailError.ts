import { basename } from 'node:path';
import { EaselError } from '../../easelError.js';
import { ImageError } from '../inspect.js';
import type { MakeAnswer, MakeOrder, MakeProblem } from './order.js';
import type { Thumbnail } from './stored.js';
import { ThreadFailure, type Thread } from './thread.js';

/** A worker's problem or its thread's failure; what is `unreadable` is an `ImageError`. */
export type ThumbnailProblem = Exclude<MakeProblem, 'unreadable'> | ThreadFailure['kind'];

/** An image that has no thumbnail. */
export class ThumbnailError extends EaselError {
	override readonly name = 'ThumbnailError';

	constructor(
		readonly kind: ThumbnailProblem,
		readonly path: string,
		cause?: unknown,
	) {
		super({ code: `thumbnail.${kind}`, name: basename(path) }, { cause });
	}
}

/**
 * Makes a thumbnail in a worker thread.
 *
 * @param timeLimitMs the longest that it may take, in milliseconds
 * @throws {ImageError} where the image is missing or cannot be read
 * @throws {ThumbnailError} where the thread cannot do it, takes longer or ends
 */
export async function makeIn(
	thread: Thread,
	make: MakeOrder,
	timeLimitMs: number,
): Promise<Thumbnail> {
	const { path } = make;
	let answer: MakeAnswer;
	try {
		answer = (await thread.do({ make }, timeLimitMs)) as MakeAnswer;
	} catch (error) {
		throw error instanceof ThreadFailure
			? new ThumbnailError(error.kind, path, error.cause)
			: error;
	}
	if ('problem' in answer) {
		throw answer.problem === 'unreadable'
			? new ImageError('unreadable', path, answer.detail)
			: new ThumbnailError(answer.problem, path, answer.detail);
	}
	return answer.made;
}
