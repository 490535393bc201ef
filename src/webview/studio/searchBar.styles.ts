import { css } from 'lit';
import { segmentStyles } from './segments.styles.js';

export const styles = css`
	${segmentStyles}

	.bar {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 6px 10px;
		padding: 8px 12px;
		background: var(--vscode-editor-background);
		border-bottom: 1px solid var(--edge, transparent);
	}

	/* Its field has corners of its own, which would cover those around it. */
	vscode-textfield {
		--vscode-settings-textInputBackground: transparent;
		background: var(--vscode-input-background);
		border-radius: 4px;
		flex: 1 1 150px;
		width: auto;
		max-width: 420px;
		min-width: 0;
	}

	select {
		flex: none;
		box-sizing: border-box;
		max-width: 130px;
		height: 26px;
		padding: 0 4px;
		font: inherit;
		color: var(--vscode-dropdown-foreground);
		background: var(--vscode-dropdown-background);
		border: 1px solid var(--vscode-dropdown-border, var(--edge, transparent));
		border-radius: 4px;
	}

	select:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: -1px;
	}

	.tally {
		display: flex;
		flex: 1 1 auto;
		flex-wrap: wrap;
		align-items: center;
		justify-content: flex-end;
		gap: 2px 12px;
		min-width: 0;
		font-variant-numeric: tabular-nums;
	}

	@media (max-width: 560px) {
		.bar {
			padding: 6px 8px;
		}

		/* What runs and fails comes and goes beside it, and must not begin another line. */
		fieldset {
			flex: 100 1 150px;
			min-width: 0;
			max-width: max-content;
		}

		/* With one more filter, the folder's name would have no room. */
		fieldset:has(label:nth-of-type(4)) {
			flex-basis: 250px;
		}

		fieldset label {
			padding: 0 7px;
		}

		fieldset label:last-child {
			grid-template-columns: minmax(0, auto);
			min-width: 0;
		}

		fieldset label:last-child span {
			max-width: 100%;
			overflow: hidden;
			text-overflow: ellipsis;
		}

		/* How many there are is seen where there is room for it; it can be heard everywhere. */
		.tally .quiet {
			position: absolute;
			width: 1px;
			height: 1px;
			overflow: hidden;
			clip-path: inset(50%);
		}
	}
`;
