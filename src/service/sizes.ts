// What can be chosen of an image, without the schemas: readers of recipes need no more.

const rows = [
	{ size: 'auto', ratio: 'automatic', use: 'the service chooses' },
	{ size: '1024x1024', ratio: '1:1', use: 'square images, avatars, covers, assets' },
	{ size: '1536x1024', ratio: '3:2', use: 'landscape posters, banners, scenes' },
	{ size: '1024x1536', ratio: '2:3', use: 'portrait covers and posters' },
	{ size: '1536x1152', ratio: '4:3', use: 'standard landscape images' },
	{ size: '1152x1536', ratio: '3:4', use: 'standard portrait images' },
	{ size: '2048x2048', ratio: '1:1', use: 'high-resolution square' },
	{ size: '2048x1152', ratio: '16:9', use: 'high-resolution landscape' },
	{ size: '3840x2160', ratio: '16:9', use: '4K landscape' },
	{ size: '2160x3840', ratio: '9:16', use: '4K portrait' },
	{ size: '512x512', ratio: '1:1', use: 'small square' },
	{ size: '768x512', ratio: '3:2', use: 'small landscape' },
	{ size: '512x768', ratio: '2:3', use: 'small portrait' },
	{ size: '768x768', ratio: '1:1', use: 'medium square' },
] as const;

export type Size = (typeof rows)[number]['size'];

export interface SizeRow {
	readonly size: Size;
	readonly ratio: string;
	readonly use: string;
	readonly experimental: boolean;
}

/**
 * Every size that a service has, with its ratio of width to height: those of the specification in its
 * order ("Size table"), then those of others. Those above 2K are experimental (rule 4).
 */
export const sizeTable: readonly SizeRow[] = rows.map((row) => ({
	...row,
	experimental: ['3840x2160', '2160x3840'].includes(row.size),
}));

/** The names of all sizes, in the order of their table. */
export const sizes = rows.map((row) => row.size) as [Size, ...Size[]];

/**
 * Returns the size of those offered that suits an image best, which has a pixel at least. The nearest
 * ratio decides, then that it is not experimental, then the nearest number of pixels. It is never `auto`.
 */
export function nearestSize(
	{ width, height }: { readonly width: number; readonly height: number },
	offered: readonly Size[],
): Size {
	const distance = (size: Size) => {
		const [w, h] = size.split('x').map(Number) as [number, number];
		return {
			ratio: Math.abs(Math.log((w * height) / (h * width))),
			pixels: Math.abs(Math.log((w * h) / (width * height))),
		};
	};
	return sizeTable
		.filter(({ size }) => size !== 'auto' && offered.includes(size))
		.map((row) => ({ ...row, ...distance(row.size) }))
		.reduce((a, b) => {
			const further =
				a.ratio - b.ratio || Number(a.experimental) - Number(b.experimental) || a.pixels - b.pixels;
			return further > 0 ? b : a;
		}).size;
}

/** Every quality that a service has. */
export const qualities = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

export type Quality = (typeof qualities)[number];

/** The name of each choice of a quality, in the order of what they cost. `unset` is never sent. */
export const qualityNames = {
	low: { label: 'Low', description: 'for previews' },
	unset: { label: 'Auto', description: 'the service decides' },
	medium: { label: 'Medium', description: 'between low and high' },
	high: { label: 'High', description: 'takes longer, costs more' },
	xhigh: { label: 'Extra High', description: 'takes longer still, costs more' },
	max: { label: 'Maximum', description: 'takes longest, costs most' },
} as const satisfies Record<Quality | 'unset', object>;

/** As many images can be asked for with one prompt. The service makes one for each request. */
export const maxImages = 4;
