/**
 * Why a system has no file or folder of a name:
 * - `notAName`: it has characters that mean something else there, names a device, or is empty;
 * - `tooLong`: it is longer than the system allows.
 */
export type NameProblem = 'notAName' | 'tooLong';

/**
 * Looks at one name of a path, without a look at the disk. Windows takes a backslash for a
 * separator and what follows a colon for a second stream of the file, leaves out dots and spaces at
 * the end, and means a device by some names, also with an extension: such a name makes another file
 * than it says, or none.
 *
 * @returns `undefined` where the system can have it
 */
export function nameProblem(name: string, system: NodeJS.Platform): NameProblem | undefined {
	const windows = system === 'win32';
	if (
		['', '.', '..'].includes(name) ||
		impossible.test(name) ||
		(windows && (impossibleOnWindows.test(name) || device.test(name)))
	) {
		return 'notAName';
	}
	return lengthOf(name, system) > maxNameLength ? 'tooLong' : undefined;
}

/** Returns the length of a name or path as a system counts it: in bytes, on Windows in UTF-16 units. */
export function lengthOf(text: string, system: NodeJS.Platform): number {
	return system === 'win32' ? text.length : Buffer.byteLength(text);
}

const maxNameLength = 255;

/** Linux and macOS do take control characters, but nobody who typed them meant a name. */
// eslint-disable-next-line no-control-regex -- these are meant
const impossible = /[/\0-\x1f\x7f]/;
// https://learn.microsoft.com/windows/win32/fileio/naming-a-file
const impossibleOnWindows = /[<>:"\\|?*]|[. ]$/;
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i;
