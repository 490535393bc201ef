import * as z from 'zod';

/*
 * The image service's contract as zod schemas. Requests are strict ("Undeclared fields are not
 * allowed", specification, "Image-to-image request"). Answers are loose: they may carry extra
 * fields, and "Clients must allow them" (specification, "Image response", rule 3).
 */

/** One row of the service's size table (specification, "Size table"). */
export interface SizeInfo {
	readonly size: string;
	/** Width to height, for example `3:2`, or `automatic`. */
	readonly ratio: string;
	readonly use: string;
	/** Sizes above 2K are experimental (specification, "Size table", rule 4). */
	readonly experimental: boolean;
}

/** Every size the service knows, in the specification's order. */
export const sizeTable = [
	{ size: 'auto', ratio: 'automatic', use: 'the service chooses', experimental: false },
	{
		size: '1024x1024',
		ratio: '1:1',
		use: 'square images, avatars, covers, assets',
		experimental: false,
	},
	{
		size: '1536x1024',
		ratio: '3:2',
		use: 'landscape posters, banners, scenes',
		experimental: false,
	},
	{ size: '1024x1536', ratio: '2:3', use: 'portrait covers and posters', experimental: false },
	{ size: '1536x1152', ratio: '4:3', use: 'standard landscape images', experimental: false },
	{ size: '1152x1536', ratio: '3:4', use: 'standard portrait images', experimental: false },
	{ size: '2048x2048', ratio: '1:1', use: 'high-resolution square', experimental: false },
	{ size: '2048x1152', ratio: '16:9', use: 'high-resolution landscape', experimental: false },
	{ size: '3840x2160', ratio: '16:9', use: '4K landscape', experimental: true },
	{ size: '2160x3840', ratio: '9:16', use: '4K portrait', experimental: true },
] as const satisfies readonly SizeInfo[];

export type Size = (typeof sizeTable)[number]['size'];

/** The names of all sizes, in the specification's order. */
export const sizes = sizeTable.map((row) => row.size) as [Size, ...Size[]];

/**
 * The size that suits an image best. The nearest ratio decides; among sizes of that ratio those
 * that are not experimental come first, then the nearest number of pixels. It is never `auto`.
 *
 * @param image in pixels, at least 1 each
 */
export function nearestSize({ width, height }: { width: number; height: number }): Size {
	const distance = (size: Size) => {
		const [w, h] = size.split('x').map(Number) as [number, number];
		return {
			ratio: Math.abs(Math.log((w * height) / (h * width))),
			pixels: Math.abs(Math.log((w * h) / (width * height))),
		};
	};
	return sizeTable
		.filter(({ size }) => size !== 'auto')
		.map((row) => ({ ...row, ...distance(row.size) }))
		.reduce((a, b) => {
			const further =
				a.ratio - b.ratio || Number(a.experimental) - Number(b.experimental) || a.pixels - b.pixels;
			return further > 0 ? b : a;
		}).size;
}

export const sizeSchema = z.enum(sizes);

/** The specification shows these two values only ("Text-to-image request"). */
export const qualities = ['high', 'low'] as const;

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

export type GenerationBody = z.infer<typeof generationBodySchema>;

/** Text fields of the form of `POST /v1/images/edits`; `quality` is not declared there. */
export const editFieldsSchema = z.strictObject({
	...statedFields,
	n: z.literal('1'),
});

export type EditFields = z.infer<typeof editFieldsSchema>;

/**
 * The image response (specification, "Image response"). `b64_json`, which is not optional there, is
 * so here, because the client has words of its own for a missing one. Its content goes to a file
 * while it arrives, and an empty string takes its place.
 */
export const imageResponseSchema = z.looseObject({
	created: z.number().int().optional(),
	data: z
		.array(
			z.looseObject({
				b64_json: z.string().optional(),
				revised_prompt: z.string().nullish(),
			}),
		)
		.min(1),
});

export type ImageResponse = z.infer<typeof imageResponseSchema>;

/** The error response (specification, "Error response"): every field optional, extras allowed. */
export const errorResponseSchema = z.looseObject({
	error: z
		.looseObject({
			message: z.string().nullish(),
			type: z.string().nullish(),
			code: z.union([z.string(), z.number()]).nullish(),
		})
		.nullish()
		.catch(undefined),
	message: z.string().nullish().catch(undefined),
});
