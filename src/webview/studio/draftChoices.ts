import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { codicon } from '../codicon.js';
import {
	maxImages,
	qualityNames,
	type Quality,
	type Reference,
	type SizeOption,
} from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import {
	chosenQuality,
	chosenSize,
	choiceWords,
	editedOf,
	emptyDraft,
	qualityOf,
	sentReferences,
	sizeOf,
	type Draft,
	type Setup,
} from './draft.js';
import { styles } from './draftChoices.styles.js';
import './easelListbox.js';
import type { EaselListbox, ListOption } from './easelListbox.js';
import './numberChoice.js';
import { buttonStyles, pageStyles } from './page.styles.js';
import { besideButton, Popup } from './popup.js';
import { namesOf, sizePicture } from './sizePicture.js';
import { hints, labels, messages } from '../messages.js';

declare global {
	interface HTMLElementEventMap {
		/** A person has chosen this. */
		'easel-choices-choose': CustomEvent<Partial<Draft>>;
	}
}

const qualityOptions: readonly ListOption[] = Object.entries(qualityNames).map(
	([value, { label, description }]) => ({ value, label, use: capitalized(description) }),
);

/** Which of the choices lie over the page. */
type Opened = 'size' | 'quality' | 'all';

/** Size, quality and number of images in one line; behind one button where there is no room. */
export class DraftChoices extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles];

	@property({ attribute: false }) accessor draft: Draft = emptyDraft;
	@property({ attribute: false }) accessor setup!: Setup;
	/** With them there is no quality to choose. */
	@property({ attribute: false }) accessor references: readonly Reference[] = [];
	@property({ type: Boolean }) accessor narrow = false;

	@state() private accessor opened: Opened | undefined;

	@query('.popup') private accessor popup!: HTMLElement;
	@query('easel-listbox') private accessor firstList!: EaselListbox;

	readonly #popup = new Popup(this, {
		element: () => this.popup,
		closed: () => {
			this.opened = undefined;
		},
	});

	protected override render(): TemplateResult {
		return html`
			<div class="choices">${this.narrow ? this.#all() : this.#each()}</div>
			<div
				class="popup"
				popover="manual"
				role=${this.opened === 'all' ? 'dialog' : nothing}
				aria-label=${this.opened === 'all' ? labels.sizeQualityNumber : nothing}
				@keydown=${this.#onKey}
				@focusout=${this.#onFocusOut}
			>
				${this.opened === undefined ? nothing : this.#lists(this.opened)}
			</div>
		`;
	}

	/** Those of the style among them. */
	get #hasReferences(): boolean {
		return sentReferences(this.references, this.draft, this.setup) > 0;
	}

	get #size(): string {
		return sizeOf(this.draft, this.setup, editedOf(this.references));
	}

	/** One button, which says what is chosen. */
	#all(): TemplateResult {
		const words = choiceWords(this.draft, this.setup, this.references);
		return this.#button('all', words, html`<span class="chosen">${words}</span>`);
	}

	#each(): TemplateResult {
		const { draft, setup } = this;
		const option = setup.sizes.find(({ size }) => size === this.#size);
		const [name, kind] = option === undefined ? ['', ''] : namesOf(option);
		const quality = qualityNames[qualityOf(draft, setup)].label;
		return html`
			${this.#button(
				'size',
				`Size: ${kind} ${name}`,
				html`${option === undefined ? nothing : sizePicture(option.size)}
					<span class="chosen">${kind}</span> <span class="quiet">${name}</span>`,
			)}
			${
				this.#hasReferences
					? nothing
					: this.#button(
							'quality',
							labels.qualityOf(quality),
							html`<span class="chosen">${labels.qualityOf(quality)}</span>`,
						)
			}
			${this.#number()}
		`;
	}

	#button(opens: Opened, label: string, content: TemplateResult): TemplateResult {
		return html`
			<button
				class="choice"
				aria-label=${label}
				title=${opens === 'all' ? labels.sizeQualityNumber : label}
				aria-haspopup=${opens === 'all' ? 'dialog' : 'listbox'}
				aria-expanded=${this.opened === opens ? 'true' : 'false'}
				@click=${(event: Event) => void this.#toggle(opens, event.currentTarget as HTMLElement)}
			>
				${content}${codicon('chevron-down', 12)}
			</button>
		`;
	}

	#lists(opened: Opened): TemplateResult {
		const hasQuality = !this.#hasReferences;
		return html`
			${opened === 'quality' ? nothing : this.#sizes(opened === 'all')}
			${opened === 'quality' || (opened === 'all' && hasQuality) ? this.#qualities(opened === 'all') : nothing}
			${opened === 'all' && !hasQuality ? html`<p class="quiet note">${messages.qualityIgnored}</p>` : nothing}
			${
				opened === 'all'
					? html`<div class="number"><span class="label">Images</span>${this.#number()}</div>`
					: nothing
			}
		`;
	}

	#sizes(hasTitle: boolean): TemplateResult {
		const { setup } = this;
		return html`
			${hasTitle ? html`<p class="label title">Size</p>` : nothing}
			<easel-listbox
				label="Size"
				.options=${setup.sizes.map(optionOf)}
				.value=${this.#size}
				@easel-listbox-choose=${({ detail }: CustomEvent<string>) =>
					this.#choose(chosenSize(detail, setup, editedOf(this.references)))}
			></easel-listbox>
		`;
	}

	#qualities(hasTitle: boolean): TemplateResult {
		const { draft, setup } = this;
		return html`
			${hasTitle ? html`<p class="label title">Quality</p>` : nothing}
			<easel-listbox
				label="Quality"
				.options=${qualityOptions}
				.value=${qualityOf(draft, setup)}
				@easel-listbox-choose=${({ detail }: CustomEvent<string>) =>
					this.#choose(chosenQuality(detail as Quality, setup))}
			></easel-listbox>
		`;
	}

	#number(): TemplateResult {
		return html`
			<easel-number-choice
				label="Number of images"
				.value=${this.draft.count}
				.most=${maxImages}
				@easel-number-change=${({ detail: count }: CustomEvent<number>) =>
					dispatch(this, 'easel-choices-choose', { count })}
			></easel-number-choice>
		`;
	}

	// --- What the user does

	async #toggle(opens: Opened, button: HTMLElement): Promise<void> {
		if (this.opened === opens) {
			this.#popup.close();
			return;
		}
		this.#popup.dismiss();
		this.opened = opens;
		await this.updateComplete;
		await this.firstList.updateComplete;
		const { x, y, width, height } = button.getBoundingClientRect();
		this.#popup.open((size, window) => besideButton({ x, y, width, height }, size, window), button);
		this.firstList.focus();
	}

	#choose(part: Partial<Draft>): void {
		dispatch(this, 'easel-choices-choose', part);
		// Where there is more to choose, it stays.
		if (this.opened !== 'all') {
			this.#popup.close();
		}
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		const isList = this.opened !== 'all';
		if (event.key === 'Escape' || (event.key === 'Tab' && isList)) {
			event.preventDefault();
			event.stopPropagation();
			this.#popup.close();
		}
	};

	/** Tab leads on from the last of the choices: then they are done. Its own button closes it itself. */
	readonly #onFocusOut = ({ relatedTarget }: FocusEvent): void => {
		const isOwn =
			relatedTarget instanceof Element &&
			(this.popup.contains(relatedTarget) || relatedTarget.matches('[aria-expanded="true"]'));
		if (relatedTarget !== null && !isOwn) {
			this.#popup.dismiss();
		}
	};
}

customElements.define('easel-draft-choices', DraftChoices);

function optionOf(option: SizeOption): ListOption {
	const [name, kind] = namesOf(option);
	return {
		value: option.size,
		label: kind,
		detail: name,
		use: capitalized(option.use),
		picture: sizePicture(option.size),
		...(option.experimental ? { mark: hints.experimental } : {}),
	};
}

function capitalized(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}
