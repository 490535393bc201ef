import type { Sheet } from '../../protocol/studio.js';
import { hints, messages } from '../messages.js';

/** How many images there are. */
export function countWords(sheet: Pick<Sheet, 'files' | 'more' | 'state'> | undefined): string {
	if (sheet?.state !== 'read') {
		return '';
	}
	const { length } = sheet.files;
	if (sheet.more > 0) {
		return hints.of(length, length + sheet.more, 'image');
	}
	return hints.images(length);
}

/** What of the folder is not shown, and why; empty where all is. */
export function leftOutWords(
	sheet: Pick<Sheet, 'files' | 'more' | 'elsewhere'> | undefined,
): string {
	const { files = [], more = 0, elsewhere = 0 } = sheet ?? {};
	const parts = [
		...(more > 0 ? [messages.sheetTruncated(files.length, more)] : []),
		...(elsewhere > 0 ? [messages.linksSkipped(elsewhere)] : []),
	];
	return parts.join(' ');
}
