import '@vscode-elements/elements/dist/vscode-icon/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import type { Picture, Side } from '../../protocol/compare.js';
import type { Image, ImageAction, SavedState } from '../../protocol/studio.js';
import '../easelCompare.js';
import { EventfulElement } from '../eventfulElement.js';
import type { Point } from '../geometry.js';
import { buttonStyles, pageStyles } from './controls.styles.js';
import { copyImage } from './copyImage.js';
import { styles } from './easelGallery.styles.js';
import './easelMenu.js';
import type { EaselMenu, MenuItem } from './easelMenu.js';
import { successor } from './gridLayout.js';
import { actEntries, actsOn, type Act } from './imageActions.js';
import './imageDetail.js';
import type { ImageDetail } from './imageDetail.js';
import './imageGrid.js';
import type { ImageGrid } from './imageGrid.js';
import { resultLines, type Result } from './result.js';
import { scrollAreaOf, seenOf } from './scrollArea.js';

declare global {
	interface HTMLElementTagNameMap {
		'easel-gallery': EaselGallery;
	}
}

/** Which images there are, newest first, as the last message about it said. */
export interface Gallery {
	/** What was searched for. */
	readonly search: string;
	readonly ids: readonly string[];
	/** How many there are without searching. */
	readonly total: number;
}

/** What the user looks at; the page keeps it. */
export type GalleryView = Pick<SavedState, 'shown' | 'compared' | 'search'>;

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
	static override readonly styles = [pageStyles, buttonStyles, styles];

	/** Missing while nothing is known yet. */
	@property({ attribute: false }) accessor gallery: Gallery | undefined;
	/** Those that have been described; another map whenever one of them is another. */
	@property({ attribute: false }) accessor images: ReadonlyMap<string, Image> = new Map();
	@property({ attribute: false }) accessor view: GalleryView = { search: '' };

	/** The images that were selected to be compared, at most two, in that order. */
	@state() private accessor selected: readonly string[] = [];
	/** The image that another one is being chosen for. */
	@state() private accessor choosingFor: string | undefined;
	/** What has come of what the page did itself, until something else is done. */
	@state() private accessor result: (Result & { readonly id: string }) | undefined;
	/** What a screen reader is told, where nothing that it reads says so. */
	@state() private accessor announcement = '';
	@state() private accessor barHeight = 0;

	@query('easel-image-grid') private accessor grid!: ImageGrid | null;
	@query('easel-image-detail') private accessor detail!: ImageDetail | null;
	@query('.back') private accessor back!: HTMLElement | null;
	@query('vscode-textfield') private accessor field!: VscodeTextfield | null;
	@query('.bar') private accessor bar!: HTMLElement | null;
	@query('easel-menu') private accessor menu!: EaselMenu;

	#typing: ReturnType<typeof setTimeout> | undefined;
	/** How far the grid was scrolled when it was left. */
	#left = 0;
	/** Where the comparison leads back to. */
	#cameFromDetail = false;
	/** What to do with the item of the menu that is chosen. */
	#onChosen: (act: string) => void = () => undefined;
	#observed: HTMLElement | null = null;
	readonly #resized = new ResizeObserver(() => this.#measureBar());

	override connectedCallback(): void {
		super.connectedCallback();
		if (this.#observed !== null) {
			this.#resized.observe(this.#observed);
		}
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#resized.disconnect();
		clearTimeout(this.#typing);
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		if (changed.has('gallery') && this.gallery !== undefined) {
			this.#follow(changed.get('gallery'), this.gallery);
		}
	}

	protected override updated(changed: PropertyValues<this>): void {
		this.#observe(this.bar);
		const before = changed.get('gallery');
		if (changed.has('gallery') && before === undefined && this.#isSearching) {
			// It was restored with what had been searched for.
			this.#dispatch('easel-search', this.view.search);
		}
		const { shown, compared } = this.view;
		if (shown !== undefined) {
			this.#dispatchNew(compared === undefined ? this.#around(shown) : [shown, compared]);
		}
	}

	protected override render(): TemplateResult {
		return html`
			${this.#current()}
			<p class="hidden" role="status">${this.announcement}</p>
			<easel-menu @easel-menu-choose=${({ detail }: CustomEvent<string>) => this.#onChosen(detail)}>
			</easel-menu>
		`;
	}

	#current(): TemplateResult {
		const { shown, compared } = this.view;
		if (shown !== undefined && compared !== undefined) {
			return this.#comparison(shown, compared);
		}
		return shown !== undefined ? this.#detail(shown) : this.#all();
	}

	// --- All images

	#all(): TemplateResult {
		const { gallery } = this;
		return html`
			<div class="bar" @keydown=${this.#onAllKey}>
				<div class="row">
					<h2>Gallery</h2>
					<p class="count" role="status">${this.#countWords}</p>
					<vscode-textfield
						label="Search by prompt"
						placeholder="Search by prompt"
						.value=${this.view.search}
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
								.selected=${this.choosingFor === undefined ? this.selected : [this.choosingFor]}
								.covered=${this.barHeight}
								label=${this.choosingFor === undefined ? 'Images' : 'Choose the image to compare with'}
								@keydown=${this.#onAllKey}
								@easel-grid-seen=${({ detail }: CustomEvent<readonly string[]>) =>
									this.#dispatchNew(detail)}
								@easel-grid-open=${({ detail }: CustomEvent<string>) => this.#onOpen(detail)}
								@easel-grid-select=${({ detail }: CustomEvent<string>) => this.#onSelect(detail)}
								@easel-grid-remove=${({ detail }: CustomEvent<string>) =>
									this.#act(detail, 'remove')}
								@easel-grid-menu=${this.#onGridMenu}
							></easel-image-grid>
						`
					: this.#nothing(gallery)
			}
		`;
	}

	#clearButton(): TemplateResult | typeof nothing {
		if (this.view.search === '') {
			return nothing;
		}
		return html`<button
			slot="content-after"
			class="clear icon"
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
			return html`
				<div class="banner" role="group" aria-label="Compare">
					<span class="words">
						Choose the image to compare with <bdi>${this.#nameOf(this.choosingFor)}</bdi>.
					</span>
					<button @click=${this.#cancelChoosing}>Cancel</button>
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
				${both ? html`<button class="primary" @click=${this.#compareSelected}>Compare</button>` : nothing}
				<button @click=${this.#clearSelection}>Clear Selection</button>
			</div>
		`;
	}

	#nothing(gallery: Gallery | undefined): TemplateResult {
		if (gallery === undefined) {
			return html`<div class="empty"><p>Loading…</p></div>`;
		}
		if (gallery.total === 0) {
			return html`
				<div class="empty">
					<vscode-icon name="file-media" size="32"></vscode-icon>
					<p>Images that you make in this workspace appear here.</p>
				</div>
			`;
		}
		return html`
			<div class="empty">
				<p>No images found for “<bdi>${shortened(gallery.search)}</bdi>”.</p>
				<button @click=${this.#clearSearch}>Clear Search</button>
			</div>
		`;
	}

	get #countWords(): string {
		if (this.gallery === undefined || this.#isSearching) {
			return '';
		}
		const { search, ids, total } = this.gallery;
		if (total === 0) {
			return '';
		}
		const all = `${total} ${total === 1 ? 'image' : 'images'}`;
		return search === '' ? all : `${ids.length} of ${all}`;
	}

	/** Whether the images are not yet those that were searched for. */
	get #isSearching(): boolean {
		return this.gallery !== undefined && this.gallery.search !== this.view.search;
	}

	// --- One image

	#detail(shown: string): TemplateResult {
		const ids = this.gallery?.ids ?? [];
		return html`
			<easel-image-detail
				.image=${this.images.get(shown)}
				.index=${ids.indexOf(shown)}
				.count=${ids.length}
				.result=${this.result?.id === shown ? this.result : undefined}
				@easel-detail-back=${this.#showAll}
				@easel-detail-step=${({ detail }: CustomEvent<-1 | 1>) => this.#step(detail)}
				@easel-detail-act=${({ detail }: CustomEvent<Act>) => this.#act(shown, detail)}
				@easel-detail-more=${this.#onMore}
				@easel-detail-undecodable=${({ detail }: CustomEvent<string>) =>
					this.#dispatch('easel-undecodable', detail)}
			></easel-image-detail>
		`;
	}

	/** The image and its neighbors, which are probably looked at next. */
	#around(shown: string): string[] {
		const ids = this.gallery?.ids ?? [];
		const index = ids.indexOf(shown);
		return index < 0 ? [shown] : ids.slice(Math.max(index - 1, 0), index + 2);
	}

	// --- Two images

	#comparison(first: string, second: string): TemplateResult {
		const [left, right] = this.#byAge(first, second);
		return html`
			<div class="comparison" @keydown=${this.#onComparisonKey}>
				<div class="bar">
					<button class="back" @click=${this.#leaveComparison}>
						<vscode-icon name="arrow-left"></vscode-icon>
						Back
					</button>
					<h2 class="hidden">Compare Images</h2>
				</div>
				<easel-compare
					.left=${this.#pictureOf(left)}
					.right=${this.#pictureOf(right)}
					@easel-view-change=${(event: Event) => event.stopPropagation()}
					@easel-undecodable=${({ detail }: CustomEvent<Side>) =>
						this.#dispatch('easel-undecodable', detail === 'left' ? left : right)}
				></easel-compare>
			</div>
		`;
	}

	/** The older one first. */
	#byAge(first: string, second: string): [string, string] {
		const madeAt = (id: string) => this.images.get(id)?.madeAt;
		const [a, b] = [madeAt(first), madeAt(second)];
		if (a !== undefined && b !== undefined && a !== b) {
			return a < b ? [first, second] : [second, first];
		}
		// The gallery has the newest first.
		const ids = this.gallery?.ids ?? [];
		return ids.indexOf(first) > ids.indexOf(second) ? [first, second] : [second, first];
	}

	#pictureOf(id: string): Picture | undefined {
		const image = this.images.get(id);
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

	// --- What comes and goes

	#follow(before: Gallery | undefined, now: Gallery): void {
		const { shown, compared } = this.view;
		const ids = new Set(now.ids);
		// Nobody who is at work elsewhere in the page is called away.
		const hadFocus = this.matches(':focus-within');
		if (before !== undefined && before.search !== now.search) {
			this.grid?.reset();
			this.#scrollToEdge((by) => by < 0);
		}
		// With another search, what is missing may still be there.
		if (this.#isSearching || (before !== undefined && before.search !== now.search)) {
			return;
		}
		this.selected = this.selected.filter((id) => ids.has(id));
		if (this.choosingFor !== undefined && !ids.has(this.choosingFor)) {
			this.choosingFor = undefined;
		}
		if (compared !== undefined && (!ids.has(compared) || shown === undefined || !ids.has(shown))) {
			this.#change({ shown: undefined, compared: undefined });
			if (hadFocus) {
				void this.#focusGrid(undefined);
			}
		} else if (shown !== undefined && !ids.has(shown)) {
			// As somebody expects who sorts images out: the next one is shown.
			const next = before === undefined ? undefined : successor(shown, before.ids, now.ids);
			this.#change({ shown: next });
			if (next === undefined && hadFocus) {
				void this.#focusField();
			}
		}
	}

	// --- What the user does: which image is shown

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
		this.result = undefined;
		if (this.choosingFor !== undefined) {
			this.#onOpen(id);
			return;
		}
		this.selected = this.selected.includes(id)
			? this.selected.filter((other) => other !== id)
			: [...this.selected.slice(-1), id];
		this.announcement = ['Nothing selected.', 'One image selected.', 'Two images selected.'][
			this.selected.length
		]!;
	}

	readonly #compareSelected = (): void => {
		const [shown, compared] = this.selected;
		if (shown !== undefined && compared !== undefined) {
			this.#cameFromDetail = false;
			void this.#show({ shown, compared });
		}
	};

	readonly #clearSelection = (): void => {
		const [first] = this.selected;
		this.selected = [];
		void this.grid?.focusImage(first);
	};

	/** Shows one image or two in place of all, with its upper edge in sight. */
	async #show(part: Partial<GalleryView>): Promise<void> {
		const area = scrollAreaOf(this);
		if (this.view.shown === undefined) {
			this.#left = area.scrollTop;
		}
		this.result = undefined;
		this.#change(part);
		await this.updateComplete;
		this.#scrollToEdge(() => true);
		if (this.detail !== null) {
			await this.detail.focusImage();
		} else {
			this.back?.focus({ preventScroll: true });
		}
	}

	readonly #showAll = async (): Promise<void> => {
		const { shown } = this.view;
		this.#change({ shown: undefined, compared: undefined });
		await this.#focusGrid(shown);
	};

	readonly #leaveComparison = (): void => {
		if (this.#cameFromDetail) {
			void this.#show({ compared: undefined });
		} else {
			void this.#showAll();
		}
	};

	#step(by: -1 | 1): void {
		const ids = this.gallery?.ids ?? [];
		const index = ids.indexOf(this.view.shown ?? '');
		const shown = index < 0 ? undefined : ids[index + by];
		if (shown !== undefined) {
			this.result = undefined;
			this.#change({ shown });
			this.announcement = `${this.#nameOf(shown)}, ${index + by + 1} of ${ids.length}`;
		}
	}

	/** Returns to the place in the grid where the user was. */
	async #focusGrid(id: string | undefined): Promise<void> {
		await this.updateComplete;
		await this.grid?.standing();
		scrollAreaOf(this).scrollTo({ top: this.#left, behavior: 'instant' });
		await this.grid?.focusImage(id);
	}

	async #focusField(): Promise<void> {
		await this.updateComplete;
		this.field?.focus();
	}

	#observe(bar: HTMLElement | null): void {
		if (bar !== this.#observed) {
			this.#observed = bar;
			this.#resized.disconnect();
			if (bar !== null) {
				this.#resized.observe(bar);
				this.#measureBar();
			}
		}
	}

	#measureBar(): void {
		this.barHeight = this.#observed?.offsetHeight ?? 0;
	}

	/**
	 * Scrolls the upper edge to that of what is seen.
	 *
	 * @param isWanted whether it should be scrolled by so much, downwards where it is positive
	 */
	#scrollToEdge(isWanted: (by: number) => boolean): void {
		const area = scrollAreaOf(this);
		const by = this.getBoundingClientRect().top - seenOf(area).top;
		if (isWanted(by)) {
			area.scrollBy({ top: by, behavior: 'instant' });
		}
	}

	// --- What the user does: search

	readonly #onType = (event: Event): void => {
		this.#search((event.currentTarget as VscodeTextfield).value, typingPause);
	};

	readonly #clearSearch = (): void => {
		this.#search('', 0);
		void this.#focusField();
	};

	#search(search: string, after: number): void {
		this.result = undefined;
		this.#change({ search });
		clearTimeout(this.#typing);
		this.#typing = setTimeout(() => this.#dispatch('easel-search', search), after);
	}

	readonly #onAllKey = (event: KeyboardEvent): void => {
		if (event.key !== 'Escape' || event.defaultPrevented) {
			return;
		}
		// One thing at a time; of the field it is what stands in it.
		const inField = event.target === this.field && this.view.search !== '';
		const undo = inField
			? this.#clearSearch
			: this.choosingFor !== undefined
				? this.#cancelChoosing
				: this.selected.length > 0
					? this.#clearSelection
					: this.view.search !== ''
						? this.#clearSearch
						: undefined;
		if (undo !== undefined) {
			event.preventDefault();
			undo();
		}
	};

	readonly #onComparisonKey = (event: KeyboardEvent): void => {
		if (event.key === 'Escape' && !event.defaultPrevented) {
			event.preventDefault();
			this.#leaveComparison();
		}
	};

	// --- What the user does: with an image

	#act(id: string, act: Act): void {
		switch (act) {
			case 'compare':
				void this.#chooseFor(id);
				break;
			case 'copyImage':
				void this.#copy(id);
				break;
			default:
				this.#dispatch('easel-image-action', { id, action: act });
		}
	}

	async #chooseFor(id: string): Promise<void> {
		this.selected = [];
		this.choosingFor = id;
		this.#cameFromDetail = this.view.shown !== undefined;
		this.announcement = 'Choose the image to compare with. Escape cancels.';
		if (this.#cameFromDetail) {
			this.#change({ shown: undefined, compared: undefined });
			await this.#focusGrid(id);
		} else {
			await this.grid?.focusImage(id);
		}
	}

	readonly #cancelChoosing = (): void => {
		const first = this.choosingFor;
		this.choosingFor = undefined;
		void this.grid?.focusImage(first);
	};

	async #copy(id: string): Promise<void> {
		const source = this.images.get(id)?.source;
		this.result = undefined;
		if (source === undefined) {
			return;
		}
		try {
			await copyImage(source);
			this.result = { id, text: 'Image copied.', failed: false };
		} catch (error) {
			const text = `The image could not be copied: ${messageOf(error)}`;
			this.result = { id, text, failed: true };
		}
	}

	readonly #onMore = ({
		detail: { acts, button },
	}: CustomEvent<{ acts: readonly (readonly Act[])[]; button: HTMLElement }>): void => {
		const { left, bottom } = button.getBoundingClientRect();
		this.#openMenu('More', acts, { x: left, y: bottom + 2 }, button, (act) => {
			this.#act(this.view.shown ?? '', act);
		});
	};

	readonly #onGridMenu = ({
		detail: { id, at, tile },
	}: CustomEvent<{ id: string; at: Point; tile: HTMLElement }>): void => {
		const image = this.images.get(id);
		if (image !== undefined) {
			this.#openMenu(image.name, actsOn(image), at, tile, (act) => this.#act(id, act));
		}
	};

	#openMenu(
		name: string,
		groups: readonly (readonly Act[])[],
		at: Point,
		from: HTMLElement,
		choose: (act: Act) => void,
	): void {
		this.#onChosen = (act) => choose(act as Act);
		const itemOf = (act: Act): MenuItem => ({ id: act, ...actEntries[act] });
		void this.menu.open(
			name,
			groups.map((group) => group.map(itemOf)),
			at,
			from,
		);
	}

	#nameOf(id: string): string {
		return this.images.get(id)?.name ?? 'the first one';
	}

	#described = '';

	#dispatchNew(ids: readonly string[]): void {
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

/** Of a text that nobody limits. */
function shortened(text: string): string {
	return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
