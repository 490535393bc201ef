import { css } from 'lit';
import { imageStyles, toolbarStyles } from '../zoomAndPan.styles.js';
import { backStyles } from './backButton.js';
import { panelStyles } from './detailPanel.styles.js';
import { pictureStyles } from './detailPicture.js';

/** As high as what it stands in; where there is little room it scrolls. */
export const styles = css`
	${toolbarStyles} ${imageStyles} ${backStyles} ${pictureStyles} ${panelStyles}

	:host {
		display: flex;
		flex-direction: column;
		box-sizing: border-box;
		height: 100%;
		padding: 0 12px 8px;
		overflow: auto;
	}

	/* What leads back stays where it is. */
	.top {
		position: sticky;
		top: 0;
		z-index: 1;
		padding: 6px 0;
		background: var(--vscode-editor-background);
	}

	.place {
		min-width: 5em;
		text-align: center;
		font-variant-numeric: tabular-nums;
	}

	.content {
		display: flex;
		flex-direction: column;
		gap: 12px;
	}

	.content.wide {
		flex: 1;
		flex-direction: row;
		min-height: 240px;
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
		height: max(200px, 45vh);
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
