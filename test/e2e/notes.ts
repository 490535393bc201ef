import { until } from '../host/until';
import type { Workbench } from './workbench.js';

/** A note behind a line, with the text of that line. */
export interface Note {
	readonly line: string;
	readonly text: string;
	/** As `rgb(1, 2, 3)`. */
	readonly color: string;
	readonly background: string;
	/** The middle of the note, in pixels of the window. */
	readonly x: number;
	readonly y: number;
}

/** The notes in all editors that are seen, from the top. */
export async function notesIn({ page }: Workbench): Promise<readonly Note[]> {
	return page.evaluate(() =>
		[...document.querySelectorAll<HTMLElement>('.editor-instance .view-line span')].flatMap(
			(span) => {
				const { content, color } = getComputedStyle(span, '::after');
				if (!content.startsWith('"')) {
					return [];
				}
				const { left, right, top, bottom } = span.getBoundingClientRect();
				const line = span.closest('.view-line')?.textContent ?? '';
				return {
					line: line.replaceAll('\u00a0', ' '),
					text: JSON.parse(content) as string,
					color,
					background: getComputedStyle(document.querySelector('.monaco-editor-background')!)
						.backgroundColor,
					x: (left + right) / 2,
					y: (top + bottom) / 2,
				};
			},
		),
	);
}

/** Waits until the notes, each as `line | text`, are these and no others. */
export async function waitForNotes(
	workbench: Workbench,
	...patterns: readonly RegExp[]
): Promise<readonly Note[]> {
	let found: readonly Note[] = [];
	const areThese = async () => {
		found = await notesIn(workbench);
		return (
			found.length === patterns.length &&
			found.every(({ line, text }, index) => patterns[index]?.test(`${line} | ${text}`))
		);
	};
	await until(areThese, `the notes ${patterns.join(', ')}`).catch((error: unknown) => {
		throw new Error(`There are the notes ${JSON.stringify(found)}.`, { cause: error });
	});
	return found;
}
