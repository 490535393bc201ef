import type { MakeProblem } from '../thumbnails/order.js';

export const exportFormats = ['png', 'webp', 'jpeg'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** The file that an export makes of an image. */
export interface ExportOptions {
	readonly format: ExportFormat;
	/**
	 * In pixels. One of the two keeps the ratio, both are a box. An image is made larger only by
	 * `cover`.
	 */
	readonly width?: number | undefined;
	readonly height?: number | undefined;
	/** `inside`, the default: the whole image within the box. `cover`: exactly the box, the rest cut off. */
	readonly fit?: 'inside' | 'cover' | undefined;
	/** Part of the image that `cover` keeps, from 0 (left, top) to 1; the middle by default. */
	readonly focus?: { readonly x: number; readonly y: number } | undefined;
	/** The most bytes that the file may have; its quality is lowered for that, down to a limit. */
	readonly maxBytes?: number | undefined;
	/** Quality of a WebP or JPEG, 1 to 100; 80 by default. */
	readonly quality?: number | undefined;
	/** A PNG with at most 256 colors. With `maxBytes`, a PNG gets a palette where it has to. */
	readonly palette?: boolean | undefined;
}

/** In pixels, of either side of an export. */
export const maxExportSide = 8192;

export interface ExportOrder extends ExportOptions {
	/** Absolute path of the image. */
	readonly path: string;
	/** The most memory that a decoder may take, in bytes. */
	readonly memoryLimit: number;
}

/** An exported file. */
export interface Exported {
	readonly bytes: Uint8Array;
	/** In pixels. */
	readonly width: number;
	readonly height: number;
	/** The chosen quality of a WebP or JPEG; the colors of a PNG with a palette. */
	readonly quality: number | undefined;
	/** True where transparent parts of the image are white, because the format has none. */
	readonly isFlattened: boolean;
}

/** `reached`: the fewest bytes that the lowest quality gives. */
export type ExportAnswer =
	| { readonly exported: Exported }
	| { readonly reached: number }
	| { readonly problem: MakeProblem; readonly detail: string };
