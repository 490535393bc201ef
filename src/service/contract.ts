import * as z from 'zod';
import { qualities, sizes } from './sizes.js';

export * from './sizes.js';

// Requests of all services have this in common; the rest is in their table.

export const sizeSchema = z.enum(sizes);

export const qualitySchema = z.enum(qualities);

/** Choice of a background; without one the service decides. */
export const backgroundSchema = z.literal('transparent');

export type Background = z.infer<typeof backgroundSchema>;

/** Content types of reference images (specification, "Image-to-image request"). */
export const referenceContentTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

export type ReferenceContentType = (typeof referenceContentTypes)[number];
