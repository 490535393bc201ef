/** One way to read a text, with the way back to where it stands in the text itself. */
export interface Reading {
	readonly text: string;
	/** The place in the text itself of what stands between two places of this reading. */
	placeOf(start: number, end: number): readonly [start: number, end: number];
}

/**
 * What a text says, and what it says once escapes, base64 and hexadecimal digits in it are decoded,
 * several times over. Characters that nobody sees count as not there.
 *
 * @param shortest what decodes to less than this many characters is left out
 */
export function* readings(text: string, shortest: number): Generator<Reading, void> {
	yield* deeper({ text, placeOf: (start, end) => [start, end] }, shortest, mostLayers);
}

/** More than what passes through several hands has, such as JSON within a URL within JSON. */
const mostLayers = 4;

function* deeper(reading: Reading, shortest: number, layers: number): Generator<Reading, void> {
	yield reading;
	if (layers === 0 || reading.text.length < shortest) {
		return;
	}
	const plain = kindsOfEscapes.flatMap((kind) => unescaped(reading, [kind]) ?? []);
	if (plain.length > 1) {
		// Each character may be written in a way of its own.
		plain.push(unescaped(reading, kindsOfEscapes)!);
	}
	for (const each of plain) {
		yield* deeper(each, shortest, layers - 1);
	}
	for (const code of codes) {
		for (const decoded of decodedRuns(reading, code, shortest)) {
			yield* deeper(decoded, shortest, layers - 1);
		}
	}
}

interface Escapes {
	readonly pattern: RegExp;
	readonly decode: (escape: string) => string;
}

/**
 * Also apart from one another, because what looks like an escape may be none: in `100%abc` the rest
 * can be a text of its own.
 */
const kindsOfEscapes: readonly Escapes[] = [
	{ pattern: /%[0-9a-f]{2}/gi, decode: (escape) => character(escape.slice(1), 16) },
	// Those of JSON and of most programming languages.
	{
		pattern: /\\u[0-9a-f]{4}|\\u\{[0-9a-f]{1,6}\}|\\x[0-9a-f]{2}/gi,
		decode: (escape) => character(escape.replace(/[^0-9a-f]/gi, ''), 16),
	},
	{ pattern: /\\[^ux\s]/gi, decode: (escape) => escape.slice(1) },
	{
		pattern: /&(?:#x[0-9a-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);?/gi,
		decode: (escape) => {
			const [, x, digits] = /&#(x?)(\w+)/i.exec(escape) ?? [];
			const name = escape.toLowerCase().replace(/\W/g, '');
			return digits === undefined ? named[name]! : character(digits, x ? 16 : 10);
		},
	},
	{ pattern: /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, decode: () => '' },
];

const named: Readonly<Record<string, string>> = {
	amp: '&',
	lt: '<',
	gt: '>',
	quot: '"',
	apos: "'",
};

function character(digits: string, base: number): string {
	const code = Number.parseInt(digits, base);
	return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

/** The reading with escapes of these kinds decoded; `undefined` where it has none. */
function unescaped(of: Reading, kinds: readonly Escapes[]): Reading | undefined {
	const escapes = kinds.flatMap(({ pattern, decode }) =>
		Array.from(of.text.matchAll(pattern), ({ 0: escape, index }) => ({
			start: index,
			end: index + escape.length,
			character: decode(escape),
		})),
	);
	if (escapes.length === 0) {
		return undefined;
	}
	escapes.sort((a, b) => a.start - b.start);
	let text = '';
	/** Where each piece starts, in the decoded text and in the other. */
	const pieces: Piece[] = [];
	let end = 0;
	for (const escape of escapes) {
		if (escape.start >= end) {
			pieces.push({ here: text.length, there: end });
			text += of.text.slice(end, escape.start);
			pieces.push({ here: text.length, there: escape.start });
			text += escape.character;
			end = escape.end;
		}
	}
	pieces.push({ here: text.length, there: end });
	text += of.text.slice(end);
	return { text, placeOf: (from, to) => of.placeOf(thereOf(from, pieces), thereOf(to, pieces)) };
}

interface Piece {
	readonly here: number;
	readonly there: number;
}

function thereOf(at: number, pieces: readonly Piece[]): number {
	let low = 0;
	for (let high = pieces.length; high - low > 1;) {
		const middle = (low + high) >> 1;
		if (pieces[middle]!.here <= at) {
			low = middle;
		} else {
			high = middle;
		}
	}
	const { here, there } = pieces[low]!;
	return there + at - here;
}

interface Code {
	readonly name: 'base64' | 'hex';
	readonly alphabet: string;
	/** So many characters stand for so many bytes. */
	readonly characters: number;
	readonly bytes: number;
}

const codes: readonly Code[] = [
	// Both alphabets (RFC 4648, parts 4 and 5); Node reads them mixed, too.
	{ name: 'base64', alphabet: '[A-Za-z0-9+/_-]', characters: 4, bytes: 3 },
	{ name: 'hex', alphabet: '[0-9A-Fa-f]', characters: 2, bytes: 1 },
];

/**
 * The texts in what may be such a code. Where its first group begins cannot be seen, for words may
 * stand right before it, so it is tried at each place; the end of a line does not end it.
 */
function* decodedRuns(of: Reading, code: Code, shortest: number): Generator<Reading, void> {
	const { name, alphabet, characters, bytes } = code;
	const joined = unescaped(of, [lineEnds]) ?? of;
	const least = Math.ceil((shortest * characters) / bytes);
	const runs = new RegExp(`${alphabet}{${String(least)},}`, 'g');
	for (const { 0: run, index } of joined.text.matchAll(runs)) {
		for (let offset = 0; offset < characters; offset += 1) {
			const decoded = Buffer.from(run.slice(offset), name).toString('latin1');
			for (const { 0: text, index: at } of decoded.matchAll(legible)) {
				if (text.length >= shortest) {
					const place = (byte: number, round: (value: number) => number) =>
						index + offset + round(((at + byte) * characters) / bytes);
					yield {
						text,
						placeOf: (start, end) =>
							joined.placeOf(place(start, Math.floor), place(end, Math.ceil)),
					};
				}
			}
		}
	}
}

/** The ends of lines that were filled, as in RFC 2045, part 6.8; flattened they are blanks. */
const lineEnds: Escapes = {
	pattern: /(?<=[A-Za-z0-9+/_-]{60})\s+(?=[A-Za-z0-9+/_-])/g,
	decode: () => '',
};

/** What no code is decodes to anything but this. */
const legible = /[\t\n\r\x20-\x7e]+/g;
