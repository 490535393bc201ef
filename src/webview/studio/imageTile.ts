import { html, nothing, type TemplateResult } from 'lit';
import type { Image } from '../../protocol/studio.js';
import { rectangleStyle, type Rectangle } from '../geometry.js';
import { icon } from '../icon.js';
import { beginningOf } from './prompts.js';

interface Tile {
	readonly id: string;
	/** Missing while it is not known yet. */
	readonly image: Image | undefined;
	/** Its place among all, from 0, and how many there are. */
	readonly index: number;
	readonly count: number;
	readonly place: Rectangle;
	readonly isSelected: boolean;
	/** Whether the tab key leads to it. */
	readonly isTabStop: boolean;
	/** Missing where none can be shown. */
	readonly thumbnail: TemplateResult | undefined;
}

/** One image in the grid. */
export function imageTile(tile: Tile): TemplateResult {
	const { id, image, index, count, place, isSelected, isTabStop } = tile;
	return html`
		<div
			class="tile"
			role="option"
			tabindex=${isTabStop ? 0 : -1}
			aria-selected=${isSelected ? 'true' : 'false'}
			aria-setsize=${count}
			aria-posinset=${index + 1}
			title=${image?.name ?? nothing}
			data-id=${id}
			.style=${rectangleStyle(place)}
		>
			${pictureOf(tile)}
			<span class="prompt" dir="auto"
				>${image === undefined ? nothing : beginningOf(image.prompt)}</span
			>
			<span class="hidden">${image === undefined ? 'Loading…' : image.details}</span>
			<span class="check" aria-hidden="true"></span>
		</div>
	`;
}

/** Returns the identifier of the image on whose tile something is. */
export function idOf(target: EventTarget | null): string | undefined {
	return target instanceof Element
		? target.closest<HTMLElement>('.tile')?.dataset['id']
		: undefined;
}

function pictureOf({ image, thumbnail }: Tile): TemplateResult {
	if (image === undefined) {
		return html`<span class="picture"></span>`;
	}
	if (!image.exists) {
		return html` <span class="picture missing"> ${notFound} Not found </span> `;
	}
	return html`<span class="picture">${thumbnail ?? noPicture}</span>`;
}

const notFound = icon('M8 2.5A5.5 5.5 0 1 0 8 13.5A5.5 5.5 0 1 0 8 2.5M4.2 4.2L11.8 11.8');
const noPicture = icon('M2.5 3.5H13.5V12.5H2.5ZM2.5 10.5L6 7L9 10L11 8.5L13.5 11');
