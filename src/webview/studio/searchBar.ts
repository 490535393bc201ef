import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import { query } from 'lit/decorators.js';
import type { Query } from '../../protocol/studioModel.js';
import { codicon } from '../codicon.js';
import { hints, pageLabels } from '../messages.js';
import { openMenuBelow, type MenuItem } from './easelMenu.js';
import { iconButton, segmentedControl } from './parts.js';
import { askJobs, tallyOf, type Tally } from './jobActions.js';
import type { FolderState } from './store/imageSearch.js';
import { StudioElement } from './studioElement.js';

/** Search among the images, and the number of jobs. */
export class SearchBar extends StudioElement {
	@query('vscode-textfield') private accessor field!: VscodeTextfield;

	/** True where the focus goes to the images as soon as what was typed has been found. */
	#isLeaving = false;

	protected override updated(): void {
		const { store } = this;
		if (store.focus.take('search') !== undefined) {
			this.field.focus();
		}
		if (this.#isLeaving && !store.search.isRunning) {
			this.#isLeaving = false;
			store.focus.request('grid');
		}
	}

	protected override render(): TemplateResult {
		const { store } = this;
		const { text } = store.search.query;
		return html`
			<div class="bar row" role="search" @keydown=${this.#onKey}>
				<vscode-textfield
					.label=${'Search Images'}
					placeholder="Search…"
					.value=${text}
					@input=${() => this.#change({ text: this.field.value }, true)}
				>
					<span slot="content-before">${codicon('search')}</span>
					${
						text === ''
							? nothing
							: html`<button
									slot="content-after"
									class="icon"
									aria-label=${pageLabels.clearSearch}
									title="${pageLabels.clearSearch} (Escape)"
									@click=${this.#clear}
								>
									${codicon('close')}
								</button>`
					}
				</vscode-textfield>
				${store.library.showsFolder ? this.#cells() : this.#sizes()}
				${iconButton(pageLabels.showContactSheet, 'table', () => void store.ask({ type: 'chooseFolder' }))}
				${iconButton(pageLabels.keys, 'question', () => store.view.set({ showsKeys: true }), { title: `${pageLabels.keys} (?)` })}
				${this.#filters()}
				<div class="tally row">
					${tallyOf(store.jobs.byId.values()).map(
						(tally) => html`
							<button
								class="link ${tally.state}"
								@click=${(event: Event) => this.#onTally(event, tally)}
							>
								${tally.words}
							</button>
						`,
					)}
					<span class="quiet" role="status">${this.#count}</span>
				</div>
			</div>
		`;
	}

	#filters(): TemplateResult {
		const { library, search } = this.store;
		const { rounds } = library;
		const { among } = search.query;
		const folder = rounds?.folder;
		const favorites = rounds !== undefined && rounds.favorites > 0 ? rounds.favorites : undefined;
		const hasOlder = rounds?.hasStyle === true || among === 'older';
		return segmentedControl<Query['among']>({
			name: 'among',
			legend: pageLabels.show,
			value: among,
			choose: (value) => this.#change({ among: value }, false),
			options: [
				{ value: 'all', label: pageLabels.all },
				{ value: 'favorites', label: pageLabels.starred, count: favorites },
				...(hasOlder
					? [{ value: 'older' as const, label: pageLabels.olderStyle, title: hints.olderStyle }]
					: []),
				{
					value: among === 'files' ? among : 'folder',
					label: folder === undefined ? pageLabels.folderOfDocument : pageLabels.folder(folder),
					title: folder ?? hints.noFolder,
					isDisabled: folder === undefined && among !== 'folder' && among !== 'files',
				},
			],
		});
	}

	#cells(): TemplateResult {
		const { search } = this.store;
		return segmentedControl<FolderState['cells']>({
			name: 'cells',
			legend: hints.cells,
			value: search.folder?.cells ?? 'medium',
			choose: (cells) => search.saveFolder({ cells }),
			options: [
				{ value: 'small', label: 'S', name: pageLabels.small },
				{ value: 'medium', label: 'M', name: pageLabels.medium },
				{ value: 'large', label: 'L', name: pageLabels.large },
			],
		});
	}

	#sizes(): TemplateResult {
		const { composer, search } = this.store;
		const { query } = search;
		return html`
			<select
				aria-label="Size"
				@change=${({ target }: Event) => {
					const { value } = target as HTMLSelectElement;
					const { text, among } = search.query;
					search.run(value === '' ? { text, among } : { text, among, size: value });
				}}
			>
				<option value="" .selected=${query.size === undefined}>${pageLabels.allSizes}</option>
				${(composer.setup?.sizes ?? []).map(
					({ size }) => html`
						<option value=${size} .selected=${query.size === size}>
							${size === 'auto' ? hints.automatic : size.replace('x', ' × ')}
						</option>
					`,
				)}
			</select>
		`;
	}

	get #count(): string {
		const { library, search } = this.store;
		const { rounds, imageIds } = library;
		if (rounds === undefined || rounds.total === 0 || search.isRunning) {
			return '';
		}
		const { length } = imageIds;
		return length === rounds.total ? hints.images(length) : hints.of(length, rounds.total, 'image');
	}

	// --- What the user does

	readonly #clear = (): void => {
		this.#change({ text: '' }, false);
		this.field.focus();
	};

	#change(part: Partial<Query>, isTyping: boolean): void {
		this.store.search.run({ ...this.store.search.query, ...part }, isTyping);
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.defaultPrevented || event.isComposing) {
			return;
		}
		if (event.key === 'Escape' && this.store.search.query.text !== '') {
			event.preventDefault();
			this.#clear();
		} else if (event.target === this.field && ['Enter', 'ArrowDown'].includes(event.key)) {
			event.preventDefault();
			this.#isLeaving = true;
			this.requestUpdate();
		}
	};

	/** Leads to the jobs of a state; for failures, offers what can be done about all of them. */
	#onTally(event: Event, { state, ids }: Tally): void {
		const { store } = this;
		const reveal = () => store.view.reveal(ids[0]!);
		if (state !== 'failed') {
			reveal();
			return;
		}
		const all = ids.length > 1;
		const groups: MenuItem[][] = [
			[{ label: all ? pageLabels.showNewest : pageLabels.show, icon: 'eye', run: reveal }],
			[
				{
					label: all ? pageLabels.retryAll(ids.length) : pageLabels.retry,
					icon: 'sync',
					run: () => askJobs(store, ids, 'again'),
				},
				{
					label: all ? pageLabels.dismissAll : pageLabels.dismiss,
					icon: 'close-all',
					run: () => askJobs(store, ids, 'dismiss'),
				},
			],
		];
		openMenuBelow(event, { name: pageLabels.failedImages, groups });
	}
}

customElements.define('easel-search-bar', SearchBar);
