import * as z from 'zod/mini';
import type { Protocol } from './channel.js';
import { addressSchema, pictureSchema } from './compare.js';

/** Limit of images of one prompt that are drafts for one place. */
export const maxDrafts = 4;

/** State that the page saves with the editor, and the extension restores the panel from. */
export const draftsStateSchema = z.strictObject({
	/** The files, as URIs. */
	drafts: z.array(addressSchema).check(z.minLength(1), z.maxLength(maxDrafts)),
});

const index = z.int().check(z.gte(0), z.lt(maxDrafts));

/** Messages between the page of drafts and the extension. */
export const draftsProtocol = {
	request: z.discriminatedUnion('type', [
		/** The page is ready to be sent what to show; it has been when this is answered. */
		z.strictObject({ type: z.literal('ready') }),
		/** Uses one draft and deletes the others; the panel closes when that is done. */
		z.strictObject({ type: z.literal('use'), index }),
		/** Closes the panel; every draft stays. */
		z.strictObject({ type: z.literal('keepAll') }),
	]),
	event: z.discriminatedUnion('type', [
		z.strictObject({
			type: z.literal('show'),
			state: draftsStateSchema,
			pictures: z.array(pictureSchema).check(z.minLength(1), z.maxLength(maxDrafts)),
		}),
	]),
} satisfies Protocol;
