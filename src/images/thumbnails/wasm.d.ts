// The types of the codecs, as far as they are used. Their own ones need the DOM's.

/** The build puts the file beside the bundle; this is its path from there. */
declare module '*.wasm' {
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
