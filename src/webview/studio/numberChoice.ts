import { html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { dispatch } from '../dispatch.js';
import { hasModifier } from '../keys.js';
import { styles } from './numberChoice.styles.js';
import { pageStyles } from './page.styles.js';

declare global {
	interface HTMLElementEventMap {
		'easel-number-change': CustomEvent<number>;
	}
}

/** A number from 1 to the most: one click, or its digit. */
export class NumberChoice extends LitElement {
	static override readonly styles = [pageStyles, styles];

	@property() accessor label = '';
	@property({ type: Number }) accessor value = 1;
	/** At most 9: what is more has no key. */
	@property({ type: Number }) accessor most = 1;

	protected override render(): TemplateResult {
		return html`
			<fieldset title=${this.label} @keydown=${this.#onKey}>
				<legend class="hidden">${this.label}</legend>
				${repeat(
					Array.from({ length: this.most }, (_, index) => index + 1),
					(number) => number,
					(number) => html`
						<label>
							<input
								type="radio"
								name="number"
								.checked=${number === this.value}
								@change=${() => this.#change(number)}
							/>
							<span>${number}</span>
						</label>
					`,
				)}
			</fieldset>
		`;
	}

	#change(value: number): void {
		if (value !== this.value) {
			dispatch(this, 'easel-number-change', value);
		}
	}

	/** The arrow keys are the browser's own. */
	readonly #onKey = (event: KeyboardEvent): void => {
		const number = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
		if (hasModifier(event) || number < 1) {
			return;
		}
		event.preventDefault();
		const value = Math.min(number, this.most);
		// The tab stop goes with the choice.
		this.renderRoot.querySelectorAll('input')[value - 1]?.focus();
		this.#change(value);
	};
}

customElements.define('easel-number-choice', NumberChoice);
