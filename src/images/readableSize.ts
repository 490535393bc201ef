/**
 * Returns a number of bytes as the user reads it: `812 B`, `1.4 MB`. Units are powers of 1024 with
 * the short names, as in the editor's own image preview.
 * @param bytes at least 0
 */
export function readableSize(bytes: number): string {
	let value = bytes;
	let unit = 0;
	// Looks at the rounded value, so that nothing reads `1024 KB`.
	while (rounded(value) >= 1024 && unit < units.length - 1) {
		value /= 1024;
		unit++;
	}
	return `${rounded(value)} ${units[unit]}`;
}

const units = ['B', 'KB', 'MB', 'GB'];

/** One decimal below 10, none above. */
function rounded(value: number): number {
	return value < 9.95 ? Math.round(value * 10) / 10 : Math.round(value);
}

/**
 * Returns the weight of an export as its limits are written: `200 kB`, `2.8 MB`, in powers of 1000.
 *
 * @param bytes at least 0
 */
export function weightWords(bytes: number): string {
	return bytes < 1_000_000
		? `${String(Math.ceil(bytes / 1000))} kB`
		: `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Width and height as the user reads them, in pixels: `1024 × 768`. */
export function readableDimensions(image: {
	readonly width: number;
	readonly height: number;
}): string {
	return `${String(image.width)} × ${String(image.height)}`;
}
