import * as z from 'zod/mini';

/** Number of marks on one picture, and of points of an area. */
export const maxMarks = 20;
export const maxPoints = 400;
/** Length of a note, in UTF-16 code units. */
export const maxMarkNoteLength = 500;

/** Fraction of the width or the height of the picture as it is shown, from its top left corner. */
const fraction = z.number().check(z.gte(0), z.lte(1));
const point = z.object({ x: fraction, y: fraction });
/** Words about what shall change there; may be empty. */
const note = z.string().check(z.maxLength(maxMarkNoteLength));

/** A place on a picture, and what shall change there. Marks are numbered from 1, in their order. */
export const markSchema = z.discriminatedUnion('shape', [
	z.object({
		...{ shape: z.literal('rectangle'), note },
		...{ x: fraction, y: fraction, width: fraction, height: fraction },
	}),
	/** A freehand outline, which is closed. */
	z.object({
		...{ shape: z.literal('area'), note },
		points: z.array(point).check(z.minLength(3), z.maxLength(maxPoints)),
	}),
	z.object({ shape: z.literal('arrow'), note, from: point, to: point }),
]);
export const marksSchema = z.readonly(z.array(markSchema).check(z.maxLength(maxMarks)));

/** Figures of an image whose unmarked part is the original's, and not the service's. */
export const keptRestSchema = z.object({
	/** Part of the pixels that are exactly the original's, from 0 to 1. */
	share: fraction,
	/** Part of these that the service had changed. */
	changed: fraction,
	/** Distance by which the service had moved the picture, in pixels of the original. */
	shift: z.number().check(z.gte(0)),
	/** Factor by which it had scaled the picture, beyond the size of its answer. */
	scale: z.number().check(z.gt(0)),
	/** True where the original has 16 bits for each color: the image has 8. */
	wasDeeper: z.optional(z.boolean()),
});

/** Returns the notes of marks as one text: the prompt of a request that has no other words. */
export function promptOfNotes(marks: readonly Mark[]): string {
	return marks
		.map((mark) => mark.note.trim())
		.filter((words) => words !== '')
		.join('; ');
}

/** Returns marks as they are saved: a hundredth of a percent is less than a pixel. */
export function roundedMarks(marks: readonly Mark[]): readonly Mark[] | undefined {
	const round = (_: string, value: unknown) =>
		typeof value === 'number' ? Math.round(value * 10_000) / 10_000 : value;
	return marks.length === 0
		? undefined
		: (JSON.parse(JSON.stringify(marks, round)) as readonly Mark[]);
}

export type Mark = z.infer<typeof markSchema>;
export type KeptRest = z.infer<typeof keptRestSchema>;
