import { html, type TemplateResult } from 'lit';
import * as drawings from './icons.js';

/** An icon of VS Code, by its name there. */
export type IconName = keyof typeof drawings;

/** Templates without places to fill, of texts that came with the package. Each is parsed once. */
const templates = new Map(
	Object.entries(drawings).map(([name, drawing]) => {
		const strings = [drawing];
		return [name, html(Object.assign(strings, { raw: strings }))];
	}),
);

/**
 * Draws an icon of VS Code in the color of the text around it. Screen readers do not see it.
 *
 * @param size in pixels
 */
export function codicon(name: IconName, size: 16 | 32 = 16): TemplateResult {
	return html`<span class="codicon size-${size}" aria-hidden="true">${templates.get(name)}</span>`;
}
