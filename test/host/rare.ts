/** The end of the title of a test that runs in the tiers `more` and `heavy`, and not every day. */
export const rareTag = '@more';

/** Defines a test of a variant, a rare failure or a large size, for the tiers `more` and `heavy`. */
export function rare(
	title: string,
	body: (this: Mocha.Context) => void | Promise<void>,
): Mocha.Test {
	return test(`${title} ${rareTag}`, body as Mocha.AsyncFunc);
}
