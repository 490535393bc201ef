import { css } from 'lit';

/** A few choices of which one counts: radio buttons in a `fieldset`, each in its `label` before a `span`. */
export const segmentStyles = css`
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

	@media (forced-colors: active) {
		fieldset input:checked {
			outline: 2px solid Highlight;
		}
	}
`;
