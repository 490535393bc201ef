import { createHash } from 'node:crypto';

/** The colors of one picture, as CSS color strings. */
export interface Palette {
	/** From the top of the sky down to the horizon. */
	readonly sky: readonly [string, string, string];
	/** Sun, moon, and whatever else is lit. */
	readonly light: string;
	/** The farthest layer; layers in between are mixed. */
	readonly far: string;
	/** The nearest layer. */
	readonly near: string;
	readonly dark: boolean;
}

interface NamedPalette extends Palette {
	/** Words of a prompt that choose this palette. */
	readonly words: readonly string[];
}

const palettes: readonly NamedPalette[] = [
	{
		words: ['night', 'midnight', 'moon', 'moonlight', 'star', 'stars', 'dark', 'black', 'space'],
		sky: ['#0b1026', '#1d2b53', '#4a5a8c'],
		light: '#f4f1de',
		far: '#3b4a78',
		near: '#0a0f1f',
		dark: true,
	},
	{
		words: ['sunset', 'dusk', 'evening', 'orange', 'warm', 'autumn', 'desert'],
		sky: ['#355070', '#b56576', '#f0b892'],
		light: '#ffe8d6',
		far: '#9a6079',
		near: '#2d2640',
		dark: false,
	},
	{
		words: ['blue', 'sea', 'ocean', 'water', 'lake', 'sky', 'river', 'beach'],
		sky: ['#3a7ca5', '#81c3d7', '#e3f2f1'],
		light: '#fff8e7',
		far: '#7fb2c9',
		near: '#16425b',
		dark: false,
	},
	{
		words: ['green', 'forest', 'tree', 'trees', 'garden', 'meadow', 'spring', 'jungle'],
		sky: ['#8fb8a8', '#cfe1c9', '#f6f2df'],
		light: '#fffbe6',
		far: '#93b59b',
		near: '#2a3d3c',
		dark: false,
	},
	{
		words: ['white', 'snow', 'winter', 'ice', 'gray', 'grey', 'fog', 'cloud', 'clouds'],
		sky: ['#7b8fa1', '#b8c6d1', '#eef2f4'],
		light: '#ffffff',
		far: '#a9b7c3',
		near: '#37434f',
		dark: false,
	},
];

/** The words of a prompt in lower case, in their order. */
export function wordsOf(prompt: string): string[] {
	return prompt.toLowerCase().match(/\p{L}+/gu) ?? [];
}

/**
 * The palette that the last such word asks for, since a mood comes late ("a boat on the sea at
 * sunset"); without one, the prompt's hash chooses.
 */
export function choosePalette(prompt: string): Palette {
	for (const word of wordsOf(prompt).reverse()) {
		const named = palettes.find(({ words }) => words.includes(word));
		if (named) {
			return named;
		}
	}
	const byDay = palettes.filter(({ dark }) => !dark);
	return byDay[createHash('sha256').update(prompt).digest().readUInt32LE(4) % byDay.length]!;
}

/** A color between two `#rrggbb` colors; `share` runs from 0 (all `from`) to 1 (all `to`). */
export function mix(from: string, to: string, share: number): string {
	const channel = (at: number): string => {
		const a = Number.parseInt(from.slice(at, at + 2), 16);
		const b = Number.parseInt(to.slice(at, at + 2), 16);
		return Math.round(a + (b - a) * share)
			.toString(16)
			.padStart(2, '0');
	};
	return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** Random numbers in [0, 1) that are the same for the same text on every machine. */
export function randomFrom(text: string): () => number {
	let state = createHash('sha256').update(text).digest().readUInt32LE(0);
	// mulberry32: small, and good enough for hills and stars.
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
