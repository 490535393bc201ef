/** The end of the title of a test that runs in the tier `more`; all others run in `integration`. */
export const rareTag = '@more';

/** Defines a test of a variant or a rare failure, for the tier `more`. */
export function rare(
	title: string,
	body: (this: Mocha.Context) => void | Promise<void>,
): Mocha.Test {
	return test(`${title} ${rareTag}`, body as Mocha.AsyncFunc);
}
