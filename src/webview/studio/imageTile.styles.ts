import { css } from 'lit';

/** Of a tile, whatever is in it, and of an image that is there. */
export const tileStyles = css`
	.tile {
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

	.picture:has(.missing) {
		background: none;
		border: 1px dashed var(--vscode-contrastBorder, var(--vscode-descriptionForeground));
	}

	.missing {
		display: flex;
		flex-direction: column;
		align-items: center;
		gap: 6px;
	}

	.picture img {
		display: block;
		width: 100%;
		height: 100%;
		min-width: 0;
		min-height: 0;
		object-fit: contain;
	}

	.caption {
		display: flex;
		flex: none;
		align-items: center;
		gap: 6px;
		box-sizing: border-box;
		height: 28px;
		padding-inline-start: 2px;
	}

	.label {
		flex: none;
		font-weight: 600;
		font-variant-numeric: tabular-nums;
	}

	.name {
		flex: 1;
		min-width: 0;
		overflow: hidden;
		text-overflow: ellipsis;
		white-space: nowrap;
	}

	.caption button {
		color: var(--vscode-descriptionForeground) !important;
	}

	.caption .edit {
		margin-inline-end: -6px;
	}

	/* Its place is kept, so that nothing moves. */
	@media (hover: hover) {
		.tile:not(:hover, :focus-within) .edit {
			opacity: 0;
		}
	}

	.caption .keep[aria-pressed='true'] {
		color: var(--vscode-charts-yellow, var(--vscode-foreground)) !important;
	}

	.tile.image:hover .picture {
		outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -1px;
	}

	/* Inside of the tile, which cuts what is outside. */
	.tile:focus-visible::after {
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

	.tile:hover .check,
	.tile:focus-visible .check,
	.tile[aria-selected='true'] .check {
		opacity: 1;
	}

	.tile[aria-selected='true'] .check {
		background: var(--vscode-button-background, Highlight);
		border-color: var(--vscode-button-border, var(--vscode-button-background, Highlight));
	}

	.tile[aria-selected='true'] .check::after {
		content: '';
		position: absolute;
		inset: 3px 7px 6px;
		border: solid var(--vscode-button-foreground);
		border-width: 0 2px 2px 0;
		rotate: 45deg;
	}

	.tile[aria-selected='true'] .picture {
		border: 2px solid var(--vscode-focusBorder);
	}

	@media (forced-colors: active) {
		.picture {
			border-color: CanvasText;
		}

		.tile[aria-selected='true'] .picture {
			border-color: Highlight;
		}

		.tile[aria-selected='true'] .check {
			background: Highlight;
			forced-color-adjust: none;
		}

		.tile[aria-selected='true'] .check::after {
			border-color: HighlightText;
		}
	}
`;
