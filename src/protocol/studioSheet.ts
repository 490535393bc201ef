import * as z from 'zod/mini';
import { hasOnly, isListOf, isObject, isUuid } from './byHand.js';
import { id, source, text } from './studioModel.js';

// The style sheet: all images of a folder side by side in the studio.

/** So many images of a folder are shown; more would be no sheet that anybody looks through. */
export const maxInSheet = 10_000;
/** So many are looked at in one message: more than the largest screen shows of the smallest. */
export const maxLookedAt = 1000;
/** Something is done with so many of them at once. */
export const maxTogether = 100;

/** A file of the sheet. The page knows it by its identifier, never by its path. */
export interface SheetFile {
	readonly id: string;
	readonly name: string;
}

/** All of them in order. They are checked by hand, like rounds. */
const filesSchema = z.custom<readonly SheetFile[]>(
	(value) => isListOf(value, 0, maxInSheet, isFile),
	'These are no files.',
);

export const sheetSchema = z.strictObject({
	/** Of this opening: the same folder opened again has another one. */
	id,
	/** The folder, as a person knows it. */
	folder: text,
	files: filesSchema,
	/** How many images the folder has beyond these. */
	more: z.int().check(z.gte(0)),
	/** How many are left out because they are links that lead out of the workspace. */
	elsewhere: z.int().check(z.gte(0)),
	/** `reading`: its files are not known yet. */
	state: z.enum(['reading', 'read', 'unreadable']),
	/** Why it cannot be read. */
	problem: z.optional(text),
});
export type Sheet = z.infer<typeof sheetSchema>;

/** What is known of a file that is looked at. */
export const sheetPictureSchema = z.strictObject({
	/** That of the file. */
	id,
	/** `1024 × 1024 · 1.2 MB`; empty where nothing can be told. */
	details: text,
	/** A small picture of it; missing where there is none. */
	thumbnail: z.optional(source),
	/** Why there is none. */
	problem: z.optional(text),
});
export type SheetPicture = z.infer<typeof sheetPictureSchema>;

/** What can be done with files of the sheet. */
export const sheetAction = z.enum([
	'open',
	/** It becomes the image that is edited. */
	'edit',
	/** They become further reference images. */
	'addReference',
	/** It is added to the style guide. */
	'useAsStyle',
	/** Two of them. */
	'compare',
	'showProvenance',
	'reveal',
]);
export type SheetAction = z.infer<typeof sheetAction>;

function isFile(value: unknown): value is SheetFile {
	return (
		isObject(value) &&
		hasOnly(value, fileFields) &&
		isUuid(value['id']) &&
		typeof value['name'] === 'string' &&
		value['name'].length <= 1000
	);
}

const fileFields: ReadonlySet<string> = new Set(['id', 'name']);
