import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { maxPromptLength } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import { hasModifier } from '../keys.js';
import { characterWords } from './draft.js';
import { styles } from './easelPrompt.styles.js';
import { ask } from './events.js';
import { pageStyles } from './page.styles.js';
import { PromptHistory } from './promptHistory.js';

declare global {
	interface HTMLElementEventMap {
		/** The user has written, or taken one of the last prompts. */
		'easel-prompt-change': CustomEvent<string>;
	}
}

/** Who writes more wonders how much it is; in UTF-16 code units. */
const longEnoughToCount = 1000;

/** The field for the prompt. Its value is kept by whoever has it. */
export class EaselPrompt extends LitElement {
	static override readonly styles = [pageStyles, styles];

	@property() accessor value = '';
	/** What is to be written, for the empty field. */
	@property() accessor placeholder = '';
	/** The last prompts, newest first. */
	@property({ attribute: false }) accessor history: readonly string[] = [];

	@query('textarea') private accessor field!: HTMLTextAreaElement;

	readonly #walk = new PromptHistory();

	override focus(options?: FocusOptions): void {
		this.field.focus(options);
	}

	protected override updated(changed: PropertyValues<this>): void {
		// Browsers without `field-sizing`.
		if (changed.has('value') && !CSS.supports('field-sizing', 'content')) {
			const { style, offsetHeight, clientHeight } = this.field;
			style.height = 'auto';
			style.height = `${this.field.scrollHeight + offsetHeight - clientHeight}px`;
		}
	}

	protected override render(): TemplateResult {
		return html`
			<textarea
				aria-label="Prompt"
				rows="2"
				maxlength=${maxPromptLength}
				placeholder=${this.placeholder}
				aria-describedby="history"
				.value=${live(this.value)}
				@input=${this.#onInput}
				@keydown=${this.#onKey}
				@pointerdown=${() => this.#walk.stay()}
			></textarea>
			${
				this.value.length < longEnoughToCount
					? nothing
					: html`<p class="quiet count">${characterWords(this.value)}</p>`
			}
			<span class="hidden" id="history">Arrow Up in the empty field brings the last prompts.</span>
		`;
	}

	readonly #onInput = (): void => {
		this.#walk.stay();
		this.#change(this.field.value);
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		// While a composition goes on, its window has the keys.
		if (hasModifier(event) || event.shiftKey || event.isComposing) {
			return;
		}
		const taken = this.#taken(event.key);
		if (taken === undefined) {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
		// At once, so that the next key finds it.
		this.field.value = taken;
		this.field.setSelectionRange(taken.length, taken.length);
		this.#change(taken);
		ask(this, { type: 'recallReferences', prompt: taken });
	};

	/** What a key brings into the field. */
	#taken(key: string): string | undefined {
		switch (key) {
			case 'ArrowUp':
				return this.#walk.older(this.field.value, this.history);
			case 'ArrowDown':
				return this.#walk.newer();
			case 'Escape':
				return this.#walk.leave();
			default:
				// Whoever moves in the text wants to change it.
				this.#walk.stay();
				return undefined;
		}
	}

	#change(value: string): void {
		dispatch(this, 'easel-prompt-change', value);
	}
}

customElements.define('easel-prompt', EaselPrompt);
