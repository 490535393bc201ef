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
] as const;

export type Size = (typeof rows)[number]['size'];

/**
 * Every size the service knows, with its ratio of width to height, in the specification's order
 * ("Size table"). Those above 2K are experimental (rule 4).
 */
export const sizeTable = rows.map((row) => ({
	...row,
	experimental: ['3840x2160', '2160x3840'].includes(row.size),
}));

/** The names of all sizes, in the specification's order. */
export const sizes = rows.map((row) => row.size) as [Size, ...Size[]];

/**
 * Returns the size that suits an image best, which has a pixel at least. The nearest ratio decides,
 * then that it is not experimental, then the nearest number of pixels. It is never `auto`.
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

/** The name of each choice of a quality, in the order of what they cost. `unset` is never sent. */
export const qualityNames = {
	low: { label: 'Low', description: 'for previews' },
	unset: { label: 'Auto', description: 'the service decides' },
	high: { label: 'High', description: 'takes longer, costs more' },
} as const;

/** As many images can be asked for with one prompt. The service makes one for each request. */
export const maxImages = 4;
