import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { partEnding, type Bounds } from './order.js';

/**
 * Deletes, once the bounds are exceeded, the thumbnails that were used longest ago until a tenth of
 * the bounds is free. In any case it deletes what a crash has left half written. Run it in a
 * worker: it blocks its thread.
 *
 * @param now in milliseconds since 1970
 * @throws the system's error
 */
export function sweep(folder: string, bounds: Bounds, now = Date.now()): void {
	const names = readdirSync(folder).filter((name) => ourName.test(name));
	const found = names.flatMap((name) => {
		const file = path.join(folder, name);
		const stats = statSync(file, { throwIfNoEntry: false });
		return stats?.isFile() === true ? [{ file, bytes: stats.size, usedAt: stats.mtimeMs }] : [];
	});
	const isPart = ({ file }: { file: string }) => file.endsWith(partEnding);
	for (const part of found.filter(isPart)) {
		if (now - part.usedAt > partIsOldMs) {
			rmSync(part.file, { force: true });
		}
	}
	const thumbnails = found
		.filter((each) => !isPart(each))
		.sort((one, other) => one.usedAt - other.usedAt);
	let files = thumbnails.length;
	let bytes = thumbnails.reduce((sum, each) => sum + each.bytes, 0);
	if (files <= bounds.files && bytes <= bounds.bytes) {
		return;
	}
	for (const oldest of thumbnails) {
		if (files <= bounds.files * 0.9 && bytes <= bounds.bytes * 0.9) {
			return;
		}
		try {
			rmSync(oldest.file);
		} catch {
			// Another window was quicker, or on Windows a process reads it: the next sweep tries again.
		}
		files -= 1;
		bytes -= oldest.bytes;
	}
}

/** Thumbnails, whole or half written. Other files in the folder are left alone. */
const ourName = /^[\da-f]{64}-\d+\.(?:webp|jpg)/;

/** A half written file older than this was left by a crash: writing one takes milliseconds. */
const partIsOldMs = 3_600_000;
