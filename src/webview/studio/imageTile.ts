import { html, nothing, type TemplateResult } from 'lit';
import type { Image } from '../../protocol/studio.js';
import { rectangleStyle, type Rectangle } from '../geometry.js';
import { codicon } from '../codicon.js';
import { captionHeight } from './streamLayout.js';
import { beginningOf, shortened } from './prompts.js';
import { hints, labels } from '../messages.js';

interface Tile {
	readonly id: string;
	/** Missing while it is not known yet. */
	readonly image: Image | undefined;
	readonly place: Rectangle;
	/** Whether its prompt stands nowhere else: it is another than its neighbors', or their line is short. */
	readonly hasOwnPrompt: boolean;
	readonly isSelected: boolean;
	/** Whether the tab key leads to it, and to its buttons. */
	readonly isTabStop: boolean;
	/** Missing where none can be shown. */
	readonly thumbnail: TemplateResult | undefined;
	readonly keep: (kept: boolean) => void;
	readonly edit: () => void;
}

/** An image that is there, as a cell of the grid. */
export function imageTile(tile: Tile): TemplateResult {
	const { id, image, place, isSelected, isTabStop } = tile;
	return html`
		<div
			class="tile image"
			role="gridcell"
			tabindex=${isTabStop ? 0 : -1}
			aria-selected=${isSelected ? 'true' : 'false'}
			aria-label=${image === undefined ? hints.loading : nameOf(image, tile)}
			title=${image?.note ?? image?.name ?? nothing}
			data-cell=${id}
			.style=${rectangleStyle(place)}
		>
			<span class="picture" .style="height: ${place.height - captionHeight}px">
				${pictureOf(tile)}
			</span>
			<span class="caption">${image === undefined ? nothing : captionOf(image, tile)}</span>
			<span class="check" aria-hidden="true"></span>
		</div>
	`;
}

/** What a screen reader says of it: what is seen comes first, as it is seen. */
function nameOf(image: Image, tile: Tile): string {
	const { label, kept, title, prompt, details, exists } = image;
	const words = wordsOf(image, tile);
	return [
		...(exists ? [] : [hints.notFound]),
		words === '' ? label : `${label} ${words}`,
		...(kept ? [hints.starred] : []),
		...(words === '' && title === undefined ? [shortened(beginningOf(prompt), 60)] : []),
		details,
	].join(' · ');
}

/** What stands beside its label. */
function wordsOf({ title, prompt }: Image, { hasOwnPrompt }: Tile): string {
	return title ?? (hasOwnPrompt ? beginningOf(prompt) : '');
}

function captionOf(image: Image, tile: Tile): TemplateResult {
	const { label, kept, exists } = image;
	const { isTabStop, keep, edit } = tile;
	return html`
		<span class="label">${label}</span>
		<span class="name" dir="auto">${wordsOf(image, tile)}</span>
		${
			exists
				? html`<button
						class="icon edit"
						tabindex=${isTabStop ? 0 : -1}
						aria-label="Edit ${label}"
						title="Edit (E)"
						@click=${edit}
					>
						${codicon('edit')}
					</button>`
				: nothing
		}
		<button
			class="icon keep"
			tabindex=${isTabStop ? 0 : -1}
			aria-pressed=${kept ? 'true' : 'false'}
			aria-label=${labels.starImage(label)}
			title="${kept ? labels.removeStar : labels.star} (K)"
			@click=${() => keep(!kept)}
		>
			${codicon(kept ? 'star-full' : 'star-empty')}
		</button>
	`;
}

function pictureOf({ image, thumbnail }: Tile): TemplateResult | typeof nothing {
	if (image === undefined) {
		return nothing;
	}
	if (!image.exists) {
		return html`<span class="missing">${codicon('circle-slash')} ${hints.notFound}</span>`;
	}
	return thumbnail ?? codicon('file-media');
}
