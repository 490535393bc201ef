import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { repeat } from 'lit/directives/repeat.js';
import { everything, type Query } from '../protocol/studioModel.js';
import { codicon } from './codicon.js';
import { isWriting, onHeldKey } from './keys.js';
import { hints, keyNames, pageLabels, pageMessages } from './messages.js';
import './studio/easelCompose.js';
import './studio/easelMenu.js';
import './studio/galleryComparison.js';
import './studio/imageDetail.js';
import { iconButton } from './studio/parts.js';
import { ellipsized } from './studio/prompts.js';
import './studio/roundGrid.js';
import './studio/searchBar.js';
import { selectionBar } from './studio/selectionBar.js';
import './studio/jobCard.js';
import type { Announcement } from './studio/jobAnnouncements.js';
import type { Notice } from './studio/store/notices.js';
import { StudioElement } from './studio/studioElement.js';

/** The page of the image studio: the stream of rounds, and below it what is asked for next. */
export class EaselStudio extends StudioElement {
	constructor() {
		super();
		this.addEventListener('keydown', this.#onFind);
	}

	protected override render(): TemplateResult {
		const { store } = this;
		const { announcements, shown } = store.notices;
		const errors = shown.filter(({ severity }) => severity === 'error');
		const others = shown.filter(({ severity }) => severity !== 'error');
		return html`
			<main class="column" @keydown=${{ handleEvent: onHeldKey, capture: true }}>
				<h1 class="hidden">Image Studio</h1>
				<div class="region" @keydown=${this.#onKey}>
					<div class="stream column">${this.#stream()}</div>
				</div>
				<div class="notices column">
					<div class="column" role="alert">${this.#notices(errors)}</div>
					<div class="column" role="status">${this.#notices(others)}</div>
				</div>
				<section class="compose" aria-label="Compose">
					<easel-compose .store=${store}></easel-compose>
				</section>
			</main>
			<easel-menu></easel-menu>
			<easel-job-card .store=${store}></easel-job-card>
			${this.#keys()}
			<div class="hidden" role="status">${said(announcements, false)}</div>
			<div class="hidden" role="alert">${said(announcements, true)}</div>
		`;
	}

	/** The rounds with their search, and in their place one image closely, or some compared. */
	#stream(): TemplateResult {
		const { store } = this;
		const { rounds } = store.library;
		const { compared, isCovered, shown } = store.view;
		const isEmpty = rounds === undefined || rounds.rounds.length === 0;
		return html`
			${isCovered ? nothing : this.#waiting()}
			<easel-search-bar ?hidden=${isCovered} .store=${store}></easel-search-bar>
			${
				isCovered || isEmpty || rounds.leftOut === undefined
					? nothing
					: html`<p class="left-out row quiet" role="status">
							${codicon('info')} ${rounds.leftOut}
						</p>`
			}
			<div class="region">
				<div class="all ${isCovered ? 'covered' : ''}" ?inert=${isCovered}>
					<easel-round-list ?hidden=${isEmpty} .store=${store}></easel-round-list>
					${isEmpty ? this.#empty() : nothing} ${selectionBar(store)}
				</div>
				${
					compared === undefined
						? shown === undefined
							? nothing
							: html`<easel-image-detail class="over" .store=${store}></easel-image-detail>`
						: keyed(
								compared.join(),
								html`<easel-gallery-comparison
									class="over"
									.store=${store}
								></easel-gallery-comparison>`,
							)
				}
			</div>
		`;
	}

	/** Renders the questions and choices that wait for the user. */
	#waiting(): TemplateResult | typeof nothing {
		const { store } = this;
		const { waiting } = store.notices;
		return waiting.length === 0
			? nothing
			: html`
					<ul class="waiting" aria-label=${pageLabels.waiting}>
						${waiting.map(
							({ id, icon, label }) => html`
								<li>
									<button
										class="plain"
										title=${label}
										@click=${() => void store.ask({ type: 'decide', id })}
									>
										${codicon(icon)} <span class="cut">${label}</span>
									</button>
								</li>
							`,
						)}
					</ul>
				`;
	}

	/** Renders the words where there is no image, with buttons that lead to some. */
	#empty(): TemplateResult {
		const { store } = this;
		const { rounds } = store.library;
		if (rounds === undefined) {
			return html`<div class="empty column"><p>${hints.loading}</p></div>`;
		}
		if (rounds.query.among === 'files' && rounds.total === 0) {
			const { folder = '', leftOut } = rounds;
			return html`
				<div class="empty column" role="status">
					${codicon(leftOut === undefined ? 'file-media' : 'warning', 32)}
					<p>${leftOut ?? pageMessages.noFiles(folder)}</p>
					<button @click=${() => void store.ask({ type: 'chooseFolder' })}>
						${pageLabels.showAnotherFolder}
					</button>
					<button class="link" @click=${() => store.search.run(everything)}>
						${pageLabels.showAllImages}
					</button>
				</div>
			`;
		}
		if (rounds.total === 0) {
			return html`
				<div class="empty column">
					${codicon('file-media', 32)}
					<p>${pageMessages.empty}</p>
					<button class="primary" @click=${() => store.focus.request('prompt')}>
						${pageLabels.describeImage}
					</button>
				</div>
			`;
		}
		const [button, wider] = widened(rounds.query);
		return html`
			<div class="empty column">
				<p>${wordsOf(rounds.query, rounds.folder)}</p>
				<button @click=${() => store.search.run(wider)}>${button}</button>
			</div>
		`;
	}

	protected override updated(): void {
		const { store } = this;
		// Where no image is left, one can only write.
		const isEmpty = !store.search.isRunning && store.library.rounds?.rounds.length === 0;
		if (isEmpty && store.focus.take('grid') !== undefined) {
			const { text, among } = store.search.query;
			store.focus.request(text === '' && among !== 'files' ? 'prompt' : 'search');
		}
		const dialog = this.querySelector<HTMLDialogElement>('dialog.keys')!;
		if (store.view.showsKeys !== dialog.open) {
			if (dialog.open) {
				dialog.close();
			} else {
				dialog.showModal();
			}
		}
	}

	/** To be seen and, as they come, to be heard. The icons are called like the severities. */
	#notices(notices: readonly Notice[]): unknown {
		const { store } = this;
		const dismiss = (notice: Notice) => {
			store.notices.dismiss(notice);
			store.focus.request('prompt');
		};
		return repeat(
			notices,
			(notice) => notice,
			(notice) => html`
				<div class="notice ${notice.severity}">
					${codicon(notice.severity)}
					<p>${notice.text}</p>
					${
						notice.undo === undefined && notice.restore === undefined
							? nothing
							: html`<button
									@click=${() => {
										if (notice.restore === undefined) {
											void store.ask({ type: 'undoRemove', ids: [...(notice.undo ?? [])] });
										} else {
											notice.restore();
										}
										dismiss(notice);
									}}
								>
									${pageLabels.undo}
								</button>`
					}
					${iconButton(pageLabels.dismiss, 'close', () => dismiss(notice))}
				</div>
			`,
		);
	}

	/** All keys of the page. */
	#keys(): TemplateResult {
		const { store } = this;
		const close = () => store.view.set({ showsKeys: false });
		return html`
			<dialog class="keys" aria-labelledby="keys-title" @close=${close}>
				<div class="top">
					<h2 id="keys-title">${pageLabels.keys}</h2>
					${iconButton(pageLabels.close, 'close', close, { title: `${pageLabels.close} (Escape)` })}
				</div>
				<dl>
					${keyNames.map(
						([keys, what]) => html`
							<div>
								<dt>${keys.map((key) => html`<kbd>${key}</kbd>`)}</dt>
								<dd>${what}</dd>
							</div>
						`,
					)}
				</dl>
			</dialog>
		`;
	}

	/** Search is where it is in an editor, also while an image covers it. */
	readonly #onFind = (event: KeyboardEvent): void => {
		const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
		if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === 'f') {
			event.preventDefault();
			const { focus, view } = this.store;
			if (view.isCovered) {
				view.showSearch(everything, []);
			} else {
				focus.request('search');
			}
		}
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.key === '?' && !event.defaultPrevented && !isWriting(event)) {
			event.preventDefault();
			this.store.view.set({ showsKeys: !this.store.view.showsKeys });
		}
	};
}

customElements.define('easel-studio', EaselStudio);

/** Renders announcements; a repeated one is a paragraph of its own, so that it is read again. */
function said(announcements: readonly Announcement[], urgent: boolean): unknown {
	return repeat(
		announcements.filter((announcement) => announcement.urgent === urgent),
		(announcement) => announcement,
		({ text }) => html`<p>${text}</p>`,
	);
}

/** Returns the query without its narrowest part, in words for its button. */
function widened(query: Query): [button: string, wider: Query] {
	if (query.text !== '') {
		return [pageLabels.clearSearch, { ...query, text: '' }];
	}
	return query.size !== undefined
		? [pageLabels.showAllSizes, { text: query.text, among: query.among }]
		: [pageLabels.showAllImages, everything];
}

/** Among which images something was looked for. */
const places: Readonly<Record<Query['among'], string>> = {
	all: '',
	favorites: ' among the starred images',
	older: ' with an older style',
	folder: ' in this folder',
	files: ' in this folder',
};

function wordsOf({ text, among, size }: Query, folder: string | undefined): TemplateResult {
	const where = places[among];
	const sized = size === undefined ? '' : ` of ${size.replace('x', ' × ')}`;
	if (text !== '') {
		return html`No images${sized} found for “<bdi>${ellipsized(text, 100)}</bdi>”${where}.`;
	}
	if (size !== undefined) {
		return html`No images${sized}${where}.`;
	}
	if (among === 'older') {
		return html`${pageMessages.noOlderStyle}`;
	}
	if (among === 'favorites') {
		return html`${pageMessages.noStarred}`;
	}
	return folder === undefined
		? html`${pageMessages.noFolder}`
		: html`No images in the folder <bdi>${folder}</bdi>.`;
}
