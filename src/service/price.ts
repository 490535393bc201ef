// What images cost, as the user has set it: the service says nothing of it.
import { qualities, sizes, type Size } from './sizes.js';

/**
 * The currency of all prices, for example `EUR`, and the price of one image by its size and quality:
 * `1024x1024 high`, `1024x1024`, `high` or `image`. The most exact one counts.
 */
export interface PriceList {
	readonly currency: string;
	readonly prices: Readonly<Record<string, number>>;
}

/** An image that is or was asked for, as far as its price depends on it. */
export interface PricedImage {
	readonly size?: Size | undefined;
	/** Missing where none is sent, as with reference images. */
	readonly quality?: string | undefined;
}

/** Every name that a price may have. */
export const priceNames: ReadonlySet<string> = new Set([
	'image',
	...sizes,
	...qualities,
	...sizes.flatMap((size) => qualities.map((quality) => `${size} ${quality}`)),
]);

/** Returns what images cost together; `undefined` where there is none, or one has no price. */
export function totalPrice(
	images: readonly PricedImage[],
	{ prices }: PriceList,
): number | undefined {
	let total: number | undefined;
	for (const { size = '', quality = '' } of images) {
		const names = [`${size} ${quality}`, size, quality, 'image'];
		const name = names.find((one) => Object.hasOwn(prices, one));
		if (name === undefined) {
			return undefined;
		}
		total = (total ?? 0) + prices[name]!;
	}
	return total;
}
