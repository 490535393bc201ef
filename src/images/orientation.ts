/** Orientation of a picture as EXIF has it, 1 to 8 (EXIF 3.0, tag 0x0112); from 5 on it is turned by a quarter. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/**
 * Returns the orientation in EXIF; 1 where it has none, or is damaged: viewers show such a picture as
 * it is stored.
 *
 * @param exif from its TIFF header on
 */
export function exifOrientation(exif: Uint8Array): Orientation {
	const view = new DataView(exif.buffer, exif.byteOffset, exif.byteLength);
	try {
		const isLittle = view.getUint32(0) === littleEndian;
		if (!isLittle && view.getUint32(0) !== bigEndian) {
			return 1;
		}
		const directory = view.getUint32(4, isLittle);
		const count = view.getUint16(directory, isLittle);
		for (let index = 0; index < count; index++) {
			const entry = directory + 2 + index * 12;
			if (view.getUint16(entry, isLittle) === orientationTag) {
				const isOneShort =
					view.getUint16(entry + 2, isLittle) === 3 && view.getUint32(entry + 4, isLittle) === 1;
				const value = isOneShort ? view.getUint16(entry + 8, isLittle) : 1;
				return value >= 1 && value <= 8 ? (value as Orientation) : 1;
			}
		}
	} catch {
		// It ends before it says so.
	}
	return 1;
}

interface Size {
	readonly width: number;
	readonly height: number;
}

/** Returns the dimensions in which a picture with these stored ones is shown. */
export function turnedSize({ width, height }: Size, orientation: Orientation): Size {
	return orientation < 5 ? { width, height } : { width: height, height: width };
}

/** `II*` and `MM*`. */
const littleEndian = 0x49492a00;
const bigEndian = 0x4d4d002a;
const orientationTag = 0x0112;
