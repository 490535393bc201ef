import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { VscodeTextfield } from '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, query } from 'lit/decorators.js';
import { codicon } from '../codicon.js';
import { everything, type Job, type Query, type SizeOption } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import { tallyOf, type Tally } from './failures.js';
import { ask } from './events.js';
import { iconButton } from './iconButton.js';
import { buttonStyles, pageStyles } from './page.styles.js';
import { styles } from './searchBar.styles.js';
import { imagesIn, isSearching, type Rounds } from './streamRounds.js';
import { hints, labels } from '../messages.js';

declare global {
	interface HTMLElementEventMap {
		/** Something else is looked for. While it is being typed, more of it may come. */
		'easel-search-change': CustomEvent<{ readonly query: Query; readonly isTyping: boolean }>;
		/** The user is done with typing, and wants to go to what is found. */
		'easel-search-leave': CustomEvent<undefined>;
		/** What there is of a state is wanted: what can be done with it, below `button`. */
		'easel-search-tally': CustomEvent<{ readonly tally: Tally; readonly button: HTMLElement }>;
	}
}

const amongNames: readonly (readonly [Query['among'], string])[] = [
	['all', labels.all],
	['kept', labels.starred],
	['older', labels.olderStyle],
	['folder', labels.folderOfDocument],
];

/** What is looked for among the images, and how much is going on. */
export class SearchBar extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles];

	@property({ attribute: false }) accessor query: Query = everything;
	/** Missing while nothing is known yet. */
	@property({ attribute: false }) accessor rounds: Rounds | undefined;
	@property({ attribute: false }) accessor sizes: readonly SizeOption[] = [];
	@property({ attribute: false }) accessor jobs: readonly Job[] = [];

	@query('vscode-textfield') private accessor field!: VscodeTextfield;

	override focus(): void {
		this.field.focus();
	}

	protected override render(): TemplateResult {
		const { query, rounds } = this;
		return html`
			<div class="bar" role="search" @keydown=${this.#onKey}>
				<vscode-textfield
					.label=${'Search Images'}
					placeholder="Search…"
					.value=${query.text}
					@input=${() => this.#change({ text: this.field.value }, true)}
				>
					<span slot="content-before">${codicon('search')}</span>
					${this.#clearButton()}
				</vscode-textfield>
				${this.#sizes()}
				${iconButton(labels.showContactSheet, 'table', () => ask(this, { type: 'sheet', action: 'choose' }))}
				<fieldset>
					<legend class="hidden">Show</legend>
					${amongNames.map(([among, name]) => this.#among(among, name))}
				</fieldset>
				<div class="tally">
					${tallyOf(this.jobs).map((tally) => this.#tally(tally))}
					<span class="quiet" role="status">${countWords(rounds, query)}</span>
				</div>
			</div>
		`;
	}

	#clearButton(): TemplateResult | typeof nothing {
		if (this.query.text === '') {
			return nothing;
		}
		return html`<button
			slot="content-after"
			class="icon"
			aria-label="Clear Search"
			title="Clear Search (Escape)"
			@click=${this.#clear}
		>
			${codicon('close')}
		</button>`;
	}

	#among(among: Query['among'], name: string): TemplateResult | typeof nothing {
		const { rounds } = this;
		if (among === 'older' && rounds?.hasStyle !== true && this.query.among !== 'older') {
			return nothing;
		}
		const hint =
			among === 'older'
				? hints.olderStyle
				: among === 'folder'
					? (rounds?.folder ?? hints.noFolder)
					: nothing;
		const isMissing = among === 'folder' && rounds?.folder === undefined;
		const kept = among === 'kept' && rounds !== undefined && rounds.kept > 0 ? rounds.kept : '';
		return html`
			<label title=${hint}>
				<input
					type="radio"
					name="among"
					.checked=${this.query.among === among}
					?disabled=${isMissing && this.query.among !== 'folder'}
					@change=${() => this.#change({ among }, false)}
				/>
				<span
					>${labelOf(among, name, rounds)}${kept === '' ? nothing : html` <small>${kept}</small>`}</span
				>
			</label>
		`;
	}

	#sizes(): TemplateResult {
		return html`
			<select
				aria-label="Size"
				@change=${({ target }: Event) => {
					const { value } = target as HTMLSelectElement;
					const { text, among } = this.query;
					this.#send(value === '' ? { text, among } : { text, among, size: value }, false);
				}}
			>
				<option value="" .selected=${this.query.size === undefined}>${labels.allSizes}</option>
				${this.sizes.map(
					({ size }) => html`
						<option value=${size} .selected=${this.query.size === size}>${sizeName(size)}</option>
					`,
				)}
			</select>
		`;
	}

	#tally(tally: Tally): TemplateResult {
		return html`
			<button
				class="link ${tally.state}"
				@click=${({ currentTarget }: Event) =>
					dispatch(this, 'easel-search-tally', { tally, button: currentTarget as HTMLElement })}
			>
				${tally.words}
			</button>
		`;
	}

	// --- What the user does

	readonly #clear = (): void => {
		this.#change({ text: '' }, false);
		this.field.focus();
	};

	#change(part: Partial<Query>, isTyping: boolean): void {
		this.#send({ ...this.query, ...part }, isTyping);
	}

	#send(query: Query, isTyping: boolean): void {
		dispatch(this, 'easel-search-change', { query, isTyping });
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.defaultPrevented || event.isComposing) {
			return;
		}
		if (event.key === 'Escape' && this.query.text !== '') {
			event.preventDefault();
			this.#clear();
		} else if (event.target === this.field && ['Enter', 'ArrowDown'].includes(event.key)) {
			event.preventDefault();
			dispatch(this, 'easel-search-leave', undefined);
		}
	};
}

customElements.define('easel-search-bar', SearchBar);

/** The folder that is searched has its name on the button. */
function labelOf(among: Query['among'], name: string, rounds: Rounds | undefined): string {
	return among === 'folder' && rounds?.folder !== undefined ? labels.folder(rounds.folder) : name;
}

function sizeName(size: string): string {
	return size === 'auto' ? hints.automatic : size.replace('x', ' × ');
}

function countWords(rounds: Rounds | undefined, query: Query): string {
	if (rounds === undefined || rounds.total === 0 || isSearching(rounds, query)) {
		return '';
	}
	const found = imagesIn(rounds.rounds).length;
	return found === rounds.total ? hints.images(found) : hints.of(found, rounds.total, 'image');
}
