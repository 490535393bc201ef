// What can be chosen of an image, without the schemas: readers of recipes need no more.

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

/** The specification shows these two values only ("Text-to-image request"). */
export const qualities = ['high', 'low'] as const;

/** What each choice of a quality is called, in the order of what they cost. `unset` is never sent. */
export const qualityNames = {
	low: { label: 'Low', description: 'for previews' },
	unset: { label: 'Auto', description: 'the service decides' },
	high: { label: 'High', description: 'takes longer, costs more' },
} as const;

/** As many images can be asked for with one prompt. The service makes one for each request. */
export const maxImages = 4;
