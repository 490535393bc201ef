import type { Quality, Size } from '../service/contract.js';
import { preview } from '../messages.js';

/** A request before it is sent, as the preview shows it. */
export interface PreviewedRequest {
	/** The whole of it, with the style. */
	readonly prompt: string;
	/** In the order in which they are sent. */
	readonly references: readonly {
		readonly path: string;
		/** `marked`: a copy of the image before it with the marks drawn on it. */
		readonly part: 'own' | 'marked' | 'style';
	}[];
	/** The picture that the service lays over the first of them. */
	readonly overlay?: 'markup' | 'mask';
	readonly size: Size;
	/** As it is sent, if it is. */
	readonly quality: Quality | undefined;
	/** True where the service takes none with these reference images. */
	readonly isQualityIgnored?: boolean;
	readonly isTransparent?: boolean;
	readonly count: number;
	/** Cost of all of them, where that is known. */
	readonly money?: string | undefined;
	/** The path of the style guide, or in words that there is none. */
	readonly style: string;
}

/** The last line above a prompt: all below it is sent as it is. */
export const promptHeading = preview.prompt;

export function requestPreviewText(all: readonly PreviewedRequest[]): string {
	const parts = all.map((sent, index) => {
		const heading = all.length === 1 ? [] : [preview.image(index + 1, all.length)];
		return [...heading, ...linesOf(sent), '', promptHeading, sent.prompt].join('\n');
	});
	return [preview.intro, ...parts].join('\n\n');
}

function linesOf(sent: PreviewedRequest): string[] {
	const { references, size, quality, isQualityIgnored = false, count, money, style } = sent;
	const { isTransparent = false, overlay } = sent;
	const { length } = references;
	return [
		preview.request(length),
		preview.size(size),
		preview.quality(isQualityIgnored ? preview.qualityIgnored : (quality ?? preview.qualityUnset)),
		...(isTransparent ? [preview.background] : []),
		preview.images(count, money),
		preview.styleGuide(style),
		...references.map(({ path, part }, index) => preview.reference(index + 1, path, part)),
		...(overlay === undefined ? [] : [preview.overlay[overlay]]),
	];
}
