import { css } from 'lit';
import { toolbarStyles } from '../zoomAndPan.styles.js';
import { backStyles } from './backButton.js';

export const styles = css`
	${toolbarStyles} ${backStyles}

	.comparison {
		box-sizing: border-box;
		min-height: 320px;
		display: flex;
		flex-direction: column;
		height: 100vh;
	}

	.top {
		padding: 6px 0 0;
	}

	easel-compare {
		flex: 1;
		min-height: 0;
		height: auto;
	}
`;
