import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { css, html, type TemplateResult } from 'lit';

/** Leads back to what was shown before. For a `.toolbar`. */
export function backButton(goBack: () => void): TemplateResult {
	return html`
		<button class="back" @click=${goBack}>
			<vscode-icon name="arrow-left"></vscode-icon>
			Back
		</button>
	`;
}

export const backStyles = css`
	.back {
		gap: 4px;
		padding-inline: 4px 8px;
	}
`;
