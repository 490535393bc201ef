import { html, LitElement, type TemplateResult } from 'lit';
import { property, query } from 'lit/decorators.js';
import type { Picture, Side } from '../../protocol/compare.js';
import type { Image } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import '../easelCompare.js';
import { backButton } from './backButton.js';
import { ask } from './events.js';
import { styles } from './galleryComparison.styles.js';
import { pageStyles } from './page.styles.js';

declare global {
	interface HTMLElementEventMap {
		'easel-comparison-back': CustomEvent<undefined>;
	}
}

/** Two images of the gallery beside each other, with the way back. As high as what is seen. */
export class GalleryComparison extends LitElement {
	static override readonly styles = [pageStyles, styles];

	/** The two images, the left one first. */
	@property({ attribute: false }) accessor ids: readonly [string, string] = ['', ''];
	@property({ attribute: false }) accessor images: ReadonlyMap<string, Image> = new Map();

	@query('.back') private accessor back!: HTMLElement;

	/** Gives the focus to what leads back. */
	async focusWithin(): Promise<void> {
		await this.updateComplete;
		this.back.focus({ preventScroll: true });
	}

	protected override render(): TemplateResult {
		const [left, right] = this.ids;
		return html`
			<div class="comparison" @keydown=${this.#onKey}>
				<div class="top toolbar">
					${backButton(this.#goBack)}
					<h2 class="hidden">Compare Images</h2>
				</div>
				<easel-compare
					.left=${pictureOf(this.images.get(left))}
					.right=${pictureOf(this.images.get(right))}
					@easel-compare-undecodable=${({ detail: side }: CustomEvent<Side>) =>
						ask(this, { type: 'undecodable', id: side === 'left' ? left : right })}
				></easel-compare>
			</div>
		`;
	}

	readonly #goBack = (): void => {
		dispatch(this, 'easel-comparison-back', undefined);
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.key === 'Escape' && !event.defaultPrevented) {
			event.preventDefault();
			this.#goBack();
		}
	};
}

customElements.define('easel-gallery-comparison', GalleryComparison);

/** @param image missing while it is not known yet */
function pictureOf(image: Image | undefined): Picture | undefined {
	if (image === undefined) {
		return undefined;
	}
	const { name, source, width, height, details, exists } = image;
	if (!exists) {
		return { type: 'problem', name, message: `“${name}” is not where it was saved.` };
	}
	return source === undefined
		? { type: 'problem', name, message: `“${name}” lies outside of this workspace.` }
		: { type: 'image', name, source, width, height, details };
}
