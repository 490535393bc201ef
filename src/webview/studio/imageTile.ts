import { html, nothing, type TemplateResult } from 'lit';
import type { Image } from '../../protocol/studio.js';
import { codicon } from '../codicon.js';
import { hints, labels } from '../messages.js';
import { beginningOf, shortened } from './prompts.js';
import type { StudioStore } from './store.js';
import { thumbnail } from './thumbnail.js';

interface Tile {
	readonly id: string;
	/** Width to height of its picture. */
	readonly ratio: number;
	/** Whether its prompt stands nowhere else: its neighbors have others. */
	readonly hasOwnPrompt: boolean;
	/** Whether the tab key leads to it, and to its buttons. */
	readonly isTabStop: boolean;
}

/** An image that exists, as a cell of the grid. */
export function imageTile(store: StudioStore, tile: Tile): TemplateResult {
	const { id, ratio, isTabStop } = tile;
	const image = store.images.get(id);
	return html`
		<div
			class="tile image"
			role="gridcell"
			tabindex=${isTabStop ? 0 : -1}
			aria-selected=${store.selection.ids.has(id) ? 'true' : 'false'}
			aria-label=${image === undefined ? hints.loading : nameOf(image, tile)}
			title=${image?.note ?? image?.name ?? nothing}
			data-cell=${id}
			draggable=${image?.uri === undefined ? 'false' : 'true'}
			@dragstart=${(event: DragEvent) => onDragStart(event, image)}
		>
			<span class="picture" .style=${pictureStyle(ratio)}>${pictureOf(store, image)}</span>
			<span class="caption">${image === undefined ? nothing : captionOf(store, image, tile)}</span>
			<span class="check" aria-hidden="true"></span>
		</div>
	`;
}

/** The place of a picture: the same before and after the image is there. */
export function pictureStyle(ratio: number): string {
	return `aspect-ratio: ${String(ratio)}`;
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

function captionOf(store: StudioStore, image: Image, tile: Tile): TemplateResult {
	const { id, label, kept, exists } = image;
	const tab = tile.isTabStop ? 0 : -1;
	return html`
		<span class="label">${label}</span>
		<span class="name" dir="auto">${wordsOf(image, tile)}</span>
		${
			exists
				? html`<button
						class="icon edit"
						tabindex=${tab}
						aria-label="Edit ${label}"
						title="Edit (E)"
						@click=${() => void store.ask({ type: 'image', id, action: 'edit' })}
					>
						${codicon('edit')}
					</button>`
				: nothing
		}
		<button
			class="icon star"
			tabindex=${tab}
			aria-pressed=${kept ? 'true' : 'false'}
			aria-label=${labels.starImage(label)}
			title="${kept ? labels.removeStar : labels.star} (K)"
			@click=${() => store.star([id], !kept)}
		>
			${codicon(kept ? 'star-full' : 'star-empty')}
		</button>
	`;
}

function pictureOf(store: StudioStore, image: Image | undefined): TemplateResult | typeof nothing {
	if (image === undefined) {
		return nothing;
	}
	if (!image.exists) {
		return html`<span class="missing">${codicon('circle-slash')} ${hints.notFound}</span>`;
	}
	return thumbnail(store, image.thumbnail) ?? codicon('file-media');
}

/** What a tile of this page that is dragged has beside its URI. */
export const ownImageType = 'application/x-easel-image';

/**
 * Lets an image be dropped into a document or the explorer: the workbench takes a list of URIs
 * (RFC 2483, part 5), the explorer its own name for one.
 */
function onDragStart({ dataTransfer }: DragEvent, image: Image | undefined): void {
	if (dataTransfer !== null && image?.uri !== undefined) {
		dataTransfer.effectAllowed = 'copy';
		for (const type of ['text/uri-list', 'application/vnd.code.uri-list']) {
			dataTransfer.setData(type, image.uri);
		}
		dataTransfer.setData(ownImageType, image.id);
		dataTransfer.setData('ResourceURLs', JSON.stringify([image.uri]));
	}
}
