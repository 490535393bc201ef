import { html, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { property, query } from 'lit/decorators.js';
import type { Image } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import './easelMenu.js';
import type { EaselMenu } from './easelMenu.js';
import { ask } from './events.js';
import { GalleryActions } from './galleryActions.js';
import './galleryComparison.js';
import './galleryList.js';
import { GalleryNavigation } from './galleryNavigation.js';
import { around, byAge, isSearching, type Gallery, type GalleryView } from './galleryView.js';
import './imageDetail.js';
import { pageStyles } from './page.styles.js';

declare global {
	interface HTMLElementEventMap {
		/** The images that are seen and those around them: no others have to be known. */
		'easel-describe': CustomEvent<readonly string[]>;
	}
}

/** How long nobody types before it is searched, in milliseconds. */
const typingPause = 150;

/**
 * All images of a workspace: as tiles, one closely, or two compared. What it shows it is told. Of
 * the images themselves it needs only those that it has asked for with `easel-describe`.
 *
 * As tiles it is as high as all of them, and its next ancestor that scrolls, or the page, scrolls
 * it; its search stays at the top. The other two views are as high as what is seen.
 */
export class EaselGallery extends LitElement {
	static override readonly styles = pageStyles;

	/** Missing while nothing is known yet. */
	@property({ attribute: false }) accessor gallery: Gallery | undefined;
	/** Those that have been described; another map whenever one of them is another. */
	@property({ attribute: false }) accessor images: ReadonlyMap<string, Image> = new Map();
	@property({ attribute: false }) accessor view: GalleryView = { search: '' };

	@query('easel-menu') private accessor menu!: EaselMenu;

	readonly #actions = new GalleryActions(this, {
		image: (id) => this.images.get(id),
		menu: () => this.menu,
		compare: (id) => void this.#navigation.chooseFor(id),
	});
	readonly #navigation = new GalleryNavigation(this, () => this.#actions.forgetResult());
	#typing: ReturnType<typeof setTimeout> | undefined;
	/** The images that `easel-describe` has named last. */
	#described = '';

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		clearTimeout(this.#typing);
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		if (changed.has('gallery') && this.gallery !== undefined) {
			this.#navigation.follow(changed.get('gallery'), this.gallery);
		}
	}

	protected override updated(changed: PropertyValues<this>): void {
		const { shown, compared, search } = this.view;
		const isFirst = changed.has('gallery') && changed.get('gallery') === undefined;
		if (isFirst && isSearching(this.gallery, search)) {
			// It was restored with what had been searched for.
			ask(this, { type: 'search', text: search });
		}
		if (shown !== undefined) {
			this.#describe(compared === undefined ? around(shown, this.#ids) : [shown, compared]);
		}
	}

	protected override render(): TemplateResult {
		return html`
			${this.#current()}
			<easel-menu @easel-menu-choose=${this.#actions.onChosen}></easel-menu>
		`;
	}

	#current(): TemplateResult {
		const { shown, compared } = this.view;
		if (shown !== undefined && compared !== undefined) {
			return this.#two(byAge(shown, compared, this.images, this.#ids));
		}
		return shown !== undefined ? this.#one(shown) : this.#all();
	}

	#all(): TemplateResult {
		const navigation = this.#navigation;
		return html`
			<easel-gallery-list
				.gallery=${this.gallery}
				.images=${this.images}
				.search=${this.view.search}
				.selected=${navigation.selected}
				.choosingFor=${navigation.choosingFor}
				.result=${this.#actions.result}
				@easel-list-search=${({ detail }: HTMLElementEventMap['easel-list-search']) =>
					this.#search(detail.text, detail.isTyping ? typingPause : 0)}
				@easel-list-compare=${navigation.compareSelected}
				@easel-list-unselect=${navigation.unselect}
				@easel-grid-seen=${({ detail }: CustomEvent<readonly string[]>) => this.#describe(detail)}
				@easel-grid-open=${({ detail }: CustomEvent<string>) => navigation.open(detail)}
				@easel-grid-select=${({ detail }: CustomEvent<string>) => navigation.select(detail)}
				@easel-grid-menu=${this.#actions.openMenu}
			></easel-gallery-list>
		`;
	}

	#one(shown: string): TemplateResult {
		const ids = this.#ids;
		const { result } = this.#actions;
		return html`
			<easel-image-detail
				.image=${this.images.get(shown)}
				.index=${ids.indexOf(shown)}
				.count=${ids.length}
				.result=${result?.id === shown ? result : undefined}
				@easel-detail-back=${this.#navigation.showAll}
				@easel-detail-step=${({ detail }: CustomEvent<-1 | 1>) => this.#navigation.step(detail)}
				@easel-detail-action=${({ detail }: HTMLElementEventMap['easel-detail-action']) =>
					this.#actions.run(shown, detail)}
				@easel-detail-more=${({ detail }: HTMLElementEventMap['easel-detail-more']) =>
					this.#actions.openMore(shown, detail)}
			></easel-image-detail>
		`;
	}

	#two(ids: readonly [string, string]): TemplateResult {
		return html`
			<easel-gallery-comparison
				.ids=${ids}
				.images=${this.images}
				@easel-comparison-back=${this.#navigation.leaveComparison}
			></easel-gallery-comparison>
		`;
	}

	get #ids(): readonly string[] {
		return this.gallery?.ids ?? [];
	}

	#search(text: string, after: number): void {
		this.#actions.forgetResult();
		this.#navigation.change({ search: text });
		clearTimeout(this.#typing);
		this.#typing = setTimeout(() => ask(this, { type: 'search', text }), after);
	}

	/** Asks for what is to be known of these images, unless that was asked for last. */
	#describe(ids: readonly string[]): void {
		const described = ids.join();
		if (described !== this.#described) {
			this.#described = described;
			dispatch(this, 'easel-describe', ids);
		}
	}
}

customElements.define('easel-gallery', EaselGallery);
