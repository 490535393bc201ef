import { html, type TemplateResult } from 'lit';

/**
 * A small picture beside words that say what it is.
 *
 * @param onBroken called where it cannot be loaded
 */
export function thumbnailImage(source: string, onBroken: () => void): TemplateResult {
	return html` <img src=${source} alt="" decoding="async" draggable="false" @error=${onBroken} /> `;
}
