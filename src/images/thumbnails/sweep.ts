import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { partEnding, type Bounds } from './order.js';

/**
 * Deletes the thumbnails that were used longest ago until a tenth of the bounds is free; where they
 * are kept, nothing but what a crash has left half written. Run it in a worker: it does not pause.
 *
 * @param now in milliseconds since 1970
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
			rmSync(oldest.file, { force: true });
		} catch {
			// Somebody reads it, on Windows. It goes next time.
		}
		files -= 1;
		bytes -= oldest.bytes;
	}
}

/** Whatever else lies there stays. */
const ourName = /^[\da-f]{64}-\d+\.webp/;

/** Writing one takes milliseconds. */
const partIsOldMs = 3_600_000;
