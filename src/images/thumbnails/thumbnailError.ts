import { basename } from 'node:path';
import { EaselError } from '../../easelError.js';
import type { MakeProblem } from './order.js';
import type { ThreadFailure } from './thread.js';

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
