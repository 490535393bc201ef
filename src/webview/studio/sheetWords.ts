import type { Sheet } from '../../protocol/studio.js';

/** How many images there are. */
export function countWords(sheet: Pick<Sheet, 'files' | 'more' | 'state'> | undefined): string {
	if (sheet?.state !== 'read') {
		return '';
	}
	const { length } = sheet.files;
	if (sheet.more > 0) {
		return `${number(length)} of ${number(length + sheet.more)} images`;
	}
	return length === 1 ? '1 image' : `${number(length)} images`;
}

/** What of the folder is not shown, and why; empty where all is. */
export function leftOutWords(
	sheet: Pick<Sheet, 'files' | 'more' | 'elsewhere'> | undefined,
): string {
	const { files = [], more = 0, elsewhere = 0 } = sheet ?? {};
	const parts = [
		...(more > 0
			? [
					`A style sheet shows ${number(files.length)} images: the first ones by name. ${number(more)} more are not shown.`,
				]
			: []),
		...(elsewhere === 1
			? ['1 link is left out because it leads out of the workspace.']
			: elsewhere > 1
				? [`${number(elsewhere)} links are left out because they lead out of the workspace.`]
				: []),
	];
	return parts.join(' ');
}

function number(count: number): string {
	return count.toLocaleString('en-US');
}
