import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query } from 'lit/decorators.js';
import {
	everything,
	type Image,
	type Job,
	type Query,
	type Round,
	type SizeOption,
} from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import { Describing } from './describing.js';
import './easelMenu.js';
import type { EaselMenu } from './easelMenu.js';
import { styles } from './easelStream.styles.js';
import { emptyStream } from './emptyStream.js';
import { ask } from './events.js';
import { GalleryActions } from './galleryActions.js';
import './galleryComparison.js';
import './imageDetail.js';
import './jobCard.js';
import type { JobCard } from './jobCard.js';
import type { OnScreen } from './onScreen.js';
import { buttonStyles, pageStyles } from './page.styles.js';
import { resultLines } from './result.js';
import './roundList.js';
import type { RoundList } from './roundList.js';
import './searchBar.js';
import type { SearchBar } from './searchBar.js';
import { Searching } from './searching.js';
import { selectionBar } from './selectionBar.js';
import { StreamMenus } from './streamMenus.js';
import { StreamNavigation } from './streamNavigation.js';
import { byAge, isSame, isSearching, type Rounds } from './streamRounds.js';
import type { StreamView } from './streamView.js';

declare global {
	interface HTMLElementEventMap {
		/** What is seen and what is around it: no others have to be known. */
		'easel-describe': CustomEvent<OnScreen>;
	}
}

/**
 * The stream of rounds with its search, and in its place one image closely, or some compared. What
 * it shows it is told. Of rounds and images it needs only those that it has asked for with
 * `easel-describe`. It is as high as it is made, and scrolls in itself.
 */
export class EaselStream extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles];

	/** Missing while nothing is known yet. */
	@property({ attribute: false }) accessor rounds: Rounds | undefined;
	/** Those that have been described; other maps whenever one of them is another. */
	@property({ attribute: false }) accessor known: ReadonlyMap<string, Round> = new Map();
	@property({ attribute: false }) accessor images: ReadonlyMap<string, Image> = new Map();
	/** Newest first. */
	@property({ attribute: false }) accessor jobs: readonly Job[] = [];
	@property({ attribute: false }) accessor sizes: readonly SizeOption[] = [];
	@property({ attribute: false }) accessor view: StreamView = { query: everything };

	@query('easel-search-bar') private accessor searchBar!: SearchBar;
	@query('easel-round-list') private accessor list!: RoundList;
	@query('easel-job-card') private accessor card!: JobCard;
	@query('easel-menu.images') private accessor imageMenu!: EaselMenu;
	@query('easel-menu.rounds') private accessor roundMenu!: EaselMenu;

	readonly #actions = new GalleryActions(this, {
		image: (id) => this.images.get(id),
		menu: () => this.imageMenu,
		compare: (id) => void this.#navigation.beginComparing(id),
	});
	readonly #navigation = new StreamNavigation(this, () => this.#actions.forgetResult());
	readonly #menus = new StreamMenus(this, {
		menu: () => this.roundMenu,
		list: () => this.list,
		reveal: (id) => void this.#navigation.reveal(id),
	});
	readonly #describing = new Describing(this, this.#navigation);
	#jobsById: ReadonlyMap<string, Job> = new Map();
	readonly #searching = new Searching(this);
	/** Whether the focus goes to the images as soon as what was typed has been found. */
	#isLeavingSearch = false;

	/** Shows an image in its place among the rounds, or closely where one is shown so. */
	show(id: string): void {
		void this.#navigation.reveal(id);
	}

	/** Gives the focus to the images, where there are some. */
	async focusImages(): Promise<void> {
		await this.updateComplete;
		await this.list.focusOn(undefined);
	}

	/** Has something looked for, whatever is shown, with the focus in its field. */
	async lookFor(query: Query, selected: readonly string[]): Promise<void> {
		this.#navigation.change({ shown: undefined, compared: undefined });
		this.#search(query);
		this.#navigation.selectAll(selected);
		await this.updateComplete;
		this.searchBar.focus();
	}

	/** Shows the newest round, whatever is looked at. */
	showNewest(): void {
		if (!isSame(this.view.query, everything)) {
			this.#search(everything);
		}
		this.#navigation.showNewest();
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		if (changed.has('jobs')) {
			this.#jobsById = new Map(this.jobs.map((job) => [job.id, job]));
		}
		if (changed.has('rounds') && this.rounds !== undefined) {
			this.#navigation.follow(changed.get('rounds'), this.rounds);
		}
	}

	protected override updated(changed: PropertyValues<this>): void {
		const isFirst = changed.has('rounds') && changed.get('rounds') === undefined;
		if (isFirst && isSearching(this.rounds, this.view.query)) {
			// It was restored with what had been looked for.
			ask(this, { type: 'search', query: this.view.query });
		}
		if (this.#isLeavingSearch && !isSearching(this.rounds, this.view.query)) {
			this.#isLeavingSearch = false;
			void this.focusImages();
		}
		this.#describing.shown();
	}

	protected override render(): TemplateResult {
		const { rounds, view } = this;
		const isCovered = view.shown !== undefined || view.compared !== undefined;
		return html`
			<easel-search-bar
				?hidden=${isCovered}
				.query=${view.query}
				.rounds=${rounds}
				.sizes=${this.sizes}
				.jobs=${this.jobs}
				@easel-search-change=${({ detail }: HTMLElementEventMap['easel-search-change']) =>
					this.#search(detail.query, detail.isTyping)}
				@easel-search-leave=${this.#onLeaveSearch}
				@easel-search-tally=${this.#menus.onTally}
			></easel-search-bar>
			<div class="region" @easel-show=${this.#onShow}>
				<div class="all ${isCovered ? 'covered' : ''}" ?inert=${isCovered}>${this.#all()}</div>
				${this.#over()}
			</div>
			<easel-menu class="images" @easel-menu-choose=${this.#actions.onChosen}></easel-menu>
			<easel-menu class="rounds" @easel-menu-choose=${this.#menus.onChosen}></easel-menu>
			<easel-job-card .jobs=${this.#jobsById}></easel-job-card>
		`;
	}

	#all(): TemplateResult {
		const { rounds } = this;
		const navigation = this.#navigation;
		const isEmpty = rounds === undefined || rounds.rounds.length === 0;
		return html`
			<easel-round-list
				?hidden=${isEmpty}
				.rounds=${rounds?.rounds ?? []}
				.known=${this.known}
				.images=${this.images}
				.jobs=${this.#jobsById}
				.selected=${navigation.selected}
				@easel-list-seen=${({ detail }: CustomEvent<OnScreen>) => this.#describing.onSeen(detail)}
				@easel-list-open=${({ detail }: CustomEvent<string>) => navigation.open(detail)}
				@easel-list-select=${({ detail }: CustomEvent<string>) => navigation.select(detail)}
				@easel-list-compare=${({ detail }: CustomEvent<readonly string[]>) =>
					navigation.compare(detail)}
				@easel-list-job=${this.#onJob}
				@easel-list-more=${this.#menus.onMore}
				@easel-grid-menu=${this.#actions.openMenu}
				@keydown=${this.#onKey}
			></easel-round-list>
			${
				isEmpty
					? emptyStream(rounds, {
							compose: () => dispatch(this, 'easel-focus-lost', undefined),
							search: (query) => this.#search(query),
						})
					: nothing
			}
			${selectionBar(navigation.selected, navigation.isFull, navigation.outdated, {
				compare: navigation.compareSelected,
				selectAll: (ids) => navigation.selectAll(ids),
				restyle: (ids) => ask(this, { type: 'restyle', images: [...ids] }),
				clear: () => void navigation.unselect(),
			})}
			<div class="result">${resultLines(this.#actions.result)}</div>
		`;
	}

	/** What lies over the rounds: they stay as they are. */
	#over(): TemplateResult | typeof nothing {
		const { shown, compared } = this.view;
		if (compared !== undefined) {
			return html`
				<easel-gallery-comparison
					class="over"
					.ids=${byAge(compared, this.rounds?.rounds ?? [])}
					.images=${this.images}
					@easel-comparison-back=${this.#navigation.leaveComparison}
				></easel-gallery-comparison>
			`;
		}
		return shown === undefined ? nothing : this.#one(shown);
	}

	#one(shown: string): TemplateResult {
		const { ids } = this.#navigation;
		const { result } = this.#actions;
		return html`
			<easel-image-detail
				class="over"
				.image=${this.images.get(shown)}
				.slots=${this.#navigation.slotsBeside(shown)}
				.images=${this.images}
				.index=${ids.indexOf(shown)}
				.count=${ids.length}
				.result=${result?.id === shown ? result : undefined}
				@easel-detail-back=${this.#navigation.showAll}
				@easel-detail-step=${({ detail }: CustomEvent<-1 | 1>) => this.#navigation.step(detail)}
				@easel-detail-show=${this.#onShow}
				@easel-detail-action=${({ detail }: HTMLElementEventMap['easel-detail-action']) =>
					this.#actions.run(shown, detail)}
				@easel-detail-more=${({ detail }: HTMLElementEventMap['easel-detail-more']) =>
					this.#actions.openMore(shown, detail)}
			></easel-image-detail>
		`;
	}

	#search(query: Query, isTyping = false): void {
		this.#actions.forgetResult();
		this.#navigation.change({ query });
		this.#searching.search(query, isTyping);
	}

	readonly #onLeaveSearch = (): void => {
		this.#isLeavingSearch = true;
		this.requestUpdate();
	};

	readonly #onShow = (event: CustomEvent<string>): void => {
		event.stopPropagation();
		this.show(event.detail);
	};

	readonly #onJob = ({ detail }: HTMLElementEventMap['easel-list-job']): void => {
		const { id, tile } = detail;
		const slots = this.#navigation.slotsBeside(id);
		void this.card.open(id, slots, tile, () => void this.list.focusOn(id));
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.key !== 'Escape' || event.defaultPrevented) {
			return;
		}
		if (this.#navigation.selected.length > 0) {
			event.preventDefault();
			void this.#navigation.unselect();
		} else if (this.view.query.text !== '') {
			event.preventDefault();
			this.#search({ ...this.view.query, text: '' });
		}
	};
}

customElements.define('easel-stream', EaselStream);
