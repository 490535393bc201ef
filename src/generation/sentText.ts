import type { Quality, Size } from '../service/contract.js';

/** A request before it is sent, as a person reads it. */
export interface Sent {
	/** The whole of it, with the style. */
	readonly prompt: string;
	/** In the order in which they are sent. */
	readonly references: readonly { readonly path: string; readonly isOfStyle: boolean }[];
	readonly size: Size;
	readonly quality: Quality | 'unset';
	/** How many images are asked for with it. */
	readonly count: number;
	/** The path of the style guide, or in words that there is none. */
	readonly style: string;
}

/** The last line above a prompt: all below it is sent as it stands. */
export const promptHeading = 'Prompt, from the next line on:';

/** All that is sent for images, in plain text. */
export function sentText(all: readonly Sent[]): string {
	const parts = all.map((sent, index) => {
		const heading = all.length === 1 ? [] : [`Image ${String(index + 1)} of ${String(all.length)}`];
		return [...heading, ...linesOf(sent), '', promptHeading, sent.prompt].join('\n');
	});
	return ['What goes to the image service. Nothing has been sent yet.', ...parts].join('\n\n');
}

function linesOf({ references, size, quality, count, style }: Sent): string[] {
	const { length } = references;
	return [
		length === 0
			? 'Request: a new image'
			: `Request: an edit with ${length === 1 ? '1 reference image' : `${String(length)} reference images`}`,
		`Size: ${size}`,
		`Quality: ${
			length > 0
				? 'not sent, because the service takes none with reference images'
				: quality === 'unset'
					? 'not sent, so the service chooses'
					: quality
		}`,
		`Images: ${count === 1 ? '1 paid request' : `${String(count)} paid requests, all alike`}`,
		`Style guide: ${style}`,
		...references.map(
			({ path, isOfStyle }, index) =>
				`Reference image ${String(index + 1)}: ${path}${isOfStyle ? ' (of the style guide)' : ''}`,
		),
	];
}
