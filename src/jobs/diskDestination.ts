import path from 'node:path';
import { findPlaced, forgetPart, copyToFreeName } from '../files/exclusiveCopy.js';
import { isFileOf, exists } from '../files/exists.js';
import { sha256Of } from '../images/hash.js';
import type { Destination } from './deliver.js';

export interface DiskOptions {
	/** Names to try, in this order; it may be endless. */
	readonly names: () => Iterable<string>;
	/** Identifier of the job. */
	readonly id: string;
	/** The URI of an absolute path, in the form in which the journal keeps it. */
	readonly toUri: (file: string) => string;
	readonly toPath: (uri: string) => string;
}

/** A folder that refuses for longer mostly goes on refusing, and a person waits for the answer. */
const maxRefusalMs = 1000;

/** A folder on this machine's disks. */
export function diskDestination(
	folder: string,
	{ names, id, toUri, toPath }: DiskOptions,
): Destination {
	return {
		async find(file, reserved) {
			const before = reserved === undefined ? undefined : toPath(reserved);
			const found = await findPlaced(file, folder, { names, id }, before);
			return found === undefined ? undefined : toUri(found);
		},
		async put(file, onReserve) {
			const placed = await copyToFreeName(file, folder, {
				names,
				id,
				maxMs: maxRefusalMs,
				onReserve: (reserved) => onReserve(toUri(reserved)),
			});
			return toUri(placed);
		},
		async putBeside(file, image, suffix) {
			const beside = `${toPath(image)}${suffix}`;
			const part = `${id}-beside`;
			try {
				if (!((await exists(beside)) && (await haveSameBytes(file, beside)))) {
					await copyToFreeName(file, path.dirname(beside), {
						names: () => [path.basename(beside)],
						id: part,
						maxMs: maxRefusalMs,
					});
				}
			} finally {
				await forgetPart(path.dirname(beside), part);
			}
		},
		holds: (target, bytes) => isFileOf(toPath(target), bytes),
		tidy: () => forgetPart(folder, id),
	};
}

async function haveSameBytes(one: string, other: string): Promise<boolean> {
	return (await sha256Of(one)) === (await sha256Of(other));
}
