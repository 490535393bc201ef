import type { LitElement } from 'lit';
import type { Image } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import { announce } from './events.js';
import type { GalleryComparison } from './galleryComparison.js';
import type { GalleryList } from './galleryList.js';
import {
	isSearching,
	toggled,
	viewWithout,
	type Gallery,
	type GalleryView,
} from './galleryView.js';
import type { ImageDetail } from './imageDetail.js';
import { scrollAreaOf, scrollToEdge } from './scrollArea.js';

declare global {
	interface HTMLElementEventMap {
		/** The user looks at something else; the gallery's `view` has it already. */
		'easel-view-change': CustomEvent<GalleryView>;
	}
}

/** The gallery, as far as its navigation needs it. */
export interface NavigatedGallery extends LitElement {
	readonly gallery: Gallery | undefined;
	readonly images: ReadonlyMap<string, Image>;
	view: GalleryView;
}

/** How a person gets from all images to one, to two, and back, with the focus and what is scrolled. */
export class GalleryNavigation {
	/** The images that were selected to be compared, at most two, in that order. */
	selected: readonly string[] = [];
	/** The image that another one is being chosen for; then none is selected. */
	choosingFor: string | undefined;

	/** How far the list was scrolled when it was left, in pixels. */
	#scrolled = 0;
	/** Whether the comparison leads back to one image. */
	#cameFromDetail = false;

	/** @param onAction called when the user does something else than before */
	constructor(
		private readonly host: NavigatedGallery,
		private readonly onAction: () => void,
	) {}

	change(part: Partial<GalleryView>): void {
		this.host.view = { ...this.host.view, ...part };
		dispatch(this.host, 'easel-view-change', this.host.view);
	}

	open(id: string): void {
		const first = this.choosingFor;
		if (first === undefined) {
			void this.#show({ shown: id, compared: undefined });
		} else if (first !== id) {
			this.#choose([], undefined);
			void this.#show({ shown: first, compared: id });
		}
	}

	/** Selects an image to be compared, or no longer. */
	select(id: string): void {
		this.onAction();
		if (this.choosingFor !== undefined) {
			this.open(id);
			return;
		}
		this.#choose(toggled(this.selected, id), undefined);
		const count = ['Nothing', 'One image', 'Two images'][this.selected.length]!;
		announce(this.host, `${count} selected.`);
	}

	/** Has another image chosen to be compared with this one. */
	async chooseFor(id: string): Promise<void> {
		this.#choose([], id);
		this.#cameFromDetail = this.host.view.shown !== undefined;
		announce(this.host, 'Choose the image to compare with. Escape cancels.');
		if (this.#cameFromDetail) {
			this.change({ shown: undefined, compared: undefined });
			await this.#focusList(id);
		} else {
			await this.#list?.focusImage(id);
		}
	}

	readonly unselect = (): void => this.#choose([], undefined);

	readonly compareSelected = (): void => {
		const [shown, compared] = this.selected;
		if (shown !== undefined && compared !== undefined) {
			this.#cameFromDetail = false;
			void this.#show({ shown, compared });
		}
	};

	/** To the image before the one that is shown (-1), or after it (1). */
	step(by: -1 | 1): void {
		const { gallery, images, view } = this.host;
		const ids = gallery?.ids ?? [];
		const index = ids.indexOf(view.shown ?? '');
		const shown = index < 0 ? undefined : ids[index + by];
		if (shown !== undefined) {
			this.onAction();
			this.change({ shown });
			const name = images.get(shown)?.name ?? 'Image';
			announce(this.host, `${name}, ${index + by + 1} of ${ids.length}`);
		}
	}

	readonly showAll = async (): Promise<void> => {
		const { shown } = this.host.view;
		this.change({ shown: undefined, compared: undefined });
		await this.#focusList(shown);
	};

	readonly leaveComparison = (): void => {
		void (this.#cameFromDetail ? this.#show({ compared: undefined }) : this.showAll());
	};

	/** Leaves what has gone. To be called before the update that shows other images. */
	follow(before: Gallery | undefined, now: Gallery): void {
		const hasOtherSearch = before !== undefined && before.search !== now.search;
		if (hasOtherSearch) {
			this.#list?.reset();
			scrollToEdge(this.host, (by) => by < 0);
		}
		const { view } = this.host;
		// With another search, what is missing may still be there.
		if (hasOtherSearch || isSearching(now, view.search)) {
			return;
		}
		const ids = new Set(now.ids);
		const isThere = (id: string | undefined) => id !== undefined && ids.has(id);
		this.#choose(
			this.selected.filter(isThere),
			isThere(this.choosingFor) ? this.choosingFor : undefined,
		);
		const instead = viewWithout(view, before?.ids, now.ids);
		if (instead !== undefined) {
			// Nobody who is at work elsewhere in the page is called away.
			const hadFocus = this.host.matches(':focus-within');
			this.change(instead);
			if (hadFocus && instead.shown === undefined) {
				void (view.compared !== undefined ? this.#focusList(undefined) : this.#focusSearch());
			}
		}
	}

	get #list(): GalleryList | null {
		return this.host.renderRoot.querySelector<GalleryList>('easel-gallery-list');
	}

	#choose(selected: readonly string[], choosingFor: string | undefined): void {
		this.selected = selected;
		this.choosingFor = choosingFor;
		this.host.requestUpdate();
	}

	/** Shows one image or two in place of all, with its upper edge in sight. */
	async #show(part: Partial<GalleryView>): Promise<void> {
		if (this.host.view.shown === undefined) {
			this.#scrolled = scrollAreaOf(this.host).scrollTop;
		}
		this.onAction();
		this.change(part);
		await this.host.updateComplete;
		scrollToEdge(this.host, () => true);
		await this.host.renderRoot
			.querySelector<ImageDetail | GalleryComparison>(
				'easel-image-detail, easel-gallery-comparison',
			)
			?.focusWithin();
	}

	/** Returns to the place in the list where the user was. */
	async #focusList(id: string | undefined): Promise<void> {
		await this.host.updateComplete;
		await this.#list?.standing();
		scrollAreaOf(this.host).scrollTo({ top: this.#scrolled, behavior: 'instant' });
		await this.#list?.focusImage(id);
	}

	async #focusSearch(): Promise<void> {
		await this.host.updateComplete;
		await this.#list?.focusSearch();
	}
}
