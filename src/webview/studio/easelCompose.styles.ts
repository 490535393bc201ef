import { css } from 'lit';
import { wide } from './page.styles.js';

export const styles = css`
	:host {
		position: relative;
		display: flex;
		flex-direction: column;
	}

	.fields {
		display: flex;
		flex-direction: column;
		gap: 18px;
		padding: 14px 16px;
	}

	.missing {
		display: flex;
		flex-direction: column;
		gap: 8px;
		padding: 10px 12px;
		background: var(--vscode-editorWidget-background);
		border: 1px solid var(--edge);
		border-inline-start: 3px solid var(--vscode-focusBorder);
		border-radius: 4px;
	}

	.missing p {
		display: flex;
		gap: 8px;
	}

	.buttons {
		display: flex;
		flex-wrap: wrap;
		gap: 6px;
	}

	.refusals {
		display: flex;
		align-items: flex-start;
		gap: 8px;
		margin-bottom: 6px;
		padding: 6px 4px 6px 10px;
		background: var(--vscode-inputValidation-errorBackground);
		color: var(--vscode-inputValidation-errorForeground, var(--vscode-foreground));
		border: 1px solid var(--vscode-inputValidation-errorBorder, var(--vscode-errorForeground));
		border-radius: 4px;
		overflow-wrap: anywhere;
	}

	.refusals ul {
		flex: 1;
		display: flex;
		flex-direction: column;
		gap: 4px;
		max-height: 12em;
		overflow-y: auto;
	}

	.send {
		display: flex;
		flex-direction: column;
		gap: 6px;
		padding: 10px 16px 14px;
	}

	.send button {
		width: 100%;
		min-height: 30px;
	}

	/* It keeps its place among the tab stops, so that everybody learns why it does nothing. */
	.send [aria-disabled='true'] {
		opacity: 0.5;
		cursor: default;
	}

	.send [aria-disabled='true']:hover {
		background: var(--vscode-button-background);
		outline-color: transparent;
	}

	.send p {
		min-height: 1.4em;
		font-size: 0.9em;
		text-align: center;
	}

	/* Says where to drop while something is dragged; what is below stays where it is. */
	.drop {
		position: absolute;
		inset: 6px;
		z-index: 3;
		text-align: center;
		color: var(--vscode-editor-foreground);
		background: color-mix(in srgb, var(--vscode-editor-background) 88%, transparent);
		border: 2px dashed var(--vscode-focusBorder);
		border-radius: 6px;
		pointer-events: none;
	}

	/* In the middle of what is seen of it. */
	.drop div {
		position: sticky;
		top: 40vh;
		display: flex;
		flex-direction: column;
		align-items: center;
		gap: 8px;
		padding: 16px;
	}

	@media ${wide} {
		:host {
			height: 100%;
		}

		.fields {
			flex: 1;
			min-height: 0;
			overflow-y: auto;
		}

		.send {
			border-top: 1px solid var(--edge);
		}
	}
`;
