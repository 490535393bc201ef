import { basename } from 'node:path';
import { EaselError } from '../../easelError.js';
import type { MakeProblem } from './order.js';
import type { ThreadFailure } from './thread.js';

/** A worker's problem or its thread's failure; what is `unreadable` is an `ImageError`. */
export type ThumbnailProblem = Exclude<MakeProblem, 'unreadable'> | ThreadFailure['kind'];

/** An image that has no thumbnail. `message` names the file. */
export class ThumbnailError extends EaselError {
	override readonly name = 'ThumbnailError';

	constructor(
		readonly kind: ThumbnailProblem,
		readonly path: string,
		cause?: unknown,
	) {
		super(`"${basename(path)}" ${problems[kind]}`, { cause });
	}
}

const problems: Record<ThumbnailProblem, string> = {
	tooLarge: 'is too large for a thumbnail.',
	undecodable: 'cannot be decoded. It is damaged or has an unknown format.',
	tooSlow: 'takes too long to decode.',
	crashed: 'could not be decoded: the process that does it has ended.',
	unwritable: 'has no thumbnail: it could not be stored.',
};
