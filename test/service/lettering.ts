import { createRequire } from 'node:module';
import { GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';

/** Text in lines that fit, at a font size in pixels. */
export interface Lettering {
	readonly lines: readonly string[];
	readonly fontSize: number;
	readonly lineHeight: number;
}

// The font package makes the pictures alike on every machine, with or without fonts of its own.
const packaged = ['latin', 'latin-ext', 'cyrillic', 'greek'];
const preferred = ['Inter', 'Noto Sans', 'DejaVu Sans', 'Liberation Sans', 'Segoe UI', 'Arial'];

let families: string | undefined;

/**
 * The CSS list of font families to write with, or `undefined` on a machine without any font, where
 * a picture stays without text.
 */
export function fontFamilies(): string | undefined {
	families ??= registerFonts()
		.map((family) => `"${family}"`)
		.join(', ');
	return families === '' ? undefined : families;
}

/**
 * Wraps text so that it fits into `width` by `height` pixels: the largest of a few font sizes that
 * holds all of it, else the smallest with an ellipsis at its end.
 *
 * @param fontSize the largest font size in pixels
 */
export function fitText(
	context: SKRSContext2D,
	text: string,
	family: string,
	{ width, height, fontSize }: { width: number; height: number; fontSize: number },
): Lettering {
	// More than this fits into no picture; a prompt of a megabyte must not take a minute.
	const drawable = text.slice(0, 2000).toWellFormed().replaceAll('\0', ' ');
	const words = drawable.trim().split(/\s+/u);
	let fitted: Lettering | undefined;
	for (const share of [1, 0.85, 0.7, 0.6, 0.5]) {
		const size = Math.max(8, Math.round(fontSize * share));
		const lineHeight = Math.round(size * 1.3);
		const most = Math.max(1, Math.floor(height / lineHeight));
		context.font = `600 ${size}px ${family}`;
		const lines = wrap(context, words, width);
		fitted = { lines: lines.slice(0, most), fontSize: size, lineHeight };
		if (lines.length <= most) {
			return fitted;
		}
	}
	const { lines, ...rest } = fitted!;
	return { ...rest, lines: [...lines.slice(0, -1), shorten(context, lines.at(-1)!, width)] };
}

function registerFonts(): string[] {
	const found = packaged.flatMap((subset) => {
		const alias = `Easel Inter ${subset}`;
		return registerPackaged(subset, alias) ? [alias] : [];
	});
	const onMachine = GlobalFonts.families.map(({ family }) => family);
	const second = preferred.find((family) => onMachine.includes(family)) ?? onMachine[0];
	return second === undefined ? found : [...found, second];
}

function registerPackaged(subset: string, alias: string): boolean {
	try {
		const file = createRequire(import.meta.url).resolve(
			`@fontsource/inter/files/inter-${subset}-600-normal.woff2`,
		);
		return GlobalFonts.registerFromPath(file, alias) !== null;
	} catch {
		return false;
	}
}

function wrap(context: SKRSContext2D, words: readonly string[], width: number): string[] {
	const lines: string[] = [];
	let line = '';
	for (const word of words) {
		const longer = line === '' ? word : `${line} ${word}`;
		if (context.measureText(longer).width <= width) {
			line = longer;
			continue;
		}
		if (line !== '') {
			lines.push(line);
		}
		// A word wider than the line, or a script without spaces, breaks between characters.
		const pieces = breakWord(context, word, width);
		lines.push(...pieces.slice(0, -1));
		line = pieces.at(-1) ?? '';
	}
	return line === '' ? lines : [...lines, line];
}

function breakWord(context: SKRSContext2D, word: string, width: number): string[] {
	const pieces: string[] = [];
	let piece = '';
	for (const { segment } of new Intl.Segmenter('en').segment(word)) {
		if (piece !== '' && context.measureText(piece + segment).width > width) {
			pieces.push(piece);
			piece = '';
		}
		piece += segment;
	}
	return [...pieces, piece];
}

function shorten(context: SKRSContext2D, line: string, width: number): string {
	let shown = line;
	while (shown !== '' && context.measureText(`${shown}…`).width > width) {
		shown = shown.slice(0, -1);
	}
	return `${shown.trimEnd()}…`;
}
