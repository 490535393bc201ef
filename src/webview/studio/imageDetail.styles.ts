import { css } from 'lit';
import { imageStyles, toolbarStyles } from '../zoomAndPan.styles.js';
import { backStyles } from './backButton.js';
import { panelStyles } from './detailPanel.styles.js';
import { pictureStyles } from './detailPicture.js';

/** As high as it is told where there is room beside the image; else as high as all of it. */
export const styles = css`
	${toolbarStyles} ${imageStyles} ${backStyles} ${pictureStyles} ${panelStyles}

	:host {
		display: flex;
		flex-direction: column;
	}

	:host([wide]) {
		box-sizing: border-box;
		height: var(--view-height, 100vh);
		min-height: 320px;
		padding-bottom: 8px;
	}

	.top {
		padding: 6px 0;
	}

	.place {
		min-width: 5em;
		text-align: center;
		font-variant-numeric: tabular-nums;
	}

	.content {
		display: flex;
		flex-direction: column;
		flex: 1;
		gap: 12px;
		min-height: 0;
	}

	.content.wide {
		flex-direction: row;
	}

	.view {
		display: flex;
		flex-direction: column;
		gap: 6px;
		min-width: 0;
		min-height: 0;
	}

	.wide .view {
		flex: 1;
	}

	easel-filmstrip {
		flex: none;
	}

	.stage,
	.none {
		box-sizing: border-box;
		height: max(200px, 55vh);
		flex: none;
		background: var(--vscode-textBlockQuote-background);
		border: 1px solid var(--vscode-contrastBorder, transparent);
		border-radius: 4px;
	}

	.wide .stage,
	.wide .none {
		flex: 1;
		height: auto;
		min-width: 0;
	}

	.none {
		display: grid;
		place-content: center;
		justify-items: center;
		gap: 8px;
		padding: 16px;
		text-align: center;
		color: var(--vscode-descriptionForeground);
	}
`;
