// What can be chosen of an image, without the schemas: readers of recipes need no more.
import type { BrokenSizeRule } from '../easelError.js';

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

/** `auto`, or width and height in pixels: `1024x1024`. */
export type Size = 'auto' | `${number}x${number}`;

export interface SizeRow {
	readonly size: Size;
	readonly ratio: string;
	readonly use: string;
	readonly experimental: boolean;
}

/**
 * Sizes with a name, with their ratio of width to height: those of the specification in its order
 * ("Size table"), then those of others. Those above 2K are experimental (rule 4).
 */
export const sizeTable: readonly SizeRow[] = rows.map((row) => ({
	...row,
	experimental: ['3840x2160', '2160x3840'].includes(row.size),
}));

/** The form of every size; edges of five digits are larger than any service makes. */
export const sizePattern = /^(auto|[1-9]\d{0,4}x[1-9]\d{0,4})$/;

export function isSize(text: string): text is Size {
	return sizePattern.test(text);
}

/** Returns the size that a user has typed, as `1280 x 640` or `1280×640`; `undefined` for other text. */
export function parseSize(text: string): Size | undefined {
	// A long one is none, and would take long to look through.
	const plain = text
		.trim()
		.slice(0, 40)
		.replace(/\s*[x×*]\s*/i, 'x');
	return isSize(plain) ? plain : undefined;
}

/** Returns the row of a size; one without a name has its ratio in lowest terms, or as a number. */
export function sizeRow(size: Size): SizeRow {
	const known = sizeTable.find((row) => row.size === size);
	if (known !== undefined) {
		return known;
	}
	const { width, height } = dimensionsOf(size);
	const divisor = greatestDivisor(width, height);
	const terms = [width / divisor, height / divisor];
	const ratio = Math.max(...terms) > 30 ? `${(width / height).toFixed(2)}:1` : terms.join(':');
	return {
		size,
		ratio,
		use: 'a size of your own',
		experimental: width * height > maxProposedPixels,
	};
}

function greatestDivisor(a: number, b: number): number {
	return b === 0 ? a : greatestDivisor(b, a % b);
}

interface Dimensions {
	readonly width: number;
	readonly height: number;
}

function dimensionsOf(size: Size): Dimensions {
	const [width = 0, height = 0] = size.split('x').map(Number);
	return { width, height };
}

/** Widths and heights that a service takes, in pixels, where it takes more than a list of sizes. */
export interface SizeRule {
	/** Both edges are multiples of it. */
	readonly multipleOf: number;
	readonly minEdge: number;
	readonly maxEdge: number;
	/** Longer edge, divided by the shorter one. */
	readonly maxRatio?: number;
	readonly minPixels?: number;
	readonly maxPixels?: number;
}

/** Returns the parts of a rule that dimensions break, with the limit that they break. */
function brokenRule({ width, height }: Dimensions, rule: SizeRule): BrokenSizeRule | undefined {
	const { multipleOf, minEdge, maxEdge, maxRatio, minPixels = 0, maxPixels = Infinity } = rule;
	const [short, long] = width < height ? [width, height] : [height, width];
	if (width % multipleOf !== 0 || height % multipleOf !== 0) {
		return { rule: 'multipleOf', limit: multipleOf };
	}
	if (short < minEdge) {
		return { rule: 'minEdge', limit: minEdge };
	}
	if (long > maxEdge) {
		return { rule: 'maxEdge', limit: maxEdge };
	}
	if (maxRatio !== undefined && long > short * maxRatio) {
		return { rule: 'maxRatio', limit: maxRatio };
	}
	const pixels = width * height;
	return pixels < minPixels
		? { rule: 'minPixels', limit: minPixels }
		: pixels > maxPixels
			? { rule: 'maxPixels', limit: maxPixels }
			: undefined;
}

/** Returns a part of a rule for sizes as a sentence without its stop. */
export function brokenRuleWords({ rule, limit }: BrokenSizeRule): string {
	switch (rule) {
		case 'multipleOf':
			return `width and height must be multiples of ${String(limit)}`;
		case 'minEdge':
			return `width and height must be at least ${String(limit)}`;
		case 'maxEdge':
			return `width and height must be at most ${String(limit)}`;
		case 'maxRatio':
			return `one edge may be at most ${String(limit)} times as long as the other`;
		case 'minPixels':
			return `width times height must be at least ${limit.toLocaleString('en-US')}`;
		case 'maxPixels':
			return `width times height must be at most ${limit.toLocaleString('en-US')}`;
	}
}

/** Returns a rule for sizes: `multiples of 8, at least 64, at most 2048`. */
export function sizeRuleWords(rule: SizeRule): string {
	const { multipleOf, minEdge, maxEdge, maxRatio, minPixels, maxPixels } = rule;
	return [
		`multiples of ${String(multipleOf)}`,
		minEdge !== multipleOf && `at least ${String(minEdge)}`,
		`at most ${String(maxEdge)}`,
		maxRatio !== undefined && `ratio up to ${String(maxRatio)}:1`,
		minPixels !== undefined &&
			maxPixels !== undefined &&
			`${minPixels.toLocaleString('en-US')} to ${maxPixels.toLocaleString('en-US')} pixels in all`,
	]
		.filter(Boolean)
		.join(', ');
}

/** Sizes of a service: those that are listed, and those of its rule, where it has one. */
export interface OfferedSizes {
	readonly sizes: readonly Size[];
	readonly sizeRule?: SizeRule | undefined;
}

/** Reason for which a size is not offered, and the one nearest to it that is. */
export interface SizeProblem {
	/** Missing where sizes are a list. */
	readonly broken?: BrokenSizeRule;
	readonly nearest: Size;
}

/** Returns why a service does not offer a size; `undefined` where it does. */
export function sizeProblem(size: Size, offered: OfferedSizes): SizeProblem | undefined {
	const { sizes, sizeRule } = offered;
	if (sizes.includes(size)) {
		return undefined;
	}
	const dimensions = dimensionsOf(size);
	const broken = size === 'auto' || !sizeRule ? undefined : brokenRule(dimensions, sizeRule);
	if (size !== 'auto' && sizeRule !== undefined && broken === undefined) {
		return undefined;
	}
	const nearest =
		size === 'auto'
			? (sizes[0] ?? size)
			: sizeRule === undefined
				? nearestSize(dimensions, offered)
				: nearestAllowed(dimensions, sizeRule);
	return { ...(broken && { broken }), nearest };
}

/** Limit of the pixels of a size that is proposed: "2K" (rule 4); larger ones are experimental. */
const maxProposedPixels = 2048 * 2048;

/**
 * Returns the size of those offered that suits an image best, which has a pixel at least. Of a list the
 * nearest ratio decides, then that it is not experimental, then the nearest number of pixels. It is
 * never `auto`.
 */
export function nearestSize(image: Dimensions, { sizes, sizeRule }: OfferedSizes): Size {
	if (sizeRule !== undefined) {
		const maxPixels = Math.min(sizeRule.maxPixels ?? Infinity, maxProposedPixels);
		return nearestAllowed(image, { ...sizeRule, maxPixels });
	}
	return sizeTable
		.filter(({ size }) => size !== 'auto' && sizes.includes(size))
		.map((row) => ({ ...row, ...distance(image, dimensionsOf(row.size)) }))
		.reduce((a, b) => {
			const further =
				a.ratio - b.ratio || Number(a.experimental) - Number(b.experimental) || a.pixels - b.pixels;
			return further > 0 ? b : a;
		}).size;
}

function distance(one: Dimensions, other: Dimensions) {
	return {
		ratio: Math.abs(Math.log((other.width * one.height) / (other.height * one.width))),
		pixels: Math.abs(Math.log((other.width * other.height) / (one.width * one.height))),
	};
}

/** Returns the size that a rule allows whose edges and ratio differ least. */
function nearestAllowed(image: Dimensions, rule: SizeRule): Size {
	const { multipleOf, minEdge, maxEdge } = rule;
	const first = Math.ceil(minEdge / multipleOf) * multipleOf;
	let nearest: Size = `${first}x${first}`;
	let least = Infinity;
	for (let width = first; width <= maxEdge; width += multipleOf) {
		for (let height = first; height <= maxEdge; height += multipleOf) {
			const { ratio, pixels } = distance(image, { width, height });
			// The larger one is the sum of what both edges change by.
			const far = Math.max(ratio, pixels) + 1.2 * ratio;
			if (far < least && brokenRule({ width, height }, rule) === undefined) {
				[least, nearest] = [far, `${width}x${height}`];
			}
		}
	}
	return nearest;
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
