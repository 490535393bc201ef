import { html, nothing, type TemplateResult } from 'lit';
import type { Result } from './store.js';

/** Shows what has come of something, and has it read; both places exist before, for screen readers. */
export function resultLines(result: Result | undefined): TemplateResult {
	return html`
		<p class="result" role="status">${result?.failed === false ? result.text : nothing}</p>
		<p class="result failed" role="alert">${result?.failed === true ? result.text : nothing}</p>
	`;
}
