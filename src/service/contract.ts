import * as z from 'zod';
import { qualities, sizes } from './sizes.js';

export * from './sizes.js';

/*
 * The image service's contract. Requests are strict: "Undeclared fields are not allowed"
 * (specification, "Image-to-image request").
 */

export const sizeSchema = z.enum(sizes);

export const qualitySchema = z.enum(qualities);

export type Quality = z.infer<typeof qualitySchema>;

/** The only model identifier the service accepts (specification, "Versioning", rule 3). */
export const defaultModel = 'std-image-2';

/** Content types of reference images (specification, "Image-to-image request"). */
export const referenceContentTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

export type ReferenceContentType = (typeof referenceContentTypes)[number];

// "Every request should state model, n, response_format and output_format explicitly."
const statedFields = {
	model: z.string().min(1),
	prompt: z.string().min(1),
	size: sizeSchema,
	response_format: z.literal('b64_json'),
	output_format: z.literal('png'),
};

/** JSON body of `POST /v1/images/generations`. */
export const generationBodySchema = z.strictObject({
	...statedFields,
	n: z.literal(1),
	quality: qualitySchema.optional(),
});

/** Text fields of the form of `POST /v1/images/edits`; `quality` is not declared there. */
export const editFieldsSchema = z.strictObject({
	...statedFields,
	n: z.literal('1'),
});
