import { markdownProse, markdownQuote } from '../../editor/markdownQuote.js';
import type { ImageFacts } from '../../images/inspect.js';
import type { PaletteColor } from '../../images/palette.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';

/** A prompt on the way to the image. */
export interface Step {
	/** `3a` */
	readonly label: string;
	readonly prompt: string;
	/** What was edited; `undefined` where it was made of the prompt alone. */
	readonly from: string | undefined;
}

/** An image with the link that shows it where the brief stands. */
export interface LinkedImage {
	readonly label: string;
	/** What the user calls it. */
	readonly title: string | undefined;
	/** In Markdown. */
	readonly link: string;
}

/** What a brief says; all texts are as they are. */
export interface Brief {
	readonly image: LinkedImage;
	readonly name: string;
	/** What it is for; empty where the user has not said it. */
	readonly purpose: string;
	/** What the user has noted about it. */
	readonly note: string;
	/** The first one first. */
	readonly steps: readonly Step[];
	/** `1536x1024` */
	readonly sizeAsked: string;
	readonly facts: Pick<ImageFacts, 'width' | 'height' | 'bytes'>;
	/** `undefined` where it could not be measured. */
	readonly palette: readonly PaletteColor[] | undefined;
	/** Other starred images. */
	readonly alternatives: readonly LinkedImage[];
}

/** Returns the brief as Markdown that any preview renders. */
export function briefText(brief: Brief): string {
	const { image, name, purpose, note, steps, palette, alternatives } = brief;
	return `${[
		`# ${markdownProse(image.title ?? name)}`,
		image.link,
		...section('What it is for', markdownQuote(purpose)),
		...section('Note', markdownQuote(note)),
		'## How it was made',
		...steps.flatMap(stepText),
		'## Size',
		sizeText(brief),
		...section('Colors', palette === undefined ? '' : paletteTable(palette)),
		'## Text in the picture',
		'Text and numbers in the picture are placeholders. Write your own.',
		...section(
			'Other starred drafts',
			alternatives.map((one) => [`**${nameOf(one)}**`, one.link].join('\n\n')).join('\n\n'),
		),
	].join('\n\n')}\n`;
}

function section(title: string, text: string): string[] {
	return text === '' ? [] : [`## ${title}`, text];
}

function stepText({ label, prompt, from }: Step): string[] {
	const made = from === undefined ? 'made from this prompt' : `made from ${markdownProse(from)}`;
	return [`**${label}**, ${made}:`, markdownQuote(prompt)];
}

function sizeText({ sizeAsked, facts }: Brief): string {
	const asked =
		sizeAsked === 'auto'
			? 'The image service chose the size.'
			: `Requested in ${sizeAsked.replace('x', ' × ')} pixels.`;
	return `${asked} The file has ${readableDimensions(facts)} pixels, ${readableSize(facts.bytes)}.`;
}

function paletteTable(palette: readonly PaletteColor[]): string {
	const rows = palette.map((color) => {
		const { red, green, blue, share } = color;
		const percent = share < 0.01 ? 'under 1%' : `${String(Math.round(share * 100))}%`;
		return `| ${colorWords(color)} | \`${hexOf(color)}\` | ${[red, green, blue].join(', ')} | ${percent} |`;
	});
	return [
		'Measured from the pixels of the picture.\n',
		'| Color | Hex | RGB | Share |',
		'|---|---|---|---:|',
		...rows,
	].join('\n');
}

function nameOf({ label, title }: LinkedImage): string {
	return title === undefined ? label : `${label} · ${markdownProse(title)}`;
}

type Color = Omit<PaletteColor, 'share'>;

/** `#d0e2ff` */
function hexOf({ red, green, blue }: Color): string {
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
