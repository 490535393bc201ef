/** Why a system has no file or folder of a name: it is none, or means something else; or its length. */
export type NameProblem = 'notAName' | 'tooLong';

/**
 * Returns why a system cannot have a name of a file or folder, without a look at the disk. Windows
 * takes a backslash for a separator and what follows a colon for a second stream of the file, leaves
 * out dots and spaces at the end, and means a device by some names, also with an extension.
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

/** Linux and macOS do take control characters, but they are typed by mistake alone. */
// eslint-disable-next-line no-control-regex -- these are meant
const impossible = /[/\0-\x1f\x7f]/;
// https://learn.microsoft.com/windows/win32/fileio/naming-a-file
const impossibleOnWindows = /[<>:"\\|?*]|[. ]$/;
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³]) *(?:\.|$)/i;
