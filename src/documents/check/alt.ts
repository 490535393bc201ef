import type { FoundImage } from '../findImages.js';

/**
 * Alternative text of an image: `decorative` where the document says that it has none on purpose,
 * `unknown` where only a program knows it, or a caption stands for it.
 */
export type Alt =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'none' | 'decorative' | 'unknown' };

/** An image as the finder of a format returns it; its path is decoded by the format's own rules. */
export interface PlainImage {
	readonly span: FoundImage['span'];
	/** Span of the path as it is written. */
	readonly path: FoundImage['span'];
	readonly href: string;
	readonly alt: Alt;
	readonly caption?: string | undefined;
}

/** Returns the alternative text for what stands where one belongs. */
export function altOf(written: string | undefined): Alt {
	if (written === undefined) {
		return { type: 'none' };
	}
	const text = written.replace(/\s+/g, ' ').trim();
	return text === '' ? { type: 'decorative' } : { type: 'text', text };
}
