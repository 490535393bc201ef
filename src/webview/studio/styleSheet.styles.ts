import { css } from 'lit';
import { backStyles } from './backButton.js';
import { emptyStyles } from './emptyStream.js';
import { segmentStyles } from './segments.styles.js';
import { selectionStyles } from './selectionBar.js';

export const styles = css`
	${backStyles} ${emptyStyles} ${segmentStyles} ${selectionStyles}

	:host {
		height: 100%;
	}

	.sheet {
		display: flex;
		flex-direction: column;
		height: 100%;
	}

	.top {
		display: flex;
		flex: none;
		align-items: center;
		gap: 4px 8px;
		padding: 6px 12px;
	}

	.top > .back {
		flex: none;
	}

	h2 {
		min-width: 0;
		overflow: hidden;
		text-overflow: ellipsis;
		white-space: nowrap;
	}

	h2 bdi {
		font-weight: normal;
	}

	.count {
		flex: none;
		margin-inline-start: auto;
		font-variant-numeric: tabular-nums;
	}

	.left {
		display: flex;
		flex: none;
		gap: 6px;
		padding: 0 12px 6px;
		color: var(--vscode-descriptionForeground);
	}

	.region {
		position: relative;
		flex: 1;
		min-height: 0;
	}

	@media (max-width: 560px) {
		.top {
			padding: 6px 8px;
		}

		/* How many there are is seen where there is room for it; it can be heard everywhere. */
		.count {
			position: absolute;
			width: 1px;
			height: 1px;
			overflow: hidden;
			clip-path: inset(50%);
		}

		fieldset {
			margin-inline-start: auto;
		}

		/* They are in the menu as well. */
		.selection .minor {
			display: none;
		}
	}
`;
