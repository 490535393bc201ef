import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { holdPieces, storeAnswer } from '../../../src/service/answerFile.js';
import {
	takeImage,
	type ReaderOptions,
	type TakenImage,
} from '../../../src/service/answerReader.js';

/** Receives the body of an answer as a client does: into a file, then out of it. */
export async function receiveImage(
	body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
	image: string,
	options: Partial<ReaderOptions> = {},
): Promise<TakenImage> {
	const pieces = async function* () {
		for await (const piece of body) {
			yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
		}
	};
	const giveUp = new AbortController().signal;
	const file = await storeAnswer(holdPieces(pieces()), {
		folder: path.dirname(image),
		otherFolders: [],
		giveUp,
	});
	try {
		return await takeImage(file, image, {
			isComplete: true,
			inspect: () => Promise.resolve('image'),
			...options,
		});
	} finally {
		await rm(file);
	}
}

/** Says of a file that it is a complete image where it has these bytes, else that it is part of one. */
export function completeIf(image: Buffer): ReaderOptions['inspect'] {
	return async (file) => ((await readFile(file)).equals(image) ? 'complete' : 'image');
}
