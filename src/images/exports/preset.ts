import { weightWords } from '../readableSize.js';
import { maxExportSide, type ExportFormat, type ExportOptions } from './order.js';

/** An export as a user writes it: `webp 1200 200kB`. */
export interface ExportPreset extends ExportOptions {
	/** True for a second file of twice the dimensions. */
	readonly isPair?: boolean;
	/** True where the recipe is left out. */
	readonly isBare?: boolean;
}

/** The presets that everyone has, by their names. */
export const ownPresets: Readonly<Record<string, string>> = {
	Page: 'webp 1200 200kB',
	'Social card': 'jpeg 1200x630 300kB',
	Icon: 'png 256x256',
	'@2x pair': 'webp @2x',
	'Small PNG': 'png palette',
};

/**
 * Reads an export from words in any order: a format, `1200`, `x630` or `1200x630` pixels, `200kB`, `inside`,
 * `palette`, `@2x`, `norecipe`.
 *
 * @returns `undefined` where a word is none of these, or the format is missing
 */
export function parseExport(text: string): ExportPreset | undefined {
	let preset: Partial<ExportPreset> = {};
	let isInside = false;
	for (const word of text
		.toLowerCase()
		.replaceAll('×', 'x')
		.split(/[\s,·]+/)) {
		const [, width, height] = /^(\d{1,5})?(?:x(\d{1,5}))?(?:px)?$/.exec(word) ?? [];
		const [, kilobytes] = /^(\d{1,6})kb$/.exec(word) ?? [];
		if (Object.hasOwn(formatOf, word)) {
			preset = { ...preset, format: formatOf[word]! };
		} else if (isSide(width ?? height) && isSide(height ?? width)) {
			preset = {
				...preset,
				...(width !== undefined && { width: Number(width) }),
				...(height !== undefined && { height: Number(height) }),
			};
		} else if (kilobytes !== undefined && Number(kilobytes) > 0) {
			preset = { ...preset, maxBytes: Number(kilobytes) * 1000 };
		} else if (Object.hasOwn(flags, word)) {
			preset = { ...preset, ...flags[word] };
		} else if (word === 'inside') {
			isInside = true;
		} else if (word !== '') {
			return undefined;
		}
	}
	const { format, width, height } = preset;
	const isBox = width !== undefined && height !== undefined && !isInside;
	return format && { ...preset, ...(isBox && { fit: 'cover' as const }), format };
}

/** An export in words: `WebP · 1200 px wide · at most 200 kB`. */
export function exportWords(preset: ExportPreset): string {
	const { format, width, height, fit, maxBytes, palette, isPair, isBare } = preset;
	const box = `${String(width)} × ${String(height)} px`;
	return [
		formatWords[format],
		palette === true && 'at most 256 colors',
		width !== undefined && height !== undefined && (fit === 'cover' ? box : `within ${box}`),
		width !== undefined && height === undefined && `${String(width)} px wide`,
		width === undefined && height !== undefined && `${String(height)} px high`,
		maxBytes !== undefined && `at most ${weightWords(maxBytes)}`,
		isPair === true && 'and one of twice the size',
		isBare === true && 'without prompt',
	]
		.filter((part) => part !== false)
		.join(' · ');
}

/** The file name of an export beside its source: `pier.webp`, `pier-256x256.png`. */
export function exportName(source: string, preset: ExportPreset, times = 1): string {
	const dot = source.lastIndexOf('.');
	const [stem, old] = dot > 0 ? [source.slice(0, dot), source.slice(dot)] : [source, ''];
	const { format, width, height } = preset;
	const sides = [width, height].filter((side) => side !== undefined).join('x');
	const isBox = width !== undefined && height !== undefined;
	const isSame = old.toLowerCase().replace('.jpeg', '.jpg') === extensions[format];
	const size = isBox || (isSame && sides !== '') ? `-${sides}` : isSame ? '-small' : '';
	return `${stem}${size}${times === 1 ? '' : `@${String(times)}x`}${extensions[format]}`;
}

function isSide(digits: string | undefined): boolean {
	return Number(digits) >= 1 && Number(digits) <= maxExportSide;
}

const formatOf: Readonly<Record<string, ExportFormat>> = {
	png: 'png',
	webp: 'webp',
	jpeg: 'jpeg',
	jpg: 'jpeg',
};
const formatWords = { png: 'PNG', webp: 'WebP', jpeg: 'JPEG' } as const;
const extensions = { png: '.png', webp: '.webp', jpeg: '.jpg' } as const;
const flags: Readonly<Record<string, Partial<ExportPreset>>> = {
	palette: { palette: true },
	'@2x': { isPair: true },
	norecipe: { isBare: true },
};
