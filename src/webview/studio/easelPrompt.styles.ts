import { css } from 'lit';

/** Without an edge of its own: that is around all of the composer. */
export const styles = css`
	textarea {
		display: block;
		box-sizing: border-box;
		width: 100%;
		min-height: calc(2lh + 8px);
		max-height: max(calc(2lh + 8px), min(calc(8lh + 8px), 26vh));
		margin: 0;
		padding: 0;
		field-sizing: content;
		resize: none;
		overflow-wrap: anywhere;
		font: inherit;
		line-height: 1.4;
		color: var(--vscode-input-foreground);
		background: none;
		/* Not padding, in which the next line would be seen by half. */
		border: 0 solid transparent;
		border-width: 4px 8px;
		outline: none;
	}

	textarea::placeholder {
		color: var(--vscode-input-placeholderForeground);
		opacity: 1;
	}

	.count {
		padding: 0 8px;
		font-size: 0.85em;
		text-align: end;
		font-variant-numeric: tabular-nums;
	}
`;
