import { css, html, type TemplateResult } from 'lit';
import type { SizeOption } from '../../protocol/studio.js';
import type { Size } from '../geometry.js';
import { hints } from '../messages.js';

/** Of the longest edge, in CSS pixels: what has twice the pixels on it is a step longer. */
const edgeOf1024 = 14;
const step = 4;

/** Returns how large a size is drawn, in CSS pixels; `undefined` where the service chooses it. */
export function pictureOf(size: string): Size | undefined {
	const [width, height] = size.split('x').map(Number);
	if (width === undefined || height === undefined) {
		return undefined;
	}
	const longest = Math.max(width, height);
	const edge = edgeOf1024 + step * Math.log2(longest / 1024);
	const scale = Math.max(edge, 6) / longest;
	// Halves are drawn sharply where it matters, and keep the ratio.
	const drawn = (length: number) => Math.round(length * scale * 2) / 2;
	return { width: drawn(width), height: drawn(height) };
}

/** Draws a size, in a square that is the same for all of them. */
export function sizePicture(size: string): TemplateResult {
	const picture = pictureOf(size);
	return html`
		<span class="size-picture" aria-hidden="true">
			${
				picture === undefined
					? html`<span class="box automatic"></span>`
					: html`<span
							class="box"
							.style="width: ${picture.width}px; height: ${picture.height}px"
						></span>`
			}
		</span>
	`;
}

export const sizePictureStyles = css`
	.size-picture {
		flex: none;
		display: grid;
		place-content: center;
		width: 22px;
		height: 22px;
	}

	.box {
		box-sizing: border-box;
		border: 1.5px solid currentcolor;
		border-radius: 2px;
	}

	.box.automatic {
		width: 14px;
		height: 14px;
		border-style: dashed;
	}
`;

/** What a size is called, and what kind of picture it is. */
export function namesOf({ size, ratio }: SizeOption): readonly [name: string, kind: string] {
	if (size === 'auto') {
		return ['any ratio', hints.automatic];
	}
	return [size.replace('x', ' × '), ratio];
}
