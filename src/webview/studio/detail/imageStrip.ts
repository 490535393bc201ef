import { html, nothing, type TemplateResult } from 'lit';
import type { StudioSlot } from '../../../protocol/studioModel.js';
import { hasModifier } from '../../keys.js';
import { hints } from '../../messages.js';
import { thumbnail } from '../parts.js';
import { besideIn } from '../rounds.js';
import type { StudioStore } from '../store.js';

/** The images of a round beside the one that is open large. */
export function imageStrip(
	store: StudioStore,
	slots: readonly StudioSlot[],
): TemplateResult | typeof nothing {
	return slots.length === 0
		? nothing
		: html`
				<div
					class="strip"
					role="group"
					aria-label="Images of This Round"
					@keydown=${(event: KeyboardEvent) => onKey(store, event)}
				>
					${slots.map((slot) => (slot.kind === 'job' ? coming(slot) : frame(store, slot)))}
				</div>
			`;
}

/**
 * Brings the image that is open large into the middle of the strip; the page stays where it is.
 *
 * @param isFocused true where the focus goes there too
 */
export function centerInStrip(detail: HTMLElement, isFocused: boolean): void {
	const frame = detail.querySelector<HTMLElement>('.frame[aria-current]');
	if (frame !== null) {
		const { offsetLeft, offsetWidth, parentElement: strip } = frame;
		strip?.scrollTo({ left: offsetLeft - (strip.clientWidth - offsetWidth) / 2 });
		if (isFocused) {
			frame.focus({ preventScroll: true });
		}
	}
}

function frame(store: StudioStore, { id, ratio }: StudioSlot): TemplateResult {
	const image = store.library.images.get(id);
	const isCurrent = id === store.view.shown;
	const title = image?.isUnlisted === true ? image.name : image?.title;
	const words = [
		image?.label || undefined,
		title,
		image?.isFavorite === true ? hints.starred : undefined,
	];
	const name = words.filter((word) => word !== undefined).join(', ');
	return html`
		<button
			class="frame"
			tabindex=${isCurrent ? 0 : -1}
			aria-current=${isCurrent ? 'true' : nothing}
			aria-label=${name === '' ? hints.image : name}
			title=${name}
			.style="aspect-ratio: ${ratio}"
			@click=${() => store.view.reveal(id)}
		>
			${thumbnail(store.library, image?.thumbnail) ?? nothing}
			${image && image.label !== '' ? html`<span class="label" aria-hidden="true">${image.label}</span>` : nothing}
		</button>
	`;
}

/** The place of an image that is not there yet. */
function coming({ ratio }: StudioSlot): TemplateResult {
	return html`<span
		class="frame coming"
		title="Not there yet"
		.style="aspect-ratio: ${ratio}"
	></span>`;
}

/** In the strip the arrows stay in the round. */
function onKey({ library, view }: StudioStore, event: KeyboardEvent): void {
	const { shown = '' } = view;
	if (!hasModifier(event) && !event.shiftKey && /^Arrow(Left|Right)$/.test(event.key)) {
		event.preventDefault();
		const by = event.key === 'ArrowLeft' ? -1 : 1;
		const id = besideIn(library.slotsBeside(shown), shown, by);
		if (id !== undefined) {
			view.reveal(id);
		}
	}
}
