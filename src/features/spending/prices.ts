import { commandTitles } from '../../editor/commandTable.js';
import { askPick, askText, type Answer, type ValueItem } from '../../editor/quickInput.js';
import { writeUserSetting } from '../../editor/settings.js';
import { readPrices } from '../../editor/money.js';
import { formatMoney } from '../../images/wording.js';
import { parsePrice, type PriceList } from '../../service/price.js';
import { spendingMessages } from '../messages.js';

const texts = spendingMessages.prices;
const title = commandTitles['easel.setPrices'];

/**
 * Asks what the service charges. Each Enter writes the user's setting, so that Escape loses nothing of
 * what was entered before.
 *
 * @returns whether the user wants to go back to where this was opened
 * @throws {SettingError} where the prices that are set are wrong; they are left as they are
 */
export async function askPrices(canGoBack = false): Promise<boolean> {
	let active = 'done';
	for (;;) {
		const prices = readPrices();
		if (prices === undefined) {
			const answer = await askFirst(canGoBack);
			if (answer?.type !== 'value') {
				return answer?.type === 'back';
			}
			continue;
		}
		const items = rowsOf(prices);
		const chosen = await askPick<ValueItem>({
			...{ title, canGoBack, items, placeholder: texts.saved },
			active: items.find(({ value }) => value === active),
			matchOnDescription: true,
		});
		const name = chosen?.type === 'value' ? (chosen.value.value ?? 'done') : undefined;
		if (name === undefined || name === 'done') {
			return chosen !== undefined;
		}
		active = name;
		const answer = await (name === 'currency' ? changeCurrency(prices) : changePrice(prices, name));
		if (answer === undefined) {
			return false;
		}
	}
}

/** Asks for the currency and the price of each image; Back leads from the second to the first. */
async function askFirst(canGoBack: boolean): Promise<Answer<unknown>> {
	let active: string | undefined;
	for (;;) {
		const currency = await askCurrency(active, { canGoBack, step: 1, totalSteps: 2 });
		if (currency?.type !== 'value') {
			return currency;
		}
		active = currency.value;
		const prices = { currency: currency.value, prices: {} };
		const price = await changePrice(prices, 'image', { step: 2, totalSteps: 2 });
		if (price?.type !== 'back') {
			return price;
		}
	}
}

interface Step {
	readonly canGoBack?: boolean;
	readonly step?: number;
	readonly totalSteps?: number;
}

async function askCurrency(current: string | undefined, step: Step): Promise<Answer<string>> {
	const names = new Intl.DisplayNames('en', { type: 'currency' });
	const codes = new Set([...commonCurrencies, ...Intl.supportedValuesOf('currency')]);
	const items = [...codes].map((code): ValueItem & { readonly value: string } => ({
		...{ label: code, description: names.of(code) ?? '', value: code },
	}));
	const answer = await askPick({
		...{ title, ...step, items, placeholder: texts.currencyPlaceholder },
		active: items.find(({ value }) => value === current),
		matchOnDescription: true,
	});
	return answer?.type === 'value' ? { type: 'value', value: answer.value.value } : answer;
}

const commonCurrencies = ['USD', 'EUR', 'GBP', 'JPY', 'CNY'];

async function changeCurrency({ currency, prices }: PriceList): Promise<Answer<unknown>> {
	const answer = await askCurrency(currency, { canGoBack: true });
	if (answer?.type === 'value') {
		await write({ currency: answer.value, prices });
	}
	return answer;
}

/** Asks for one price. The empty text removes it, or leaves it without one, where there are prices. */
async function changePrice(
	{ currency, prices }: PriceList,
	name: string,
	step: Step = {},
): Promise<Answer<unknown>> {
	const known = prices[name];
	const others = Object.entries(prices).filter(([one]) => one !== name);
	const answer = await askText({
		...{ title, canGoBack: true, ...step, placeholder: '0.04' },
		text: known === undefined ? '' : String(known),
		prompt: texts.prompt(nameInWords(name), currency, known !== undefined || name !== 'image'),
		problem: (text) =>
			text.trim() === '' && Object.keys(prices).length > 0
				? undefined
				: problemWith(text, currency),
	});
	if (answer?.type === 'value') {
		const price = parsePrice(answer.value, currency);
		await write({
			currency,
			prices: typeof price === 'number' ? { ...prices, [name]: price } : Object.fromEntries(others),
		});
	}
	return answer;
}

function problemWith(text: string, currency: string): string | undefined {
	const price = parsePrice(text, currency);
	return typeof price === 'number' ? undefined : texts.problems[price](text.trim());
}

async function write({ currency, prices }: PriceList): Promise<void> {
	const isNone = Object.keys(prices).length === 0;
	await writeUserSetting('budget.price', isNone ? null : { currency, ...prices });
}

function rowsOf({ currency, prices }: PriceList): ValueItem[] {
	const names = ['image', 'high', 'low'];
	// Those of sizes are offered where the setting has them.
	const ofSizes = Object.keys(prices).filter((name) => ![...names, 'words'].includes(name));
	return [
		{ icon: 'check', label: texts.done, value: 'done' },
		{ icon: 'edit', label: texts.currency, description: currency, value: 'currency' },
		...[...names, ...ofSizes, 'words'].map((name): ValueItem => {
			const price = prices[name];
			const isOfAny = prices['image'] !== undefined && name !== 'words';
			const description =
				price === undefined
					? isOfAny
						? texts.asEachImage
						: texts.notSet
					: formatMoney(price, currency);
			return { icon: 'edit', label: capitalized(nameInWords(name)), description, value: name };
		}),
	];
}

/** `each image`, `high quality`, `1024 × 1024, high quality` */
function nameInWords(name: string): string {
	if (name === 'image' || name === 'words') {
		return texts.names[name];
	}
	const parts = name
		.split(' ')
		.map((part) =>
			part.includes('x') && /\d/.test(part) ? part.replace('x', ' × ') : texts.quality(part),
		);
	return parts.join(', ');
}

function capitalized(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}
