/** Returns whether a JPEG has four colors, in one of the two forms of print: CMYK or YCCK. */
export function isCmyk(bytes: Buffer): boolean {
	for (const { marker, content } of segmentsOf(bytes)) {
		if (marker >= 0xc0 && marker <= 0xc2) {
			return content[5] === 4;
		}
	}
	return false;
}

/** Returns the color profile of a JPEG, joined from its parts (ICC.1:2022, annex B.4). */
export function jpegProfile(bytes: Buffer): Buffer | undefined {
	const parts: Buffer[] = [];
	for (const { marker, content } of segmentsOf(bytes)) {
		if (marker === 0xe2 && content.subarray(0, profileName.length).equals(profileName)) {
			parts[content[profileName.length]!] = content.subarray(profileName.length + 2);
		}
	}
	return parts.length === 0 ? undefined : Buffer.concat(parts.filter(Boolean));
}

const profileName = Buffer.from('ICC_PROFILE\0');

/** The segments before the pixels (ITU-T T.81, part B.1.1); one that is cut off is left out. */
function* segmentsOf(
	bytes: Buffer,
): Generator<{ readonly marker: number; readonly content: Buffer }, void, undefined> {
	for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff;) {
		const marker = bytes[at + 1]!;
		if (marker === 0xff) {
			at += 1;
			continue;
		}
		const end = at + 2 + bytes.readUInt16BE(at + 2);
		if (marker === 0xda || end > bytes.length) {
			return;
		}
		yield { marker, content: bytes.subarray(at + 4, end) };
		at = end;
	}
}
