import { property } from 'lit/decorators.js';
import { PageElement } from '../pageElement.js';
import type { StudioStore } from './store.js';

/** An element of the studio's page: it is drawn from the store, anew at every change of it. */
export abstract class StudioElement extends PageElement {
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
}
