import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { everything, type Query } from '../../protocol/studio.js';
import { codicon } from '../codicon.js';
import { hints, labels, messages } from '../messages.js';
import './galleryComparison.js';
import './imageDetail.js';
import { shortened } from './prompts.js';
import { resultLines } from './parts.js';
import './roundGrid.js';
import './searchBar.js';
import { selectionBar } from './selectionBar.js';
import { StudioElement } from './studioElement.js';

/** The rounds with their search, and in their place one image closely, or some compared. */
export class EaselStream extends StudioElement {
	protected override render(): TemplateResult {
		const { store } = this;
		const { rounds, isCovered, saved } = store;
		const isEmpty = rounds === undefined || rounds.rounds.length === 0;
		return html`
			<easel-search-bar ?hidden=${isCovered} .store=${store}></easel-search-bar>
			<div class="region">
				<div class="all ${isCovered ? 'covered' : ''}" ?inert=${isCovered}>
					<easel-round-list ?hidden=${isEmpty} .store=${store}></easel-round-list>
					${isEmpty ? this.#empty() : nothing} ${selectionBar(store)}
					${isCovered ? nothing : resultLines(store.result)}
				</div>
				${
					saved.compared === undefined
						? saved.shown === undefined
							? nothing
							: html`<easel-image-detail class="over" .store=${store}></easel-image-detail>`
						: keyed(
								saved.compared.join(),
								html`<easel-gallery-comparison
									class="over"
									.store=${store}
								></easel-gallery-comparison>`,
							)
				}
			</div>
		`;
	}

	protected override updated(): void {
		const { store } = this;
		const isEmpty = store.rounds?.rounds.length === 0;
		// Where no image is left, one can only write.
		if (isEmpty && store.takeFocus('grid') !== undefined) {
			store.focus(store.saved.query.text === '' ? 'prompt' : 'search');
		}
	}

	/** What is said where there is no image, with what leads to some. */
	#empty(): TemplateResult {
		const { store } = this;
		const { rounds } = store;
		if (rounds === undefined) {
			return html`<div class="empty column"><p>${hints.loading}</p></div>`;
		}
		if (rounds.total === 0) {
			return html`
				<div class="empty column">
					${codicon('file-media', 32)}
					<p>${messages.empty}</p>
					<button class="primary" @click=${() => store.focus('prompt')}>
						${labels.describeImage}
					</button>
				</div>
			`;
		}
		const [button, wider] = widened(rounds.query);
		return html`
			<div class="empty column">
				<p>${wordsOf(rounds.query, rounds.folder)}</p>
				<button @click=${() => store.search(wider)}>${button}</button>
			</div>
		`;
	}
}

customElements.define('easel-stream', EaselStream);

/** What was looked for without the narrowest part of it, in words for its button. */
function widened(query: Query): [button: string, wider: Query] {
	if (query.text !== '') {
		return [labels.clearSearch, { ...query, text: '' }];
	}
	return query.size !== undefined
		? [labels.showAllSizes, { text: query.text, among: query.among }]
		: [labels.showAllImages, everything];
}

/** Among which images something was looked for. */
const places: Readonly<Record<Query['among'], string>> = {
	all: '',
	kept: ' among the starred images',
	older: ' with an older style',
	folder: ' in this folder',
};

function wordsOf({ text, among, size }: Query, folder: string | undefined): TemplateResult {
	const where = places[among];
	const sized = size === undefined ? '' : ` of ${size.replace('x', ' × ')}`;
	if (text !== '') {
		return html`No images${sized} found for “<bdi>${shortened(text, 100)}</bdi>”${where}.`;
	}
	if (size !== undefined) {
		return html`No images${sized}${where}.`;
	}
	if (among === 'older') {
		return html`${messages.noOlderStyle}`;
	}
	if (among === 'kept') {
		return html`${messages.noStarred}`;
	}
	return folder === undefined
		? html`${messages.noFolder}`
		: html`No images in the folder <bdi>${folder}</bdi>.`;
}
