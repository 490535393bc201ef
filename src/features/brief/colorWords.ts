import type { PaletteColor } from '../../images/palette.js';

type Color = Omit<PaletteColor, 'share'>;

/** `#d0e2ff` */
export function hexOf({ red, green, blue }: Color): string {
	return `#${[red, green, blue].map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** What people call a color: `light blue`, `dark gray`. */
export function colorWords({ red, green, blue }: Color): string {
	const max = Math.max(red, green, blue);
	const min = Math.min(red, green, blue);
	const lightness = (max + min) / 510;
	const chroma = max - min;
	if (chroma < minChroma) {
		return lightness > 0.97 ? 'white' : lightness < 0.04 ? 'black' : `${depth(lightness)}gray`;
	}
	const hue = hueOf({ red, green, blue }, max, chroma);
	const name = hues.find(([end]) => hue < end)?.[1] ?? 'red';
	// A dark orange has a name of its own.
	if (name === 'orange' && lightness < 0.35) {
		return 'brown';
	}
	const saturation = chroma / (255 * (1 - Math.abs(2 * lightness - 1)));
	return `${depth(lightness)}${saturation < minSaturation ? 'grayish ' : ''}${name}`;
}

/** In eight bits: what differs less is gray to the eye. */
const minChroma = 18;

/** From 0 to 1: a color with less looks washed out. */
const minSaturation = 0.35;

/** By the end of each, in degrees. */
const hues = [
	[15, 'red'],
	[45, 'orange'],
	[70, 'yellow'],
	[160, 'green'],
	[195, 'cyan'],
	[250, 'blue'],
	[290, 'purple'],
	[345, 'pink'],
] as const;

function hueOf({ red, green, blue }: Color, max: number, chroma: number): number {
	const sector =
		max === red
			? (green - blue) / chroma
			: max === green
				? 2 + (blue - red) / chroma
				: 4 + (red - green) / chroma;
	return (sector * 60 + 360) % 360;
}

function depth(lightness: number): string {
	if (lightness > 0.85) {
		return 'very light ';
	}
	if (lightness > 0.65) {
		return 'light ';
	}
	return lightness < 0.2 ? 'very dark ' : lightness < 0.35 ? 'dark ' : '';
}
