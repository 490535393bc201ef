import { basename } from 'node:path';
import { EaselError } from '../../easelError.js';
import { inspectImage } from '../inspect.js';
import { decoderMemory, isTooLarge, maxFileBytes } from '../thumbnails/order.js';
import { doAlone, problemError, ThumbnailError } from '../thumbnails/thumbnailError.js';
import type { ExportAnswer, Exported, ExportOptions, ExportOrder } from './order.js';

/** An image cannot be made as light as the export asks for. */
export class TooHeavyError extends EaselError {
	override readonly name = 'TooHeavyError';

	/** @param reached in bytes */
	constructor(
		path: string,
		maxBytes: number,
		readonly reached: number,
	) {
		super({ code: 'export.tooHeavy', name: basename(path), reached, maxBytes });
	}
}

/**
 * Makes a file of an image in another format, dimensions and weight, in a thread of its own. Colors
 * are converted to sRGB, and the orientation is applied; what else the source says of itself stays
 * behind.
 *
 * @param path absolute
 * @param script the workers' bundle
 * @throws {ImageError} where it is no image or cannot be read
 * @throws {ThumbnailError} where it cannot be decoded, or takes too long
 * @throws {TooHeavyError}
 * @throws {unknown} the signal's reason
 */
export async function exportImage(
	path: string,
	options: ExportOptions,
	script: string,
	signal?: AbortSignal,
): Promise<Exported> {
	signal?.throwIfAborted();
	const facts = await inspectImage(path);
	if (isTooLarge(facts) || facts.bytes > maxFileBytes) {
		throw new ThumbnailError('tooLarge', path);
	}
	signal?.throwIfAborted();
	const order = { ...options, path, memoryLimit: decoderMemory };
	const answer = await doAlone<{ readonly export: ExportOrder }, ExportAnswer>(
		{ export: order },
		path,
		script,
		timeLimitMs,
		signal,
	);
	if ('exported' in answer) {
		return answer.exported;
	}
	throw 'reached' in answer
		? new TooHeavyError(path, options.maxBytes!, answer.reached)
		: problemError(answer, path);
}

const timeLimitMs = 120_000;
