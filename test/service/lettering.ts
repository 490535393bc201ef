import { createRequire } from 'node:module';
import { GlobalFonts } from '@napi-rs/canvas';

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
