import type { Mark } from '../marks.js';
import { rangeOfMark } from './areas.js';

/** Pictures that a service is sent marks in: see `MarksManner` of the service. */
type Manner = 'markup' | 'mask' | 'copy';

/**
 * Returns a prompt with the words for the service about its marks, behind an empty line: what each
 * number means and where it is, that nothing else changes, and that no mark is to be drawn.
 *
 * @param references number of reference images besides that picture and its copy
 */
export function promptWithMarks(
	prompt: string,
	marks: readonly Mark[],
	manner: Manner,
	references: number,
): string {
	const [one] = marks;
	const words = [
		intros[manner],
		...(manner === 'copy' && references > 0
			? ['Where the words above count the images, this copy does not count.']
			: []),
		one !== undefined && marks.length === 1
			? 'Change only the marked place, and leave everything else exactly as it is:'
			: 'Change only the marked places, and leave everything else exactly as it is:',
	];
	const lines = marks.map((mark, index) => lineOf(mark, index + 1));
	return [prompt, '', words.join(' '), ...lines, closing].join('\n');
}

const intros: Record<Manner, string> = {
	copy: 'The second image is a copy of the first one with numbered marks drawn on it. Edit the first image.',
	markup: 'Numbered marks are drawn over the first image.',
	mask: 'The mask leaves the marked places of the first image open.',
};

const closing =
	'The marks and their numbers only show the places. Do not draw any of them in the picture.';

function lineOf(mark: Mark, number: number): string {
	const note = mark.note.trim().replace(/\s+/g, ' ');
	return `${String(number)} (${placeWords(mark)}): ${note === '' ? 'as said above' : note}`;
}

/** `rectangle, 10–30 % from the left, 50–75 % from the top` */
export function placeWords(mark: Mark): string {
	const { left, right, top, bottom } = rangeOfMark(mark);
	const place = `${rangeWords(left, right)} from the left, ${rangeWords(top, bottom)} from the top`;
	return `${shapeWords[mark.shape]}, ${place}`;
}

const shapeWords = {
	rectangle: 'rectangle',
	area: 'outlined area',
	arrow: 'where the arrow points',
} as const;

function rangeWords(from: number, to: number): string {
	const [one, other] = [from, to].map((part) => String(Math.round(part * 100)));
	return from === to ? `${one!} %` : `${one!}–${other!} %`;
}
