import { css } from 'lit';

export const styles = css`
	.bar {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 6px 10px;
		padding: 8px 12px;
		background: var(--vscode-editor-background);
		border-bottom: 1px solid var(--edge, transparent);
	}

	vscode-textfield {
		flex: 1 1 150px;
		width: auto;
		max-width: 420px;
		min-width: 0;
	}

	fieldset {
		display: flex;
		flex: none;
		border: 1px solid var(--edge, var(--vscode-input-border, transparent));
		border-radius: 4px;
	}

	fieldset label {
		position: relative;
		display: grid;
		place-items: center;
		min-height: 24px;
		padding: 0 10px;
		white-space: nowrap;
	}

	fieldset span {
		z-index: 1;
		pointer-events: none;
	}

	fieldset small {
		font-size: 0.9em;
		opacity: 0.85;
		font-variant-numeric: tabular-nums;
	}

	fieldset input {
		appearance: none;
		position: absolute;
		inset: 0;
		margin: 0;
		border: 1px solid transparent;
		border-radius: 3px;
		cursor: pointer;
	}

	fieldset input:hover:not(:checked, :disabled) {
		background: var(--vscode-toolbar-hoverBackground);
		outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -1px;
	}

	fieldset input:checked {
		background: var(--vscode-inputOption-activeBackground);
		border-color: var(--vscode-inputOption-activeBorder, var(--vscode-focusBorder));
		outline: 1px solid var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -3px;
	}

	fieldset input:checked + span {
		color: var(--vscode-inputOption-activeForeground, inherit);
	}

	fieldset input:disabled {
		cursor: default;
	}

	fieldset input:disabled + span {
		color: var(--vscode-disabledForeground, var(--vscode-descriptionForeground));
	}

	fieldset input:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: 1px;
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

		fieldset label {
			padding: 0 7px;
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

	@media (forced-colors: active) {
		fieldset input:checked {
			outline: 2px solid Highlight;
		}
	}
`;
