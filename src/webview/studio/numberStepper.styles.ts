import { css } from 'lit';

export const styles = css`
	:host {
		flex: none;
	}

	.stepper {
		display: inline-flex;
		align-items: center;
		border: 1px solid var(--vscode-contrastBorder, transparent);
		border-radius: 4px;
	}

	.number {
		min-width: 1.5em;
		padding: 2px 0;
		text-align: center;
		font-variant-numeric: tabular-nums;
		border-radius: 3px;
	}

	.number:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
	}

	button:disabled {
		opacity: 0.4;
		cursor: default;
	}

	button:disabled:hover {
		background: none;
	}
`;
