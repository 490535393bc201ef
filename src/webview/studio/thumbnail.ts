import { html, type TemplateResult } from 'lit';
import type { StudioStore } from './store.js';

/** A small picture beside words that say what it is; `undefined` where none can be shown. */
export function thumbnail(
	store: Pick<StudioStore, 'broken' | 'noteBroken'>,
	source: string | undefined,
): TemplateResult | undefined {
	return source === undefined || store.broken.has(source)
		? undefined
		: html`<img
				src=${source}
				alt=""
				decoding="async"
				draggable="false"
				@error=${() => store.noteBroken(source)}
			/>`;
}
