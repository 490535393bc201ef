import { css } from 'lit';
import { selectableStyles } from './selectable.styles.js';

/** Of a tile, whatever is in it, and of an image that is there. */
export const tileStyles = css`
	${selectableStyles}

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

	@media (forced-colors: active) {
		.picture {
			border-color: CanvasText;
		}
	}
`;
