import { html, svg, type TemplateResult } from 'lit';

/**
 * Draws lines in a square of 16 pixels. It is there at once, while a `vscode-icon` reads the style
 * sheet of all icons anew: for what is there many times.
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

/** Of what opens a menu with more. */
export const dots = [3, 8, 13]
	.map((x) => `M${x - 0.6} 8a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0 -1.2 0`)
	.join('');
