import { basename } from 'node:path';
import { EaselError } from '../../easelError.js';
import { ImageError } from '../inspect.js';
import type { MakeAnswer, MakeOrder, MakeProblem } from './order.js';
import type { Thumbnail } from './stored.js';
import { Thread, ThreadFailure } from './thread.js';

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

/** Returns the error of an image that a worker says a problem of. */
export function problemError(
	{ problem, detail }: { readonly problem: MakeProblem; readonly detail: string },
	path: string,
): ImageError | ThumbnailError {
	return problem === 'unreadable'
		? new ImageError('unreadable', path, detail)
		: new ThumbnailError(problem, path, detail);
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
	const answer = (await doIn(thread, { make }, make.path, timeLimitMs)) as MakeAnswer;
	if ('problem' in answer) {
		throw problemError(answer, make.path);
	}
	return answer.made;
}

/**
 * Has an order about an image done in a thread of its own, which ends with it.
 *
 * @param path of the image
 * @param script the workers' bundle
 * @param timeLimitMs the longest that it may take, in milliseconds
 * @throws {ThumbnailError} where it takes longer, or the thread ends
 * @throws {unknown} the signal's reason
 */
export async function doAlone<Order, Answer>(
	order: Order,
	path: string,
	script: string,
	timeLimitMs: number,
	signal?: AbortSignal,
): Promise<Answer> {
	const thread = new Thread<Order, Answer>(script);
	const end = () => void thread.end();
	signal?.addEventListener('abort', end);
	try {
		return await doIn(thread, order, path, timeLimitMs);
	} catch (error) {
		signal?.throwIfAborted();
		throw error;
	} finally {
		signal?.removeEventListener('abort', end);
		await thread.end();
	}
}

async function doIn<Order, Answer>(
	thread: Thread<Order, Answer>,
	order: Order,
	path: string,
	timeLimitMs: number,
): Promise<Answer> {
	try {
		return await thread.do(order, timeLimitMs);
	} catch (error) {
		throw error instanceof ThreadFailure
			? new ThumbnailError(error.kind, path, error.cause)
			: error;
	}
}
