/** Numbers, plurals and lists in the texts that a user reads, always in English. */

/** Returns a number with its groups of thousands: `1,234`. */
export function formatNumber(value: number): string {
	return value.toLocaleString('en-US');
}

/** Returns a number with its noun: `1 image`, `1,234 images`. */
export function count(value: number, one: string, other = `${one}s`): string {
	return `${formatNumber(value)} ${plural(value, one, other)}`;
}

/**
 * Returns an amount of money: `€0.16`, `€1,234.00`. Less than a cent has as many digits as it needs.
 *
 * @param currency its code: `EUR`
 */
export function formatMoney(amount: number, currency: string): string {
	const isTiny = amount > 0 && amount < 0.01;
	return new Intl.NumberFormat('en', {
		...{ style: 'currency', currency },
		...(isTiny ? { maximumSignificantDigits: 2 } : {}),
	}).format(amount);
}

/** Returns an amount between two: `about €0.16`, `€0.56 to €0.72`, or `up to €0.16` where it may be nothing. */
export function formatMoneyRange(
	{ from, to }: { readonly from: number; readonly to: number },
	currency: string,
): string {
	const [least, most] = [formatMoney(from, currency), formatMoney(to, currency)];
	return least === most ? `about ${most}` : from === 0 ? `up to ${most}` : `${least} to ${most}`;
}

let rules: Intl.PluralRules | undefined;

/** Returns the form of a noun or a verb that goes with a number. */
export function plural(value: number, one: string, other: string): string {
	rules ??= new Intl.PluralRules('en');
	return rules.select(value) === 'one' ? one : other;
}

/** Returns values as a choice: `a, b or c`. */
export function oneOf(values: readonly string[]): string {
	return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(values);
}

/** Returns names as a list: `a.png, b.png and 3 more`. `max` is how many are named at most. */
export function list(names: readonly string[], max = Infinity): string {
	const shown = names.slice(0, max);
	const more = names.length - shown.length;
	const parts = more > 0 ? [...shown, `${formatNumber(more)} more`] : shown;
	return new Intl.ListFormat('en-GB').format(parts);
}
