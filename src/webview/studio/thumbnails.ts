import { html, type ReactiveControllerHost, type TemplateResult } from 'lit';

/** The thumbnails of an element, and which of them could not be loaded. */
export class Thumbnails {
	readonly #broken = new Set<string>();

	constructor(private readonly host: ReactiveControllerHost) {}

	/** How many could not be loaded. */
	get broken(): number {
		return this.#broken.size;
	}

	/** A small picture beside words that say what it is; `undefined` where none can be shown. */
	image(source: string | undefined): TemplateResult | undefined {
		if (source === undefined || this.#broken.has(source)) {
			return undefined;
		}
		const onError = () => {
			this.#broken.add(source);
			this.host.requestUpdate();
		};
		return html`<img src=${source} alt="" decoding="async" draggable="false" @error=${onError} />`;
	}
}
