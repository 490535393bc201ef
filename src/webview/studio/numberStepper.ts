import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, LitElement, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import { dispatch } from '../dispatch.js';
import { between } from '../geometry.js';
import { hasModifier } from '../keys.js';
import { styles } from './numberStepper.styles.js';
import { buttonStyles, pageStyles } from './page.styles.js';

declare global {
	interface HTMLElementEventMap {
		'easel-number-change': CustomEvent<number>;
	}
}

/** A small number, from 1 to the most. Its buttons are for the pointer, the number is for the keys. */
export class NumberStepper extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles];

	@property() accessor label = '';
	@property({ type: Number }) accessor value = 1;
	@property({ type: Number }) accessor most = 1;

	protected override render(): TemplateResult {
		return html`
			<div class="stepper" title=${this.label}>
				${this.#button('One less', 'remove', this.value - 1)}
				<span
					class="number"
					role="spinbutton"
					tabindex="0"
					aria-label=${this.label}
					aria-valuenow=${this.value}
					aria-valuemin="1"
					aria-valuemax=${this.most}
					@keydown=${this.#onKey}
					>${this.value}</span
				>
				${this.#button('One more', 'add', this.value + 1)}
			</div>
		`;
	}

	#button(label: string, icon: string, to: number): TemplateResult {
		return html`
			<button
				class="icon"
				tabindex="-1"
				aria-label=${label}
				?disabled=${to < 1 || to > this.most}
				@click=${() => this.#change(to)}
			>
				<vscode-icon name=${icon} size="12"></vscode-icon>
			</button>
		`;
	}

	#change(to: number): void {
		const value = between(1, to, this.most);
		if (value !== this.value) {
			dispatch(this, 'easel-number-change', value);
		}
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		const to = hasModifier(event) ? undefined : this.#numberFor(event.key);
		if (to !== undefined) {
			event.preventDefault();
			this.#change(to);
		}
	};

	/** Which number a key stands for; `undefined` for any other key. */
	#numberFor(key: string): number | undefined {
		switch (key) {
			case 'ArrowUp':
			case 'ArrowRight':
				return this.value + 1;
			case 'ArrowDown':
			case 'ArrowLeft':
				return this.value - 1;
			case 'Home':
				return 1;
			case 'End':
				return this.most;
			default:
				return /^[1-9]$/.test(key) ? Number(key) : undefined;
		}
	}
}

customElements.define('easel-number-stepper', NumberStepper);
