import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, isTransient } from '../files/fsErrors.js';
import { flushNames, privateFolder, writeFlushed, type Content } from '../files/writeWhole.js';

/** Name of a raw answer in a job's folder; further ones have a number behind it. */
export const answerName = 'answer';

/**
 * Called with the system's code when the disk begins to refuse, and once more when every folder has;
 * without a code when it accepts.
 */
export type OnStall = (code: string | undefined, isEverywhere: boolean) => void;

interface KeepOptions {
	/** Absolute. */
	readonly folder: string;
	/** Those to use where it refuses, in this order; more can be added meanwhile. */
	readonly otherFolders: readonly string[];
	/** Gives up a disk that refuses. */
	readonly giveUp: AbortSignal;
	readonly onStall?: OnStall | undefined;
}

/** Time for which a folder that refuses is tried before the next one is, in milliseconds. */
const maxRefusalMs = 2_000;

/**
 * Writes the body of an answer to disk as it comes, and returns its absolute path once all of it is
 * flushed. Where the disk refuses, it is written anew, and where a folder goes on refusing, into the
 * next one, over and over. One that is deleted meanwhile is made anew.
 *
 * @param content as {@link holdPieces} returns it
 * @throws the system's error where the disk was given up; nothing is left there then
 */
export async function storeAnswer(
	content: HeldPieces,
	{ folder, otherFolders, giveUp, onStall }: KeepOptions,
): Promise<string> {
	let isStalled = false;
	/** Since when the folder refuses, by `performance.now()`. */
	let refusedAt: number | undefined;
	/** Number of folders when all of them had refused. */
	let refused = 0;
	const accept = () => {
		if (isStalled) {
			isStalled = false;
			refusedAt = undefined;
			refused = 0;
			onStall?.(undefined, false);
		}
	};
	let index = 0;
	for (let waitMs = 10; ; waitMs = Math.min(2 * waitMs, 500)) {
		try {
			const file = await writeAnswer([folder, ...otherFolders][index]!, () => content(accept));
			accept();
			return file;
		} catch (error) {
			const code = codeOf(error);
			if (code === '' || giveUp.aborted) {
				throw error;
			}
			if (!isStalled) {
				isStalled = true;
				onStall?.(code, false);
			}
			refusedAt ??= performance.now();
			// After `ENOENT` the folder is made anew.
			const mayPass = isTransient(error) || code === 'ENOENT';
			if (!mayPass || performance.now() - refusedAt > maxRefusalMs) {
				refusedAt = undefined;
				const count = 1 + otherFolders.length;
				index = (index + 1) % count;
				if (index === 0 && count > refused) {
					refused = count;
					onStall?.(code, true);
				}
			}
		}
		await delay(waitMs, undefined, { signal: giveUp }).catch(() => undefined);
	}
}

/**
 * Yields all pieces from the first one on, those that are still to come as well.
 *
 * @param onTaken called when all were taken that have come, and more are to come
 */
export type HeldPieces = (onTaken?: () => void) => AsyncIterable<Buffer>;

/**
 * Receives pieces however slowly they are taken, and holds them in memory: what was paid for comes
 * only once.
 *
 * @param pieces with an end, and without an error
 */
export function holdPieces(pieces: AsyncIterable<Buffer>): HeldPieces {
	const held: Buffer[] = [];
	let isComplete = false;
	let next = Promise.withResolvers<void>();
	const receive = async () => {
		for await (const piece of pieces) {
			held.push(piece);
			next.resolve();
			next = Promise.withResolvers();
		}
	};
	void receive().finally(() => {
		isComplete = true;
		next.resolve();
	});
	return async function* (onTaken) {
		for (let at = 0; at < held.length || !isComplete;) {
			const piece = held[at];
			if (piece === undefined) {
				onTaken?.();
				await next.promise;
			} else {
				yield piece;
				at += 1;
			}
		}
	};
}

/** Writes and flushes an answer under the first name that is free. Returns its absolute path. */
async function writeAnswer(folder: string, content: () => Content): Promise<string> {
	await mkdir(folder, { recursive: true, mode: privateFolder });
	for (let number = 1; ; number++) {
		const file = path.join(folder, number === 1 ? answerName : `${answerName}-${String(number)}`);
		try {
			await writeFlushed(file, content());
		} catch (error) {
			if (codeOf(error) === 'EEXIST') {
				continue;
			}
			throw error;
		}
		try {
			await flushNames(folder);
			return file;
		} catch (error) {
			// A later flush would succeed, although the system has dropped what it could not write.
			await rm(file, { force: true }).catch(() => undefined);
			throw error;
		}
	}
}
