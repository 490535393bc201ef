import '@vscode-elements/elements/dist/vscode-icon/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import type { Image } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import { observeSize } from '../observeSize.js';
import { emptyGallery } from './emptyGallery.js';
import { styles } from './galleryList.styles.js';
import { isSearching, type Gallery } from './galleryView.js';
import './imageGrid.js';
import type { ImageGrid } from './imageGrid.js';
import { buttonStyles, pageStyles } from './page.styles.js';
import { resultLines, type Result } from './result.js';

declare global {
	interface HTMLElementEventMap {
		/** Another text is searched for. While it is being typed, more of it may come. */
		'easel-list-search': CustomEvent<{ readonly text: string; readonly isTyping: boolean }>;
		/** The two that are selected are to be compared. */
		'easel-list-compare': CustomEvent<undefined>;
		/** Neither are images selected any more, nor is one chosen for `choosingFor`. */
		'easel-list-unselect': CustomEvent<undefined>;
	}
}

/**
 * All images as tiles, with the search above them, which stays at the top of what is scrolled. What
 * is shown and selected it is told; what the user wants it says in events.
 */
export class GalleryList extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles];

	/** Missing while nothing is known yet. */
	@property({ attribute: false }) accessor gallery: Gallery | undefined;
	@property({ attribute: false }) accessor images: ReadonlyMap<string, Image> = new Map();
	/** What is searched for. */
	@property({ attribute: false }) accessor search = '';
	/** The images that were selected to be compared, at most two. */
	@property({ attribute: false }) accessor selected: readonly string[] = [];
	/** The image that another one is being chosen for. */
	@property({ attribute: false }) accessor choosingFor: string | undefined;
	/** What has come of what the page did itself. */
	@property({ attribute: false }) accessor result: Result | undefined;

	/** Of the bar, in pixels: it lies over the tiles. */
	@state() private accessor barHeight = 0;

	@query('easel-image-grid') private accessor grid!: ImageGrid | null;
	@query('vscode-textfield') private accessor field!: VscodeTextfield;
	@query('.bar') private accessor bar!: HTMLElement;

	constructor() {
		super();
		observeSize(
			this,
			() => this.bar,
			() => this.#measureBar(),
		);
	}

	/** Waits until it knows how much room there is. */
	async standing(): Promise<void> {
		while (!(await this.updateComplete)) {
			// The bar is measured only after it has been there, which leads to another update.
		}
		await this.grid?.standing();
	}

	/** Gives the focus to an image, where there is none such to the one with the tab stop. */
	async focusImage(id: string | undefined): Promise<void> {
		await this.updateComplete;
		await this.grid?.focusImage(id);
	}

	async focusSearch(): Promise<void> {
		await this.updateComplete;
		this.field.focus();
	}

	/** Begins anew, at the first image. */
	reset(): void {
		this.grid?.reset();
	}

	protected override firstUpdated(): void {
		this.#measureBar();
	}

	protected override render(): TemplateResult {
		const { gallery, choosingFor } = this;
		return html`
			<div class="bar" @keydown=${this.#onKey}>
				<div class="row">
					<h2>Gallery</h2>
					<p class="count quiet" role="status">${countWords(gallery, this.search)}</p>
					<vscode-textfield
						label="Search by prompt"
						placeholder="Search by prompt"
						.value=${this.search}
						@input=${this.#onType}
					>
						<vscode-icon slot="content-before" name="search"></vscode-icon>
						${this.#clearButton()}
					</vscode-textfield>
				</div>
				${this.#banner()} ${resultLines(this.result)}
			</div>
			${
				gallery !== undefined && gallery.ids.length > 0
					? html`
							<easel-image-grid
								.ids=${gallery.ids}
								.images=${this.images}
								.selected=${choosingFor === undefined ? this.selected : [choosingFor]}
								.covered=${this.barHeight}
								label=${choosingFor === undefined ? 'Images' : 'Choose the image to compare with'}
								@keydown=${this.#onKey}
							></easel-image-grid>
						`
					: emptyGallery(gallery, this.#clearSearch)
			}
		`;
	}

	#clearButton(): TemplateResult | typeof nothing {
		if (this.search === '') {
			return nothing;
		}
		return html`<button
			slot="content-after"
			class="icon"
			aria-label="Clear Search"
			title="Clear Search (Escape)"
			@click=${this.#clearSearch}
		>
			<vscode-icon name="close"></vscode-icon>
		</button>`;
	}

	/** What is said while two images are being chosen. */
	#banner(): TemplateResult | typeof nothing {
		if (this.choosingFor !== undefined) {
			const name = this.images.get(this.choosingFor)?.name ?? 'the first one';
			return html`
				<div class="banner" role="group" aria-label="Compare">
					<span class="words">Choose the image to compare with <bdi>${name}</bdi>.</span>
					<button @click=${this.#unselect}>Cancel</button>
				</div>
			`;
		}
		if (this.selected.length === 0) {
			return nothing;
		}
		const both = this.selected.length === 2;
		return html`
			<div class="banner" role="group" aria-label="Compare">
				<span class="words">
					${both ? 'Two images selected.' : 'One image selected. Select another one to compare.'}
				</span>
				${
					both
						? html`<button
								class="primary"
								@click=${() => dispatch(this, 'easel-list-compare', undefined)}
							>
								Compare
							</button>`
						: nothing
				}
				<button @click=${this.#unselect}>Clear Selection</button>
			</div>
		`;
	}

	#measureBar(): void {
		this.barHeight = this.bar.offsetHeight;
	}

	// --- What the user does

	readonly #onType = (): void => {
		dispatch(this, 'easel-list-search', { text: this.field.value, isTyping: true });
	};

	readonly #clearSearch = (): void => {
		dispatch(this, 'easel-list-search', { text: '', isTyping: false });
		void this.focusSearch();
	};

	readonly #unselect = (): void => {
		const first = this.choosingFor ?? this.selected[0];
		dispatch(this, 'easel-list-unselect', undefined);
		void this.focusImage(first);
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.key !== 'Escape' || event.defaultPrevented) {
			return;
		}
		const undo = this.#undoFor(event.target);
		if (undo !== undefined) {
			event.preventDefault();
			undo();
		}
	};

	/** What Escape takes back: one thing at a time, of the field what stands in it. */
	#undoFor(target: EventTarget | null): (() => void) | undefined {
		if (target === this.field && this.search !== '') {
			return this.#clearSearch;
		}
		if (this.choosingFor !== undefined || this.selected.length > 0) {
			return this.#unselect;
		}
		return this.search === '' ? undefined : this.#clearSearch;
	}
}

customElements.define('easel-gallery-list', GalleryList);

function countWords(gallery: Gallery | undefined, search: string): string {
	if (gallery === undefined || gallery.total === 0 || isSearching(gallery, search)) {
		return '';
	}
	const { ids, total } = gallery;
	const all = `${total} ${total === 1 ? 'image' : 'images'}`;
	return search === '' ? all : `${ids.length} of ${all}`;
}
