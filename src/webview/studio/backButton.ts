import { html, type TemplateResult } from 'lit';
import { codicon } from '../codicon.js';
import { labels } from '../messages.js';

/** Leads back to what was shown before. */
export function backButton(goBack: () => void): TemplateResult {
	return html`
		<button class="back" @click=${goBack}>${codicon('arrow-left')} ${labels.back}</button>
	`;
}
