// `zod/mini` is the same library with checks as functions, so that only those in use are bundled:
// 20 kB in the page instead of 93.
import * as z from 'zod/mini';
import type { Protocol } from './channel.js';
import { maxReferenceBytes } from './studioModel.js';

/** Longer ones are malicious. File names have at most 255 bytes. */
const text = z.string().check(z.maxLength(1000));
export const addressSchema = z.string().check(z.minLength(1), z.maxLength(20_000));
/** In pixels. */
const length = z.int().check(z.gte(1), z.lte(2 ** 31));
const percent = z.number().check(z.gte(0), z.lte(100));
const fraction = z.number().check(z.gte(0), z.lte(1));

/** An image, as far as it can be shown. */
export const pictureSchema = z.discriminatedUnion('type', [
	z.strictObject({
		type: z.literal('image'),
		name: text,
		/** Address that the page loads it from. Another version of the file has another source. */
		source: addressSchema,
		width: length,
		height: length,
		/** Facts of the file, in words: `1024 × 1024 · 1.2 MB`. */
		details: text,
	}),
	z.strictObject({
		type: z.literal('problem'),
		name: text,
		/** Why there is no image; names the file. */
		message: text,
	}),
]);
export type ComparedPicture = z.infer<typeof pictureSchema>;

const mode = z.enum(['slider', 'side', 'overlay', 'difference']);
export type Mode = z.infer<typeof mode>;

/** Bytes of an image that is pasted: those of the largest that can be a reference image. */
export const maxPastedBytes = maxReferenceBytes;

/** More flashes per second are dangerous (WCAG 2.2, success criterion 2.3.1). */
export const maxBlink = 3;

const threshold = z.number().check(z.gte(1), z.lte(100));

/** View of the images. It is the same for both, and survives a reload of the window. */
export const viewSchema = z.strictObject({
	mode,
	/** Share of the visible width that shows the left image, in percent. */
	position: percent,
	/** Share of the right image that the overlay shows, in percent. */
	opacity: percent,
	/** Changes per second from one image of the overlay to the other; 0 for the fade. */
	blink: z.int().check(z.gte(0), z.lte(maxBlink)),
	/** Smallest difference of a color channel that is shown, in percent of the largest. */
	threshold,
	/** The right image is scaled to the whole of the left one, or to its width. */
	fit: z.enum(['whole', 'width']),
	/** Place of the right image after that: shift in fractions of the common box, and scale. */
	adjusted: z.strictObject({
		x: z.number().check(z.gte(-2), z.lte(2)),
		y: z.number().check(z.gte(-2), z.lte(2)),
		scale: z.number().check(z.gte(0.1), z.lte(10)),
	}),
	/** Pixels of the screen for one pixel of the larger image; `fit` follows the panel. */
	zoom: z.union([z.literal('fit'), z.number().check(z.positive(), z.lte(100))]),
	/** The point of the images in the middle of their pane, in fractions of width and height. */
	center: z.strictObject({ x: fraction, y: fraction }),
});
export type View = z.infer<typeof viewSchema>;

export const defaultView: View = {
	mode: 'slider',
	position: 50,
	opacity: 50,
	blink: 0,
	threshold: 10,
	fit: 'whole',
	adjusted: { x: 0, y: 0, scale: 1 },
	zoom: 'fit',
	center: { x: 0.5, y: 0.5 },
};

const side = z.enum(['left', 'right']);
export type Side = z.infer<typeof side>;

/** Decision on an image that was made from the other one. */
const decision = z.enum([
	'keepBoth',
	/** It takes the place of the other one. */
	'replace',
	/** To the recycle bin; it can be brought back. */
	'discard',
]);
export type Decision = z.infer<typeof decision>;

/** Which two images are compared, as URIs. */
const pairSchema = z.strictObject({ left: addressSchema, right: addressSchema });
export type Pair = z.infer<typeof pairSchema>;

/** State that the page saves with the editor, and the extension restores the panel from. */
export const comparisonStateSchema = z.strictObject({
	pair: pairSchema,
	view: z.catch(viewSchema, defaultView),
});
export type ComparisonState = z.infer<typeof comparisonStateSchema>;

/** Messages between the page of a comparison and the extension. */
export const compareProtocol = {
	request: z.discriminatedUnion('type', [
		/** The page stands and asks what to show; it has been when this is answered. */
		z.strictObject({ type: z.literal('ready') }),
		/** The browser could not decode what it was given, though its header is that of an image. */
		z.strictObject({ type: z.literal('undecodable'), side }),
		/** Answered when it has begun; the panel closes when it is done. */
		z.strictObject({ type: z.literal('decide'), decision }),
		/** Has the image that was made from the other one marked, in the studio. */
		z.strictObject({ type: z.literal('mark') }),
		/** Writes a brief of the concept, with the other image and the part in which they differ. */
		z.strictObject({ type: z.literal('brief'), part: z.optional(fraction), threshold }),
		/** A file that was pasted or dropped; it comes in the place of the right image. */
		z.strictObject({
			type: z.literal('paste'),
			bytes: z
				.instanceof(Uint8Array)
				.check(z.refine((bytes) => bytes.length > 0 && bytes.length <= maxPastedBytes)),
		}),
		/** An image of the workspace that was dropped, as a URI. */
		z.strictObject({ type: z.literal('drop'), uri: addressSchema }),
		/** Asks where to save the image that was pasted. */
		z.strictObject({ type: z.literal('save') }),
	]),
	event: z.discriminatedUnion('type', [
		z.strictObject({
			type: z.literal('show'),
			pair: pairSchema,
			left: pictureSchema,
			right: pictureSchema,
			/** The image that was made from the other one, where the user has to decide about it. */
			made: z.optional(side),
			/** True where the right image was pasted, and is in no file of the user. */
			isPasted: z.optional(z.boolean()),
			/** True where one was made by Easel, so that a brief can say how the other one differs. */
			hasConcept: z.optional(z.boolean()),
			/** First view of them. */
			mode: z.optional(mode),
		}),
	]),
} satisfies Protocol;
