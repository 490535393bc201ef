import { css } from 'lit';

/** Of what can be selected, a tile or a cell: its mark, its picture where it is, and the focus. */
export const checkStyles = css`
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
