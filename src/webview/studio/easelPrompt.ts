import { html, nothing, type TemplateResult } from 'lit';
import { query } from 'lit/decorators.js';
import { maxPromptLength } from '../../protocol/studioModel.js';
import { hasModifier } from '../keys.js';
import { characterWords, placeholderFor } from './draft.js';
import { PromptHistory } from './promptHistory.js';
import { StudioElement } from './studioElement.js';

/** Who writes more wonders how much it is; in UTF-16 code units. */
const longEnoughToCount = 1000;

/** The field for the prompt. Its undo brings back whatever was put in its place, too. */
export class EaselPrompt extends StudioElement {
	@query('textarea') private accessor field!: HTMLTextAreaElement;

	readonly #walk = new PromptHistory();

	override focus(options?: FocusOptions): void {
		this.field.focus(options);
	}

	protected override updated(): void {
		const { prompt } = this.store.composer.draft;
		if (this.field.value !== prompt) {
			this.#replace(prompt);
		}
	}

	/**
	 * Puts a text in the place of all that is written. As if it was typed, because no other way is
	 * undone by the browser; but not where that would take the focus from another field, or window.
	 */
	#replace(text: string): void {
		const { activeElement } = document;
		const isWritingElsewhere =
			activeElement !== this.field &&
			activeElement?.matches('input, textarea, select, vscode-textfield') === true;
		if (document.hasFocus() && !isWritingElsewhere) {
			this.field.focus({ preventScroll: true });
			this.field.select();
			document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
			if (activeElement instanceof HTMLElement && activeElement !== document.body) {
				activeElement.focus({ preventScroll: true });
			}
		}
		if (this.field.value !== text) {
			this.field.value = text;
		}
	}

	protected override render(): TemplateResult {
		const { draft, references = [] } = this.store.composer;
		const { prompt } = draft;
		return html`
			<textarea
				aria-label="Prompt"
				rows="2"
				maxlength=${maxPromptLength}
				placeholder=${placeholderFor(references)}
				aria-describedby="history"
				@input=${this.#onInput}
				@keydown=${this.#onKey}
				@pointerdown=${() => this.#walk.stay()}
			></textarea>
			${
				prompt.length < longEnoughToCount
					? nothing
					: html`<p class="quiet characters">${characterWords(prompt)}</p>`
			}
			<span class="hidden" id="history">Arrow Up in the empty field brings the last prompts.</span>
		`;
	}

	readonly #onInput = (): void => {
		const { value } = this.field;
		// Else it was put there by the page.
		if (value !== this.store.composer.draft.prompt) {
			this.#walk.stay();
			this.store.composer.write({ prompt: value });
		}
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		// While a composition goes on, its window has the keys.
		if (hasModifier(event) || event.shiftKey || event.isComposing) {
			return;
		}
		const taken = this.#taken(event.key);
		if (taken !== undefined) {
			event.preventDefault();
			event.stopPropagation();
			// At once, so that the next key finds it.
			this.store.composer.write({ prompt: taken });
			this.#replace(taken);
			this.store.composer.recallMarks(taken);
			void this.store.ask({ type: 'recallReferences', prompt: taken });
		}
	};

	/** Returns the prompt that a key brings into the field. */
	#taken(key: string): string | undefined {
		const { recent, setup } = this.store.composer;
		switch (key) {
			case 'ArrowUp':
				return this.#walk.older(this.field.value, [
					...new Set([...recent, ...(setup?.history ?? [])]),
				]);
			case 'ArrowDown':
				return this.#walk.newer();
			case 'Escape':
				return this.#walk.leave();
			default:
				// Who moves in the text wants to change it.
				this.#walk.stay();
				return undefined;
		}
	}
}

customElements.define('easel-prompt', EaselPrompt);
