import { rm } from 'node:fs/promises';
import path from 'node:path';
import { copyFlushed } from './copyFlushed.js';
import { linkTo, moveTo } from './freeName.js';
import { retryTransient } from './retryTransient.js';
import { statIfExists } from './exists.js';
import { flushNames, makeFolder } from './writeWhole.js';

/** Names for {@link copyToFreeName}, and how it recognizes its own file. */
export interface PlaceOptions {
	/** Names to try, in this order; it may be endless. */
	readonly names: () => Iterable<string>;
	/** Unique for what is placed; part of the name of the hidden copy. */
	readonly id: string;
	/** Awaited where there are no hard links, with the path that is about to be filled. */
	readonly onReserve?: (file: string) => Promise<void>;
	readonly system?: NodeJS.Platform;
	/** Time for which a transient refusal is waited out, in milliseconds; 2,000 by default. */
	readonly maxMs?: number;
}

/**
 * Puts a copy of a file into a folder under the first name that is free, which only the file system
 * decides, in the step that takes it. Nothing is ever written over, and no name that people see ever
 * holds half a file. On one file system that name is a hard link to the source, which costs no bytes.
 * Otherwise, and on Windows, where a link would keep the access list of our storage, the file is
 * copied under a hidden name first.
 *
 * Resolves when the bytes, the name and those of the folders that were made are flushed, so that the
 * source may be removed. The source stays, and so does the hidden copy where a link leads to it: by
 * either of them {@link findPlaced} knows what was placed. {@link forgetPart} removes the copy.
 *
 * @returns the absolute path that was filled
 * @throws the system's error; an error where `names` has an end and all of them are taken
 */
export async function copyToFreeName(
	source: string,
	folder: string,
	options: PlaceOptions,
): Promise<string> {
	/** File that could be neither flushed nor removed: no other name is taken before it goes. */
	let left: string | undefined;
	const removeLeft = async () => {
		if (left !== undefined) {
			await rm(left, { force: true });
			left = undefined;
		}
	};
	return retryTransient(
		async () => {
			await makeFolder(folder);
			await removeLeft();
			const placed = await fillName(source, folder, options);
			try {
				await flushNames(folder);
			} catch (error) {
				left = placed;
				await removeLeft().catch(() => undefined);
				throw error;
			}
			return placed;
		},
		{ maxMs: options.maxMs },
	);
}

async function fillName(
	source: string,
	folder: string,
	{ names, id, system = process.platform, onReserve }: PlaceOptions,
): Promise<string> {
	const linkAs = (from: string) => fillFree(folder, names(), (file) => linkTo(from, file));
	const linked = system === 'win32' ? undefined : await linkAs(source);
	if (linked !== undefined) {
		return linked;
	}
	const part = partIn(folder, id);
	// Left by an earlier try.
	await rm(part, { force: true });
	await copyFlushed(source, part, { mode: 0o666 });
	try {
		const move = async (file: string) =>
			(await moveTo(part, file, onReserve)) ? 'moved' : 'taken';
		return (await linkAs(part)) ?? (await fillFree(folder, names(), move))!;
	} catch (error) {
		await rm(part, { force: true }).catch(() => undefined);
		throw error;
	}
}

/**
 * Finds what an interrupted {@link copyToFreeName} has made of the same source, and flushes its name.
 * Returns its absolute path, if there is one.
 *
 * @param reserved what `onReserve` was called with, if it was
 * @throws the system's error where it cannot say so, or not flush it
 */
export async function findPlaced(
	source: string,
	folder: string,
	options: PlaceOptions,
	reserved?: string,
): Promise<string | undefined> {
	const found = await findName(source, folder, options, reserved);
	if (found !== undefined) {
		await flushNames(folder);
	}
	return found;
}

async function findName(
	source: string,
	folder: string,
	{ names, id }: PlaceOptions,
	reserved?: string,
): Promise<string | undefined> {
	const whole = await statIfExists(source);
	const ours = [whole, await statIfExists(partIn(folder, id))];
	if (reserved !== undefined) {
		const found = await statIfExists(reserved);
		if (found !== undefined && found.size === whole?.size) {
			return reserved;
		}
		if (found?.size === 0n) {
			// Made by us to reserve the name, and never filled.
			await rm(reserved, { force: true });
		}
	}
	for (const name of names()) {
		const file = path.join(folder, name);
		const found = await statIfExists(file);
		if (found === undefined) {
			return undefined;
		}
		if (ours.some((one) => one !== undefined && one.dev === found.dev && one.ino === found.ino)) {
			return file;
		}
	}
	return undefined;
}

/** Removes the hidden copy that {@link copyToFreeName} may have left; it does no harm where it stays. */
export async function forgetPart(folder: string, id: string): Promise<void> {
	await rm(partIn(folder, id)).catch(() => undefined);
}

function partIn(folder: string, id: string): string {
	return path.join(folder, `.easel-${id}.part`);
}

/**
 * Fills the first name that is not taken. Returns its path; `undefined` where that cannot be done in
 * this way here.
 */
async function fillFree(
	folder: string,
	names: Iterable<string>,
	fill: (file: string) => Promise<'linked' | 'moved' | 'taken' | 'unsupported'>,
): Promise<string | undefined> {
	for (const name of names) {
		const file = path.join(folder, name);
		const outcome = await fill(file);
		if (outcome !== 'taken') {
			return outcome === 'unsupported' ? undefined : file;
		}
	}
	throw new Error('no file name is free');
}
