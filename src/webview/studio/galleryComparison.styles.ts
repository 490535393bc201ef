import { css } from 'lit';
import { nameStyles } from '../shortenedName.js';
import { imageStyles, toolbarStyles } from '../zoomAndPan.styles.js';
import { backStyles } from './backButton.js';
import { pictureStyles } from './detailPicture.js';
import { keepButtonStyles } from './keepButton.js';

/** As high as what it stands in; where there is little room it scrolls. */
export const styles = css`
	${toolbarStyles} ${imageStyles} ${nameStyles} ${backStyles} ${pictureStyles} ${keepButtonStyles}

	:host {
		height: 100%;
		overflow: auto;
	}

	.comparison {
		box-sizing: border-box;
		display: flex;
		flex-direction: column;
		height: 100%;
		min-height: 280px;
		padding: 0 12px 8px;
	}

	.top {
		padding: 6px 0;
	}

	.grid {
		flex: 1;
		display: grid;
		grid-auto-rows: minmax(0, 1fr);
		gap: 6px;
		min-height: 0;
		border-radius: 4px;
		outline: none;
	}

	.grid:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: 2px;
	}

	.grid.dragging .stage {
		cursor: grabbing;
	}

	.cell {
		display: flex;
		flex-direction: column;
		min-width: 0;
		min-height: 0;
	}

	.caption {
		flex: none;
		display: flex;
		align-items: center;
		gap: 8px;
		height: 28px;
		padding-inline: 4px 2px;
	}

	.caption .name {
		flex: 1;
		min-width: 0;
		font-weight: normal;
	}

	.own {
		flex: none;
		font-weight: 600;
	}

	.stage {
		background: var(--vscode-textBlockQuote-background);
		border: 1px solid var(--vscode-contrastBorder, transparent);
		border-radius: 4px;
	}

	.problem {
		padding: 12px;
		color: var(--vscode-descriptionForeground);
		cursor: default;
	}
`;
