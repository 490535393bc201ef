import { html, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import type { Image, ImageAction } from '../../protocol/studio.js';
import { EventfulElement } from '../eventfulElement.js';
import { pageStyles } from './controls.styles.js';
import './easelMenu.js';
import type { EaselMenu } from './easelMenu.js';
import { GalleryActs } from './galleryActs.js';
import './galleryComparison.js';
import type { GalleryComparison } from './galleryComparison.js';
import './galleryList.js';
import type { GalleryList, GalleryListEvents } from './galleryList.js';
import {
	around,
	byAge,
	isSearching,
	toggled,
	viewWithout,
	type Gallery,
	type GalleryView,
} from './galleryView.js';
import './imageDetail.js';
import type { ImageDetail, ImageDetailEvents } from './imageDetail.js';
import type { ImageGridEvents } from './imageGrid.js';
import { scrollAreaOf, scrollToEdge } from './scrollArea.js';

export interface EaselGalleryEvents {
	/** The images that are seen and those around them: no others have to be known. */
	'easel-describe': CustomEvent<readonly string[]>;
	'easel-search': CustomEvent<string>;
	'easel-image-action': CustomEvent<{ readonly id: string; readonly action: ImageAction }>;
	/** The user looks at something else; `view` has it already. */
	'easel-view-change': CustomEvent<GalleryView>;
	/** The browser could not decode an image. A new `source` is tried anew. */
	'easel-undecodable': CustomEvent<string>;
}

/** How long nobody types before it is searched, in milliseconds. */
const typingPause = 150;

/**
 * All images of a workspace: as tiles, one closely, or two compared. What it shows it is told; what
 * the user wants it says in events. Of the images themselves it needs only those that it has asked
 * for with `easel-describe`.
 *
 * As tiles it is as high as all of them, and its next ancestor that scrolls, or the page, scrolls
 * it; its search stays at the top. The other two views are as high as what is seen: `100vh`, or
 * `--easel-gallery-height` where the page has something else beside it.
 */
export class EaselGallery extends EventfulElement<EaselGalleryEvents> {
	static override readonly styles = pageStyles;

	/** Missing while nothing is known yet. */
	@property({ attribute: false }) accessor gallery: Gallery | undefined;
	/** Those that have been described; another map whenever one of them is another. */
	@property({ attribute: false }) accessor images: ReadonlyMap<string, Image> = new Map();
	@property({ attribute: false }) accessor view: GalleryView = { search: '' };

	/** The images that were selected to be compared, at most two, in that order. */
	@state() private accessor selected: readonly string[] = [];
	/** The image that another one is being chosen for. */
	@state() private accessor choosingFor: string | undefined;
	/** What a screen reader is told, where nothing that it reads says so. */
	@state() private accessor announcement = '';

	@query('easel-gallery-list') private accessor list!: GalleryList | null;
	@query('easel-image-detail') private accessor detail!: ImageDetail | null;
	@query('easel-gallery-comparison') private accessor comparison!: GalleryComparison | null;
	@query('easel-menu') private accessor menu!: EaselMenu;

	readonly #acts = new GalleryActs(this, {
		image: (id) => this.images.get(id),
		menu: () => this.menu,
		compare: (id) => void this.#chooseFor(id),
		ask: (id, action) => this.#dispatch('easel-image-action', { id, action }),
	});
	#typing: ReturnType<typeof setTimeout> | undefined;
	/** How far the list was scrolled when it was left. */
	#left = 0;
	/** Where the comparison leads back to. */
	#cameFromDetail = false;
	/** The images that `easel-describe` has named last. */
	#described = '';

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		clearTimeout(this.#typing);
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		if (changed.has('gallery') && this.gallery !== undefined) {
			this.#follow(changed.get('gallery'), this.gallery);
		}
	}

	protected override updated(changed: PropertyValues<this>): void {
		const { shown, compared, search } = this.view;
		const isFirst = changed.has('gallery') && changed.get('gallery') === undefined;
		if (isFirst && isSearching(this.gallery, search)) {
			// It was restored with what had been searched for.
			this.#dispatch('easel-search', search);
		}
		if (shown !== undefined) {
			this.#describe(compared === undefined ? around(shown, this.#ids) : [shown, compared]);
		}
	}

	protected override render(): TemplateResult {
		return html`
			${this.#current()}
			<p class="hidden" role="status">${this.announcement}</p>
			<easel-menu @easel-menu-choose=${this.#acts.onChosen}></easel-menu>
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
		return html`
			<easel-gallery-list
				.gallery=${this.gallery}
				.images=${this.images}
				.search=${this.view.search}
				.selected=${this.selected}
				.choosingFor=${this.choosingFor}
				.result=${this.#acts.result}
				@easel-list-search=${({ detail }: GalleryListEvents['easel-list-search']) =>
					this.#search(detail.text, detail.isTyping ? typingPause : 0)}
				@easel-list-compare=${this.#compareSelected}
				@easel-list-clear-selection=${() => {
					this.selected = [];
				}}
				@easel-list-cancel=${() => {
					this.choosingFor = undefined;
				}}
				@easel-grid-seen=${({ detail }: ImageGridEvents['easel-grid-seen']) =>
					this.#describe(detail)}
				@easel-grid-open=${({ detail }: ImageGridEvents['easel-grid-open']) => this.#onOpen(detail)}
				@easel-grid-select=${({ detail }: ImageGridEvents['easel-grid-select']) =>
					this.#onSelect(detail)}
				@easel-grid-remove=${({ detail }: ImageGridEvents['easel-grid-remove']) =>
					this.#acts.act(detail, 'remove')}
				@easel-grid-menu=${({ detail }: ImageGridEvents['easel-grid-menu']) =>
					this.#acts.openMenu(detail)}
			></easel-gallery-list>
		`;
	}

	#one(shown: string): TemplateResult {
		const ids = this.#ids;
		const { result } = this.#acts;
		return html`
			<easel-image-detail
				.image=${this.images.get(shown)}
				.index=${ids.indexOf(shown)}
				.count=${ids.length}
				.result=${result?.id === shown ? result : undefined}
				@easel-detail-back=${this.#showAll}
				@easel-detail-step=${({ detail }: ImageDetailEvents['easel-detail-step']) =>
					this.#step(detail)}
				@easel-detail-act=${({ detail }: ImageDetailEvents['easel-detail-act']) =>
					this.#acts.act(shown, detail)}
				@easel-detail-more=${({ detail }: ImageDetailEvents['easel-detail-more']) =>
					this.#acts.openMore(shown, detail)}
				@easel-detail-undecodable=${this.#onUndecodable}
			></easel-image-detail>
		`;
	}

	#two(ids: readonly [string, string]): TemplateResult {
		return html`
			<easel-gallery-comparison
				.ids=${ids}
				.images=${this.images}
				@easel-comparison-back=${this.#leaveComparison}
				@easel-comparison-undecodable=${this.#onUndecodable}
			></easel-gallery-comparison>
		`;
	}

	get #ids(): readonly string[] {
		return this.gallery?.ids ?? [];
	}

	// --- What comes and goes

	#follow(before: Gallery | undefined, now: Gallery): void {
		const hasOtherSearch = before !== undefined && before.search !== now.search;
		if (hasOtherSearch) {
			this.list?.reset();
			scrollToEdge(this, (by) => by < 0);
		}
		// With another search, what is missing may still be there.
		if (hasOtherSearch || isSearching(now, this.view.search)) {
			return;
		}
		const ids = new Set(now.ids);
		this.selected = this.selected.filter((id) => ids.has(id));
		if (this.choosingFor !== undefined && !ids.has(this.choosingFor)) {
			this.choosingFor = undefined;
		}
		const wasComparing = this.view.compared !== undefined;
		const instead = viewWithout(this.view, before?.ids, now.ids);
		if (instead !== undefined) {
			// Nobody who is at work elsewhere in the page is called away.
			const hadFocus = this.matches(':focus-within');
			this.#change(instead);
			if (hadFocus && instead.shown === undefined) {
				void (wasComparing ? this.#focusList(undefined) : this.#focusSearch());
			}
		}
	}

	// --- Which image is shown

	#change(part: Partial<GalleryView>): void {
		this.view = { ...this.view, ...part };
		this.#dispatch('easel-view-change', this.view);
	}

	#onOpen(id: string): void {
		const first = this.choosingFor;
		if (first === undefined) {
			void this.#show({ shown: id, compared: undefined });
		} else if (first !== id) {
			this.choosingFor = undefined;
			void this.#show({ shown: first, compared: id });
		}
	}

	#onSelect(id: string): void {
		this.#acts.forgetResult();
		if (this.choosingFor !== undefined) {
			this.#onOpen(id);
			return;
		}
		this.selected = toggled(this.selected, id);
		const count = ['Nothing', 'One image', 'Two images'][this.selected.length]!;
		this.announcement = `${count} selected.`;
	}

	readonly #compareSelected = (): void => {
		const [shown, compared] = this.selected;
		if (shown !== undefined && compared !== undefined) {
			this.#cameFromDetail = false;
			void this.#show({ shown, compared });
		}
	};

	/** Shows one image or two in place of all, with its upper edge in sight. */
	async #show(part: Partial<GalleryView>): Promise<void> {
		if (this.view.shown === undefined) {
			this.#left = scrollAreaOf(this).scrollTop;
		}
		this.#acts.forgetResult();
		this.#change(part);
		await this.updateComplete;
		scrollToEdge(this, () => true);
		await (this.detail?.focusImage() ?? this.comparison?.focusBack());
	}

	readonly #showAll = async (): Promise<void> => {
		const { shown } = this.view;
		this.#change({ shown: undefined, compared: undefined });
		await this.#focusList(shown);
	};

	readonly #leaveComparison = (): void => {
		if (this.#cameFromDetail) {
			void this.#show({ compared: undefined });
		} else {
			void this.#showAll();
		}
	};

	#step(by: -1 | 1): void {
		const ids = this.#ids;
		const index = ids.indexOf(this.view.shown ?? '');
		const shown = index < 0 ? undefined : ids[index + by];
		if (shown !== undefined) {
			this.#acts.forgetResult();
			this.#change({ shown });
			const name = this.images.get(shown)?.name ?? 'Image';
			this.announcement = `${name}, ${index + by + 1} of ${ids.length}`;
		}
	}

	/** Returns to the place in the list where the user was. */
	async #focusList(id: string | undefined): Promise<void> {
		await this.updateComplete;
		await this.list?.standing();
		scrollAreaOf(this).scrollTo({ top: this.#left, behavior: 'instant' });
		await this.list?.focusImage(id);
	}

	async #focusSearch(): Promise<void> {
		await this.updateComplete;
		await this.list?.focusSearch();
	}

	#search(search: string, after: number): void {
		this.#acts.forgetResult();
		this.#change({ search });
		clearTimeout(this.#typing);
		this.#typing = setTimeout(() => this.#dispatch('easel-search', search), after);
	}

	async #chooseFor(id: string): Promise<void> {
		this.selected = [];
		this.choosingFor = id;
		this.#cameFromDetail = this.view.shown !== undefined;
		this.announcement = 'Choose the image to compare with. Escape cancels.';
		if (this.#cameFromDetail) {
			this.#change({ shown: undefined, compared: undefined });
			await this.#focusList(id);
		} else {
			await this.list?.focusImage(id);
		}
	}

	readonly #onUndecodable = ({ detail: id }: CustomEvent<string>): void => {
		this.#dispatch('easel-undecodable', id);
	};

	/** Asks for what is to be known of these images, unless that was asked for last. */
	#describe(ids: readonly string[]): void {
		const described = ids.join();
		if (described !== this.#described) {
			this.#described = described;
			this.#dispatch('easel-describe', ids);
		}
	}

	#dispatch<Name extends keyof EaselGalleryEvents>(
		name: Name,
		detail: EaselGalleryEvents[Name]['detail'],
	): void {
		this.send(name, detail, { bubbles: true, composed: true });
	}
}

customElements.define('easel-gallery', EaselGallery);
