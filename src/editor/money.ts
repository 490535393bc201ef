import { formatMoney, formatMoneyRange } from '../images/wording.js';
import type { JobEntry } from '../jobs/jobFolder.js';
import type { ImageRequest } from '../jobs/request.js';
import { sumUpJobs } from '../jobs/spent.js';
import { phrases } from '../messages.js';
import { totalPrice, type PricedImage, type PriceList } from '../service/price.js';
import { sentQuality } from './service.js';
import { readSetting, settingOr } from './settings.js';

/** Returns the prices that the user has set, if any. @throws {SettingError} */
export function readPrices(): PriceList | undefined {
	const price = readSetting('budget.price');
	if (price === null) {
		return undefined;
	}
	const { currency, ...prices } = price;
	return { currency: currency as string, prices: prices as PriceList['prices'] };
}

/**
 * Returns what images cost together, `about €0.16`; `undefined` where the user has set no price for
 * one of them. A wrong setting counts as none: it must not disturb who only looks.
 */
export function moneyWords(images: readonly PricedImage[]): string | undefined {
	const prices = settingOr(readPrices);
	const total = prices && totalPrice(images, prices);
	return total === undefined || prices === undefined
		? undefined
		: phrases.about(formatMoney(total, prices.currency));
}

/** Returns what jobs that have ended have cost: `about €0.16`, or a range where more may be charged. */
export function moneyOfJobs(entries: readonly JobEntry[]): string | undefined {
	const prices = settingOr(readPrices);
	const { money } = sumUpJobs(entries, prices);
	return money && prices && formatMoneyRange(money, prices.currency);
}

/** Returns the same of requests, before or after their style was applied. */
export function moneyOfRequests(requests: readonly ImageRequest[]): string | undefined {
	return moneyWords(
		requests.map(({ size, quality, references }) => ({
			size,
			quality: sentQuality(quality, references.length),
		})),
	);
}

/** Returns the same of so many images that are alike. */
export function moneyFor(image: PricedImage, count: number): string | undefined {
	return moneyWords(new Array<PricedImage>(count).fill(image));
}
