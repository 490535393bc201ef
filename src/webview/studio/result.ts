import { css, html, nothing, type TemplateResult } from 'lit';

/** What has come of what the page did itself. */
export interface Result {
	readonly text: string;
	readonly failed: boolean;
}

/** Shows it, and has it read; both places are there before, as screen readers want it. */
export function resultLines(result: Result | undefined): TemplateResult {
	return html`
		<p class="result" role="status">${result?.failed === false ? result.text : nothing}</p>
		<p class="result failed" role="alert">${result?.failed === true ? result.text : nothing}</p>
	`;
}

export const resultStyles = css`
	.result {
		margin: 0;
		overflow-wrap: anywhere;
	}

	.result.failed {
		color: var(--vscode-errorForeground);
	}
`;
