import fc from 'fast-check';

/** Any text or bytes: both know `slice`. */
interface Sliceable<T> {
	readonly length: number;
	slice(start: number, end: number): T;
}

/** Cuts texts and bytes into pieces: into many small ones, or at a few places anywhere. */
export const cutAnywhere: fc.Arbitrary<<T extends Sliceable<T>>(whole: T) => T[]> = fc
	.oneof(
		fc.integer({ min: 1, max: 9 }),
		fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
	)
	.map((how) => (whole) => {
		const places =
			typeof how === 'number'
				? Array.from({ length: Math.ceil(whole.length / how) }, (_, index) => index * how)
				: how.map((part) => Math.round(part * whole.length)).sort((a, b) => a - b);
		return [0, ...places].map((start, index) => whole.slice(start, places[index] ?? whole.length));
	});
