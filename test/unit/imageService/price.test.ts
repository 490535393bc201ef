import assert from 'node:assert/strict';
import { settings } from '../../../src/editor/settingTable.js';
import { formatMoney, formatMoneyRange } from '../../../src/images/wording.js';
import { parsePrice, totalPrice, type PricedImage } from '../../../src/service/price.js';

suite('The price of images', () => {
	const prices = { image: 0.04, '1024x1024 high': 0.17, '1536x1024': 0.06, low: 0.01 };
	const priceOf = (...images: PricedImage[]) => totalPrice(images, { currency: 'EUR', prices });

	test('is the most exact one that is known: size and quality, size, quality, any image', () => {
		assert.equal(priceOf({ size: '1024x1024', quality: 'high' }), 0.17);
		assert.equal(priceOf({ size: '1536x1024', quality: 'high' }), 0.06);
		assert.equal(priceOf({ size: '1536x1024', quality: 'low' }), 0.06);
		assert.equal(priceOf({ size: '2048x2048', quality: 'low' }), 0.01);
		assert.equal(priceOf({ size: '2048x2048', quality: 'unset' }), 0.04);
		assert.equal(priceOf({ size: '1024x1024' }), 0.04);
		assert.equal(priceOf({}), 0.04);
	});

	test('is the sum of all, and none where one has none, or there is no image', () => {
		const images = [{ size: '1024x1024', quality: 'high' }, { size: '1536x1024' }] as const;
		assert.equal(priceOf(...images), 0.17 + 0.06);
		assert.equal(priceOf(), undefined);
		const some = { currency: 'EUR', prices: { '1024x1024': 0.04 } };
		assert.equal(totalPrice([{ size: '1024x1024' }, { size: 'auto' }], some), undefined);
		const free = { currency: 'EUR', prices: { image: 0 } };
		assert.equal(totalPrice([{}], free), 0);
		const noName = { currency: 'EUR', prices: {} };
		assert.equal(totalPrice([{ quality: 'constructor' }], noName), undefined);
	});

	test('is written as money of its currency, with more digits below a cent', () => {
		assert.equal(formatMoney(4 * 0.04, 'EUR'), '€0.16');
		assert.equal(formatMoney(1234.5, 'USD'), '$1,234.50');
		assert.equal(formatMoney(0, 'EUR'), '€0.00');
		assert.equal(formatMoney(0.0042, 'EUR'), '€0.0042');
		assert.equal(formatMoney(12.4, 'JPY'), '¥12');
	});

	test('is written as one amount, or as the two that it lies between', () => {
		const written = (from: number, to: number) => formatMoneyRange({ from, to }, 'EUR');
		assert.equal(written(0.56, 0.72), '€0.56 to €0.72');
		assert.equal(written(0.56, 14 * 0.04), 'about €0.56');
		assert.equal(written(0, 0.16), 'up to €0.16');
		assert.equal(written(0, 0), 'about €0.00');
	});

	for (const [text, price] of [
		...([' 0.04', '0,04', '.04', '€0.04', '0.04 EUR', '0.04 €'] as const).map(
			(one) => [one, 0.04] as const,
		),
		...[
			['0', 0] as const,
			['4.', 4] as const,
			['1.234', 1.234] as const,
			['0,125', 0.125] as const,
		],
		...(['', 'four', '-1', '1e3', '0.04 USD', '1.234,50', 'Infinity', '0x4'] as const).map(
			(one) => [one, 'notANumber'] as const,
		),
		['1,234', 'ambiguous'] as const,
	]) {
		test(`that is typed as “${text}” is ${String(price)}`, () => {
			assert.equal(parsePrice(text, 'EUR'), price);
		});
	}

	for (const [value, wrong] of [
		[{ currency: 'EUR', image: 0.04, '1024x1024 high': 0.17, '1536x1024': 0.06, low: 0 }],
		[null],
		[{ image: 0.04 }, /it needs a “currency”/],
		[{ currency: 'Euro', image: 0.04 }, /“Euro” is not the code of a currency/],
		[{ currency: 'EUR' }, /it needs a price/],
		[{ currency: 'EUR', words: 0.002 }],
		[{ currency: 'EUR', '1024x768': 0.04 }],
		[{ currency: 'EUR', '1024': 0.04 }, /“1024” is not known/],
		[{ currency: 'EUR', 'high 1024x1024': 0.04 }, /“high 1024x1024” is not known/],
		[{ currency: 'EUR', image: '0.04' }, /the price of “image” must be a number/],
		[{ currency: 'EUR', image: -1 }, /the price of “image” must be a number/],
	] satisfies [unknown, RegExp?][]) {
		test(`${JSON.stringify(value)} is ${wrong === undefined ? 'allowed' : 'refused with what is wrong'}`, () => {
			const { error } = settings['budget.price'].schema.safeParse(value);
			if (wrong === undefined) {
				assert.equal(error, undefined);
			} else {
				assert.equal(error?.issues[0]?.code, 'custom');
				assert.match(error.issues[0].message, wrong);
			}
		});
	}

	test('is no list, text or number', () => {
		for (const value of [0.04, '0.04', true]) {
			const { error } = settings['budget.price'].schema.safeParse(value);
			assert.notEqual(error?.issues[0]?.code ?? 'custom', 'custom', String(value));
		}
	});
});
