/** Returns numbers in [0, 1) that are the same in each run: mulberry32. */
export function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Text of up to `length` pieces from all over Unicode, with what is troublesome more often. */
export function randomText(random: () => number, length: number): string {
	const below = (limit: number) => Math.floor(random() * limit);
	const piece = () => {
		switch (below(4)) {
			case 0:
				return troublesome[below(troublesome.length)]!;
			case 1:
				return String.fromCharCode(32 + below(96));
			case 2:
				return String.fromCharCode(below(0x10000));
			default:
				return String.fromCodePoint(below(0x110000));
		}
	};
	return Array.from({ length: 1 + below(length) }, piece).join('');
}

const troublesome = [
	...'/\\:*?"<>|%#[](){}\'`$&;!~^=+@,._- \t\n\r\0\x7f\x85',
	...['\u200b', '\u200c', '\u200d', '\u200e', '\u202e', '\u2066', '\u2069', '\u2028'],
	...['\ufeff', '\u00ad', '\u034f', '\u115f', '\u3164', '\ufe0f', '\u20e3', '\u0301'],
	...['\u0327', '\ud800', '\udfff', '\u0130', '\u00df', '\u03a3', '\u212a', 'é', 'e\u0301'],
	...['क्षि', '각', '한', '👩‍🚀', '🇩🇪', 'con', 'NUL', 'com1', 'lpt²', 'aux.', '..'],
	...['&amp;', '${', '}', '1️⃣', '猫', 'ى', 'ö', 'o\u0308'],
];
