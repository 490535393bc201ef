import { css } from 'lit';

/** Of what can be selected, a tile or a cell: its box, its picture, its mark and the focus. */
export const selectableStyles = css`
	:is(.tile, .cell) {
		position: absolute;
		display: flex;
		flex-direction: column;
		contain: strict;
		border-radius: 4px;
		cursor: pointer;
		outline: none;
		user-select: none;
	}

	.picture {
		display: grid;
		flex: none;
		place-items: center;
		box-sizing: border-box;
		width: 100%;
		overflow: hidden;
		color: var(--vscode-descriptionForeground);
		background: var(--vscode-textBlockQuote-background);
		border: 1px solid var(--vscode-contrastBorder, transparent);
		border-radius: 4px;
	}

	.picture img {
		display: block;
		width: 100%;
		height: 100%;
		min-width: 0;
		min-height: 0;
		object-fit: contain;
	}

	.tile.image:hover .picture,
	.cell:hover .picture {
		outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -1px;
	}

	/* Inside, because what is outside is cut. */
	.tile:focus-visible::after,
	.cell:focus-visible::after {
		content: '';
		position: absolute;
		inset: 0;
		border: 2px solid var(--vscode-focusBorder);
		border-radius: 4px;
		pointer-events: none;
	}

	.check {
		position: absolute;
		top: 6px;
		inset-inline-end: 6px;
		box-sizing: border-box;
		width: 24px;
		height: 24px;
		background: var(--vscode-checkbox-background);
		border: 1px solid var(--vscode-checkbox-border, var(--vscode-foreground));
		border-radius: 4px;
		opacity: 0;
	}

	:is(.tile, .cell):hover .check,
	:is(.tile, .cell):focus-visible .check,
	:is(.tile, .cell)[aria-selected='true'] .check {
		opacity: 1;
	}

	:is(.tile, .cell)[aria-selected='true'] .check {
		background: var(--vscode-button-background, Highlight);
		border-color: var(--vscode-button-border, var(--vscode-button-background, Highlight));
	}

	:is(.tile, .cell)[aria-selected='true'] .check::after {
		content: '';
		position: absolute;
		inset: 3px 7px 6px;
		border: solid var(--vscode-button-foreground);
		border-width: 0 2px 2px 0;
		rotate: 45deg;
	}

	:is(.tile, .cell)[aria-selected='true'] .picture {
		border: 2px solid var(--vscode-focusBorder);
	}

	@media (forced-colors: active) {
		:is(.tile, .cell)[aria-selected='true'] .picture {
			border-color: Highlight;
		}

		:is(.tile, .cell)[aria-selected='true'] .check {
			background: Highlight;
			forced-color-adjust: none;
		}

		:is(.tile, .cell)[aria-selected='true'] .check::after {
			border-color: HighlightText;
		}
	}
`;
