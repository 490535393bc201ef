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
export const dots = 'M3 7.5V8.5M8 7.5V8.5M13 7.5V8.5';
