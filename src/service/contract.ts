import * as z from 'zod';
import { qualities, sizePattern, type Size } from './sizes.js';

export * from './sizes.js';

// Requests of all services have this in common; the rest is in their table.

/** The form of sizes; a service offers some of them. */
export const sizeSchema = z.string().regex(sizePattern) as unknown as z.ZodType<Size, Size>;

export const qualitySchema = z.enum(qualities);

/** Choice of a background; without one the service decides. */
export const backgroundSchema = z.literal('transparent');

export type Background = z.infer<typeof backgroundSchema>;

/** Content types of reference images (specification, "Image-to-image request"). */
export const referenceContentTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

export type ReferenceContentType = (typeof referenceContentTypes)[number];
