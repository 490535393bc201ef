// What images cost, as the user has set it: the service says nothing of it.
import { isSize, qualities, type Size } from './sizes.js';

/**
 * The currency of all prices, for example `EUR`, the price of one image by its size and quality,
 * `1024x1024 high`, `1024x1024`, `high` or `image`, of which the most exact one counts, and that of
 * one request to a language model, `words`.
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

const plainNames: readonly string[] = ['image', 'words', ...qualities];

/** Returns whether a price may have this name; `words` is that of one request to a language model. */
export function isPriceName(name: string): boolean {
	const [size = '', quality, ...others] = name.split(' ');
	return (
		plainNames.includes(name) ||
		(isSize(size) && others.length === 0 && [undefined, ...qualities].includes(quality as never))
	);
}

/** Returns what images cost together; `undefined` where there is none, or one has no price. */
export function totalPrice(images: readonly PricedImage[], prices: PriceList): number | undefined {
	let total: number | undefined;
	for (const image of images) {
		const price = priceOf(image, prices);
		if (price === undefined) {
			return undefined;
		}
		total = (total ?? 0) + price;
	}
	return total;
}

/** Returns the price of one image, or of one request for words; `undefined` where there is none. */
export function priceOf(item: PricedImage | 'words', { prices }: PriceList): number | undefined {
	const { size = '', quality = '' } = item === 'words' ? {} : item;
	const names = item === 'words' ? [item] : [`${size} ${quality}`, size, quality, 'image'];
	const name = names.find((one) => Object.hasOwn(prices, one));
	return name === undefined ? undefined : prices[name];
}

/**
 * Reads a price as it is typed: `0.04`, `0,04`, `€0.04`, `0.04 EUR`.
 *
 * @returns what is wrong where it is none: `ambiguous` may have its thousands marked, or its decimals
 */
export function parsePrice(text: string, currency: string): number | 'notANumber' | 'ambiguous' {
	const symbol = new Intl.NumberFormat('en', { style: 'currency', currency })
		.formatToParts(0)
		.find(({ type }) => type === 'currency')?.value;
	const bare = text
		.replace(currency, '')
		.replace(symbol ?? currency, '')
		.trim();
	if (!/^(\d+([.,]\d*)?|[.,]\d+)$/.test(bare)) {
		return 'notANumber';
	}
	return /^[1-9]\d*,\d{3}$/.test(bare) ? 'ambiguous' : Number(bare.replace(',', '.'));
}
