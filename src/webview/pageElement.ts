import { LitElement } from 'lit';

/** An element without a shadow root: the style sheet of its page serves it. */
export abstract class PageElement extends LitElement {
	protected override createRenderRoot(): HTMLElement {
		return this;
	}

	/** True where something in it has the focus. */
	protected get hasFocus(): boolean {
		return this.contains(document.activeElement);
	}
}
