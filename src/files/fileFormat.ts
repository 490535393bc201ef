import * as z from 'zod';
import { EaselError } from '../easelError.js';
import { readWhole } from './writeWhole.js';

/**
 * Version of all files of our own storage, in the field `format` of each, and of each line of a file
 * of lines. One without the field is from before it was written, and the same as version 1.
 */
const fileFormat = 1;

/** A file belongs to a newer Easel, which alone may replace, remove or interpret it. */
export class NewerFormatError extends EaselError {
	override readonly name = 'NewerFormatError';

	constructor() {
		super({ code: 'file.newerFormat' });
	}
}

/** Writes JSON of ours, with its version. */
export function serializeVersioned(content: object, indent?: string): string {
	return JSON.stringify({ format: fileFormat, ...content }, undefined, indent);
}

/**
 * Parses JSON of ours and returns it without its version.
 *
 * @throws {NewerFormatError} where it belongs to a newer Easel; a `SyntaxError` where it is no JSON
 */
export function parseVersioned(json: string): unknown {
	const content = JSON.parse(json) as unknown;
	if (typeof content !== 'object' || content === null || Array.isArray(content)) {
		return content;
	}
	const { format, ...rest } = content as Record<string, unknown>;
	if (typeof format === 'number' && format > fileFormat) {
		throw new NewerFormatError();
	}
	return rest;
}

/**
 * Throws a {@link NewerFormatError} where a file that is to be replaced is one of a newer Easel. One
 * that cannot be read is taken for ours: what is to be written may be the end of a paid job.
 */
export async function assertNotNewer(file: string): Promise<void> {
	try {
		parseVersioned(await readWhole(file, { maxMs: 0 }));
	} catch (error) {
		if (error instanceof NewerFormatError) {
			throw error;
		}
	}
}

/**
 * As `z.object`, but fields that are not in the shape pass unseen: where what was read is written
 * again, those of a later version are still there.
 */
export function extensibleObject<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape> {
	return z.looseObject(shape);
}
