import * as z from 'zod';
import { qualities, sizes } from './sizes.js';

export * from './sizes.js';

/*
 * What requests and answers of all services have in common; the rest is in their table. Answers are
 * loose ("Image response", rule 3).
 */

export const sizeSchema = z.enum(sizes);

export const qualitySchema = z.enum(qualities);

/** Content types of reference images (specification, "Image-to-image request"). */
export const referenceContentTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

export type ReferenceContentType = (typeof referenceContentTypes)[number];

const text = z.string().nullish();
const code = z.union([z.string(), z.number()]).nullish();

/**
 * The error response (specification, "Error response"), and what gateways say in its place. A field of
 * another kind counts as if it were not there.
 */
export const errorResponseSchema = z.looseObject({
	error: z
		.preprocess(
			(error) => (typeof error === 'string' ? { message: error } : error),
			z.looseObject({ message: text, type: text, code }).nullish(),
		)
		.catch(undefined),
	message: text.catch(undefined),
	detail: text.catch(undefined),
	error_code: code.catch(undefined),
	code: code.catch(undefined),
});
