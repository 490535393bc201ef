import { css, html, type TemplateResult } from 'lit';
import { codicon } from '../codicon.js';
import { labels } from '../messages.js';

/** Leads back to what was shown before. For a `.toolbar`. */
export function backButton(goBack: () => void): TemplateResult {
	return html`
		<button class="back" @click=${goBack}>${codicon('arrow-left')} ${labels.back}</button>
	`;
}

export const backStyles = css`
	.back {
		gap: 4px;
		padding-inline: 4px 8px;
	}
`;
