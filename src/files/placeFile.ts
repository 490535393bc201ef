import { constants, copyFile, mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { linkTo, moveTo } from './freeName.js';
import { patiently } from './patiently.js';
import { isNotThere } from './refusal.js';
import { ignoreUnsupported } from './writeWhole.js';

export interface PlaceOptions {
	/** Names to try, in this order; it may be endless. */
	readonly names: () => Iterable<string>;
	/** Tells what is placed from everything else; may stand in a file name. */
	readonly id: string;
	/** Called where the file system has no hard links, with the path that is about to be filled. */
	readonly onReserve?: (file: string) => Promise<void>;
	readonly system?: NodeJS.Platform;
	/** How long a refusal that may pass is waited for, in milliseconds. */
	readonly longestMs?: number;
}

/**
 * Puts a copy of a file into a folder under the first name that is free. Nothing is ever written
 * over, and no name holds half a file: the copy is made under a hidden name, and a hard link, which
 * fails where the name exists, gives it the one that people see. On one disk the link leads to the
 * file itself and costs no bytes; not on Windows, where it would keep the access list of our
 * storage. "Free" means that the file system itself refused to make a second one.
 *
 * The source stays, and so does the hidden copy where one was needed: by either of them
 * {@link findPlaced} knows what was placed. {@link forgetPart} removes the copy.
 *
 * @returns the absolute path that was filled
 * @throws the system's error where the folder cannot be written
 */
export async function placeFile(
	source: string,
	folder: string,
	options: PlaceOptions,
): Promise<string> {
	const { names, id, system = process.platform, longestMs } = options;
	return patiently(
		async () => {
			await mkdir(folder, { recursive: true });
			const linked = system === 'win32' ? undefined : await linkAs(source, folder, names());
			if (linked !== undefined) {
				return linked;
			}
			const part = partIn(folder, id);
			await copyFile(source, part, constants.COPYFILE_FICLONE);
			await flush(part);
			return (
				(await linkAs(part, folder, names())) ??
				(await moveAs(part, folder, names(), options.onReserve))
			);
		},
		{ longestMs },
	);
}

/**
 * Finds what an interrupted {@link placeFile} has made of the same source.
 *
 * @param reserved what `onReserve` was called with, if it was
 * @throws the system's error where it cannot be told
 */
export async function findPlaced(
	source: string,
	folder: string,
	{ names, id }: PlaceOptions,
	reserved?: string,
): Promise<string | undefined> {
	const whole = await identityOf(source);
	const ours = [whole, await identityOf(partIn(folder, id))];
	if (reserved !== undefined) {
		const found = await identityOf(reserved);
		if (found !== undefined && found.size === whole?.size) {
			return reserved;
		}
		if (found?.size === 0n) {
			// The name was taken, and nothing came into it.
			await rm(reserved, { force: true });
		}
	}
	for (const name of names()) {
		const file = path.join(folder, name);
		const found = await identityOf(file);
		if (found === undefined) {
			return undefined;
		}
		if (ours.some((one) => one !== undefined && one.dev === found.dev && one.ino === found.ino)) {
			return file;
		}
	}
	return undefined;
}

/** Removes the hidden copy that {@link placeFile} may have left; that it cannot be is no harm. */
export async function forgetPart(folder: string, id: string): Promise<void> {
	await rm(partIn(folder, id)).catch(() => undefined);
}

function partIn(folder: string, id: string): string {
	return path.join(folder, `.easel-${id}.part`);
}

/** `undefined` where this file system, or the way between two, has no hard links. */
async function linkAs(
	source: string,
	folder: string,
	names: Iterable<string>,
): Promise<string | undefined> {
	for (const name of names) {
		const file = path.join(folder, name);
		const linked = await linkTo(source, file);
		if (linked !== 'taken') {
			return linked === 'linked' ? file : undefined;
		}
	}
	throw new Error('there is no free name');
}

async function moveAs(
	part: string,
	folder: string,
	names: Iterable<string>,
	onReserve: PlaceOptions['onReserve'],
): Promise<string> {
	for (const name of names) {
		const file = path.join(folder, name);
		if (await moveTo(part, file, onReserve)) {
			return file;
		}
	}
	throw new Error('there is no free name');
}

async function flush(file: string): Promise<void> {
	const handle = await open(file, 'r+');
	try {
		await handle.sync().catch(ignoreUnsupported);
	} finally {
		await handle.close();
	}
}

async function identityOf(file: string) {
	try {
		return await patiently(() => stat(file, { bigint: true }));
	} catch (error) {
		if (isNotThere(error)) {
			return undefined;
		}
		throw error;
	}
}
