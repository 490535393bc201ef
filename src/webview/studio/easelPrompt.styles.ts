import { css } from 'lit';

export const styles = css`
	.row {
		display: flex;
		flex-wrap: wrap;
		align-items: baseline;
		justify-content: space-between;
		gap: 0 12px;
	}

	.count {
		font-variant-numeric: tabular-nums;
	}

	textarea {
		display: block;
		box-sizing: border-box;
		width: 100%;
		min-height: 6.5em;
		max-height: max(9em, 33vh);
		margin: 6px 0 0;
		padding: 6px 8px;
		field-sizing: content;
		resize: none;
		overflow-wrap: anywhere;
		font: inherit;
		line-height: 1.4;
		color: var(--vscode-input-foreground);
		background: var(--vscode-input-background);
		border: 1px solid var(--vscode-contrastBorder, var(--vscode-input-border, var(--edge)));
		border-radius: 4px;
	}

	textarea::placeholder {
		color: var(--vscode-input-placeholderForeground);
		opacity: 1;
	}

	textarea:focus {
		outline: 1px solid var(--vscode-focusBorder);
		outline-offset: -1px;
		border-color: var(--vscode-focusBorder);
	}
`;
