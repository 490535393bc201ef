/** Which tests of a subject run: the core of its feature, in every run, or the rest. */
export type Tier = 'core' | 'more';

/** What defines the tests of each tier; those of the other one than this are not defined at all. */
export function testsOf(tier: Tier): Readonly<Record<Tier, typeof test>> {
	const undefinedHere = (() => undefined) as unknown as typeof test;
	return tier === 'core'
		? { core: test, more: undefinedHere }
		: { core: undefinedHere, more: test };
}
