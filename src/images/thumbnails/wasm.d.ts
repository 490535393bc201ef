// The types of the codecs, as far as they are used. Their own ones need the DOM's.

/** The build puts the file beside the bundle; this is its path from there. */
declare module '*.wasm' {
	const path: string;
	export default path;
}

// These two have types of what is in them.
declare module '@jsquash/oxipng/codec/pkg/squoosh_oxipng_bg.wasm' {
	const path: string;
	export default path;
}

declare module '@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm' {
	const path: string;
	export default path;
}

declare module '@jsquash/jpeg/codec/dec/mozjpeg_dec.js' {
	const open: import('./codecs.js').Codec<{
		decode(file: Uint8Array, turned: boolean): import('./shrink.js').Pixels | null;
	}>;
	export default open;
}

declare module '@jsquash/webp/codec/dec/webp_dec.js' {
	const open: import('./codecs.js').Codec<{
		decode(file: Uint8Array): import('./shrink.js').Pixels | null;
	}>;
	export default open;
}

declare module '@jsquash/jpeg/codec/enc/mozjpeg_enc.js' {
	const open: import('./codecs.js').Codec<import('./codecs.js').Encoder>;
	export default open;
}

declare module '@jsquash/jpeg/meta.js' {
	export const defaultOptions: Readonly<Record<string, unknown>>;
}

declare module '@jsquash/webp/codec/enc/webp_enc.js' {
	const open: import('./codecs.js').Codec<import('./codecs.js').Encoder>;
	export default open;
}

declare module '@jsquash/webp/meta.js' {
	export const defaultOptions: Readonly<Record<string, unknown>>;
}

declare module '@jsquash/oxipng/codec/pkg/squoosh_oxipng.js' {
	export function initSync(code: WebAssembly.Module): unknown;
	export function optimise_raw(
		data: Uint8ClampedArray,
		width: number,
		height: number,
		level: number,
		interlace: boolean,
		optimizeAlpha: boolean,
	): Uint8Array;
}

declare module '@jsquash/resize/lib/resize/pkg/squoosh_resize.js' {
	export function initSync(code: WebAssembly.Module): unknown;
	export function resize(
		data: Uint8Array,
		fromWidth: number,
		fromHeight: number,
		width: number,
		height: number,
		filter: number,
		premultiply: boolean,
		linear: boolean,
	): Uint8ClampedArray;
}

declare module 'gifenc' {
	/** Returns colors of three or four numbers; the fourth is alpha. */
	export function quantize(
		rgba: Uint8Array | Uint8ClampedArray,
		maxColors: number,
		options: { readonly format: 'rgb565' | 'rgba4444'; readonly clearAlpha: boolean },
	): readonly (readonly number[])[];
}

declare namespace WebAssembly {
	class Module {
		constructor(bytes: Uint8Array);
	}
	class Instance {
		constructor(module: Module, imports: object);
		readonly exports: Readonly<Record<string, unknown>>;
	}
	class Memory {
		private constructor();
		readonly buffer: ArrayBuffer;
		/** @param pages of 64 KiB */
		grow(pages: number): number;
	}
}
