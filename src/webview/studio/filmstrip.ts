import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query } from 'lit/decorators.js';
import type { Image, Slot } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import { hasModifier } from '../keys.js';
import { styles } from './filmstrip.styles.js';
import { besideIn, stripAround } from './lineage.js';
import { pageStyles } from './page.styles.js';
import { Thumbnails } from './thumbnails.js';
import { hints } from '../messages.js';

/** The images of a round in a row, to go from one to another. Nothing where there is only one. */
export class Filmstrip extends LitElement {
	static override readonly styles = [pageStyles, styles];

	@property({ attribute: false }) accessor slots: readonly Slot[] = [];
	@property({ attribute: false }) accessor images: ReadonlyMap<string, Image> = new Map();
	/** The image that is shown large. */
	@property() accessor current = '';

	@query('[aria-current]') private accessor shown!: HTMLElement | null;

	readonly #thumbnails = new Thumbnails(this);
	/** Whether what is shown next gets the focus: one of the strip had it. */
	#hadFocus = false;

	protected override willUpdate(): void {
		this.#hadFocus = this.shadowRoot?.activeElement != null;
	}

	protected override updated(changed: PropertyValues<this>): void {
		if (changed.has('current') && this.shown !== null) {
			// Within the strip alone: the page stays where it is.
			const { offsetLeft, offsetWidth, parentElement: list } = this.shown;
			list?.scrollTo({ left: offsetLeft - (list.clientWidth - offsetWidth) / 2 });
			if (this.#hadFocus) {
				this.shown.focus({ preventScroll: true });
			}
		}
	}

	protected override render(): TemplateResult | typeof nothing {
		const slots = stripAround(this.slots, this.current);
		if (slots.length === 0) {
			return nothing;
		}
		return html`
			<div class="strip" role="group" aria-label="Images of This Round" @keydown=${this.#onKey}>
				${slots.map((slot) => (slot.kind === 'job' ? coming(slot) : this.#frame(slot)))}
			</div>
		`;
	}

	#frame({ id, ratio }: Slot): TemplateResult {
		const image = this.images.get(id);
		const isCurrent = id === this.current;
		const words = [image?.label, image?.title, image?.kept === true ? hints.starred : undefined];
		const name = words.filter((word) => word !== undefined).join(', ');
		return html`
			<button
				class="frame"
				tabindex=${isCurrent ? 0 : -1}
				aria-current=${isCurrent ? 'true' : nothing}
				aria-label=${name === '' ? hints.image : name}
				title=${name}
				.style="aspect-ratio: ${ratio}"
				@click=${() => this.#show(id)}
			>
				${this.#thumbnails.image(image?.thumbnail) ?? nothing}
				<span class="label" aria-hidden="true">${image?.label ?? ''}</span>
			</button>
		`;
	}

	#show(id: string): void {
		if (id !== this.current) {
			dispatch(this, 'easel-detail-show', id);
		}
	}

	/** In the strip the arrows stay in the round. */
	readonly #onKey = (event: KeyboardEvent): void => {
		if (hasModifier(event) || event.shiftKey || !/^Arrow(Left|Right)$/.test(event.key)) {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
		const id = besideIn(this.slots, this.current, event.key === 'ArrowLeft' ? -1 : 1);
		if (id !== undefined) {
			this.#show(id);
		}
	};
}

customElements.define('easel-filmstrip', Filmstrip);

/** The place of an image that is not there yet. */
function coming({ ratio }: Slot): TemplateResult {
	return html`<span
		class="frame coming"
		title="Not there yet"
		.style="aspect-ratio: ${ratio}"
	></span>`;
}
