import { LitElement } from 'lit';
import { property } from 'lit/decorators.js';
import type { StudioStore } from './store.js';

/**
 * An element of the studio's page: it is drawn from the store, anew at every change of it. It has no
 * shadow root, so that one style sheet serves the page.
 */
export abstract class StudioElement extends LitElement {
	@property({ attribute: false }) accessor store!: StudioStore;

	#unsubscribe: (() => void) | undefined;

	override connectedCallback(): void {
		super.connectedCallback();
		this.#unsubscribe = this.store.subscribe(() => this.requestUpdate());
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#unsubscribe?.();
	}

	protected override createRenderRoot(): HTMLElement {
		return this;
	}

	/** Whether something in it has the focus. */
	protected get hasFocus(): boolean {
		return this.contains(document.activeElement);
	}
}
