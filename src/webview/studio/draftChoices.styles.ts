import { css } from 'lit';

/** Radio buttons that look like a row of tiles; the input is the tile, what it says lies over it. */
export const choiceStyles = css`
	fieldset {
		min-width: 0;
	}

	.choices {
		display: grid;
		gap: 4px;
		margin-top: 6px;
	}

	.choice {
		position: relative;
		display: flex;
		flex-direction: column;
		align-items: center;
		justify-content: center;
		box-sizing: border-box;
		min-width: 0;
		min-height: 28px;
		padding: 3px 2px;
		text-align: center;
		overflow-wrap: anywhere;
	}

	.choice > * {
		z-index: 1;
		pointer-events: none;
	}

	.choice > input {
		appearance: none;
		position: absolute;
		inset: 0;
		z-index: 0;
		margin: 0;
		background: var(--vscode-input-background);
		border: 1px solid var(--edge);
		border-radius: 4px;
		cursor: pointer;
		pointer-events: auto;
	}

	.choice > input:hover:not(:checked) {
		background: var(--vscode-list-hoverBackground);
		outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -1px;
	}

	.choice > input:checked {
		background: var(--vscode-inputOption-activeBackground);
		/* Not the border of a chosen option, which some themes leave out. */
		border-color: var(--vscode-focusBorder);
		box-shadow: inset 0 0 0 1px var(--vscode-focusBorder);
		/* In high contrast the others have a border too, so this one is thicker. */
		outline: 2px solid var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -2px;
	}

	.choice:has(:checked) {
		color: var(--vscode-inputOption-activeForeground, inherit);
	}

	.choice > input:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: 1px;
	}

	.kind {
		color: var(--vscode-descriptionForeground);
		font-size: 0.85em;
	}

	.choice:has(:checked) .kind {
		color: inherit;
	}

	.sizes {
		grid-template-columns: repeat(auto-fill, minmax(80px, 1fr));
	}

	.sizes .choice {
		justify-content: flex-start;
		padding: 6px 2px 5px;
	}

	/* All of one height, so that the names stand in one line. */
	.picture {
		display: grid;
		place-content: center;
		height: 32px;
	}

	.box {
		display: grid;
		place-content: center;
		box-sizing: border-box;
		border: 1.5px solid currentcolor;
		border-radius: 2px;
	}

	.box.automatic {
		width: 22px;
		height: 22px;
		border-style: dashed;
	}

	.name {
		font-size: 0.92em;
		font-variant-numeric: tabular-nums;
		white-space: nowrap;
	}

	.experimental {
		white-space: nowrap;
	}

	.beaker {
		position: absolute;
		top: 4px;
		inset-inline-end: 4px;
	}

	.use {
		margin-top: 6px;
		font-size: 0.9em;
	}

	.qualities {
		grid-template-columns: repeat(3, minmax(0, 1fr));
	}

	.counts {
		grid-template-columns: repeat(4, minmax(0, 1fr));
	}

	@media (forced-colors: active) {
		.choice > input:checked {
			outline: 2px solid Highlight;
			outline-offset: -2px;
		}

		.choice > input:focus-visible {
			outline: 3px solid Highlight;
			outline-offset: 2px;
		}
	}
`;
