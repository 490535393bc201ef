import { html, svg, type TemplateResult } from 'lit';

/**
 * Draws lines in a square of 16 pixels: for what both pages have. The icons of VS Code are more
 * than the page of a comparison needs.
 */
export function icon(path: string): TemplateResult {
	return html`
		<svg
			viewBox="0 0 16 16"
			width="16"
			height="16"
			fill="none"
			stroke="currentcolor"
			aria-hidden="true"
		>
			${svg`<path d=${path} />`}
		</svg>
	`;
}
