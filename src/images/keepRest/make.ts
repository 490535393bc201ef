import { writeFile } from 'node:fs/promises';
import { decodeFile, decodeProblem, type DecodeProblem } from '../decodeWhole.js';
import { encodePng } from '../encodePng.js';
import type { KeptRest, Mark } from '../marks.js';
import { keepRest } from './keepRest.js';

/** Order for an image that is the original's outside of the marks, and else the answer's. */
export interface KeepRestOrder {
	/** Absolute paths of the images. */
	readonly original: string;
	readonly answer: string;
	readonly marks: readonly Mark[];
	/** Absolute path of the PNG to be written. */
	readonly file: string;
	/** The most memory that a decoder may take, in bytes. */
	readonly memoryLimit: number;
}

/** `reframed`: the answer shows another part of the picture, and nothing was written. */
export type RestOutcome =
	| {
			readonly type: 'restored';
			readonly figures: KeptRest;
			readonly width: number;
			readonly height: number;
	  }
	| { readonly type: 'reframed' };

export type KeepRestAnswer =
	{ readonly rest: RestOutcome } | (DecodeProblem & { readonly of: 'original' | 'answer' });

/** Makes the image and writes it. Run it in a worker: it blocks its thread. It does not throw. */
export async function makeWithRest({
	original: originalPath,
	answer: answerPath,
	marks,
	file,
	memoryLimit,
}: KeepRestOrder): Promise<KeepRestAnswer> {
	try {
		// While one is read from its lines, the next ones of both are inflated in other threads.
		const [original, answer] = await Promise.all(
			[originalPath, answerPath].map((path) => decodeFile(path, memoryLimit)),
		);
		if ('problem' in original!) {
			return { ...original, of: 'original' };
		}
		if ('problem' in answer!) {
			return { ...answer, of: 'answer' };
		}
		const { picture, profile, isDeep } = original!;
		const kept = keepRest(picture, answer!.picture, marks);
		if (kept === 'reframed') {
			return { rest: { type: 'reframed' } };
		}
		const figures = isDeep ? { ...kept, wasDeeper: true } : kept;
		await writeFile(file, await encodePng(picture, profile), { flush: true });
		const { width, height } = picture;
		return { rest: { type: 'restored', figures, width, height } };
	} catch (error) {
		return { ...decodeProblem(error, 'unwritable'), of: 'original' };
	}
}
