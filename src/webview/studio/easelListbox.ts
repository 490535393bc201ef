import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, queryAll } from 'lit/decorators.js';
import { dispatch } from '../dispatch.js';
import { hasModifier } from '../keys.js';
import { styles } from './easelListbox.styles.js';
import { itemForKey } from './listKeys.js';
import { pageStyles } from './page.styles.js';

export interface ListOption {
	readonly value: string;
	readonly label: string;
	/** Beside the label. */
	readonly detail?: string;
	/** Below it: what it is good for. */
	readonly use?: string;
	/** What a person should know before taking it, in a word. */
	readonly mark?: string;
	readonly picture?: TemplateResult;
}

declare global {
	interface HTMLElementEventMap {
		/** The value of the option that was taken, also where it was the chosen one already. */
		'easel-listbox-choose': CustomEvent<string>;
	}
}

/** A list to choose one of, by pointer and keys as any list of the workbench. */
export class EaselListbox extends LitElement {
	static override readonly styles = [pageStyles, styles];

	/** What is chosen here, for who does not see it. */
	@property() accessor label = '';
	@property({ attribute: false }) accessor options: readonly ListOption[] = [];
	@property() accessor value = '';

	@queryAll('[role="option"]') private accessor rows!: NodeListOf<HTMLElement>;

	/** Gives the focus to the chosen option. */
	override focus(options?: FocusOptions): void {
		this.rows[Math.max(this.#chosen, 0)]?.focus(options);
	}

	protected override render(): TemplateResult {
		const tabStop = Math.max(this.#chosen, 0);
		return html`
			<div role="listbox" aria-label=${this.label} @keydown=${this.#onKey}>
				${this.options.map((option, index) => this.#row(option, index === tabStop))}
			</div>
		`;
	}

	get #chosen(): number {
		return this.options.findIndex(({ value }) => value === this.value);
	}

	#row(option: ListOption, isTabStop: boolean): TemplateResult {
		const { value, label, detail, use, mark, picture } = option;
		return html`
			<div
				class="option"
				role="option"
				tabindex=${isTabStop ? 0 : -1}
				aria-selected=${value === this.value ? 'true' : 'false'}
				@click=${() => this.#choose(value)}
			>
				${picture ?? nothing}
				<span class="words">
					<span class="line">
						<span class="name">${label}</span>
						${detail === undefined ? nothing : html`<span class="detail">${detail}</span>`}
						${mark === undefined ? nothing : html`<span class="mark">${mark}</span>`}
					</span>
					${use === undefined ? nothing : html`<span class="use">${use}</span>`}
				</span>
			</div>
		`;
	}

	#choose(value: string): void {
		dispatch(this, 'easel-listbox-choose', value);
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		if (hasModifier(event)) {
			return;
		}
		const rows = [...this.rows];
		const at = rows.findIndex((row) => row.matches(':focus'));
		const option = this.options[at];
		if ((event.key === 'Enter' || event.key === ' ') && option !== undefined) {
			event.preventDefault();
			event.stopPropagation();
			this.#choose(option.value);
			return;
		}
		const texts = this.options.map(({ label }) => label);
		const to = itemForKey(event.key, texts, at);
		if (to !== undefined) {
			event.preventDefault();
			event.stopPropagation();
			rows[to]?.focus();
		}
	};
}

customElements.define('easel-listbox', EaselListbox);
