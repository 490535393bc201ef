import path from 'node:path';
import {
	copyToFreeName,
	findPlaced,
	forgetPart,
	type PlaceOptions,
} from '../files/exclusiveCopy.js';
import { isFileOf, exists } from '../files/exists.js';
import { sha256Of } from '../images/hash.js';
import type { Destination } from './deliver.js';

/** `id` is that of the job. */
interface DiskOptions extends Pick<PlaceOptions, 'names' | 'id'> {
	/** The URI of an absolute path, in the form in which the journal keeps it. */
	readonly toUri: (file: string) => string;
	readonly toPath: (uri: string) => string;
}

/** A folder that refuses for longer mostly goes on refusing, and the user waits for the answer. */
const maxMs = 1000;

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
			const reserve = (reserved: string) => onReserve(toUri(reserved));
			return toUri(await copyToFreeName(file, folder, { names, id, maxMs, onReserve: reserve }));
		},
		async putBeside(file, image, suffix) {
			const beside = `${toPath(image)}${suffix}`;
			const { dir, base } = path.parse(beside);
			const part = `${id}-beside`;
			try {
				if (!(await exists(beside)) || (await sha256Of(file)) !== (await sha256Of(beside))) {
					await copyToFreeName(file, dir, { names: () => [base], id: part, maxMs });
				}
			} finally {
				await forgetPart(dir, part);
			}
		},
		holds: (target, bytes) => isFileOf(toPath(target), bytes),
		tidy: () => forgetPart(folder, id),
	};
}
