import { css } from 'lit';
import { sizePictureStyles } from './sizePicture.js';

export const styles = css`
	${sizePictureStyles}

	.option {
		display: flex;
		align-items: center;
		gap: 10px;
		min-height: 26px;
		margin: 0 4px;
		padding: 3px 10px 3px 8px;
		border-radius: 3px;
		cursor: pointer;
	}

	.option:hover {
		background: var(--vscode-list-hoverBackground);
		outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -1px;
	}

	.option[aria-selected='true'] {
		color: var(--vscode-list-activeSelectionForeground, inherit);
		background: var(--vscode-list-activeSelectionBackground);
		outline: 1px solid var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -1px;
	}

	.option:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: -2px;
	}

	.words {
		display: flex;
		flex-direction: column;
		min-width: 0;
	}

	.line {
		display: flex;
		flex-wrap: wrap;
		align-items: baseline;
		gap: 0 8px;
		font-variant-numeric: tabular-nums;
	}

	.use,
	.detail {
		color: var(--vscode-descriptionForeground);
		font-size: 0.92em;
	}

	.option[aria-selected='true'] :is(.use, .detail) {
		color: inherit;
	}

	.mark {
		padding: 0 5px;
		font-size: 0.85em;
		border: 1px solid currentcolor;
		border-radius: 8px;
	}

	@media (forced-colors: active) {
		.option[aria-selected='true'] {
			outline: 2px solid Highlight;
		}
	}
`;
