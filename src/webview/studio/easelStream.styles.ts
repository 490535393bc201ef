import { css } from 'lit';
import { emptyStyles } from './emptyStream.js';
import { resultStyles } from './result.js';
import { selectionStyles } from './selectionBar.js';

export const styles = css`
	${resultStyles}

	:host {
		display: flex;
		flex-direction: column;
		min-height: 0;
	}

	[hidden] {
		display: none !important;
	}

	.region {
		position: relative;
		flex: 1;
		min-height: 0;
	}

	.all,
	.over {
		position: absolute;
		inset: 0;
	}

	/* It keeps its size and how far it is scrolled, for whoever comes back. */
	.all.covered {
		visibility: hidden;
	}

	.over {
		height: 100%;
		overflow: auto;
		background: var(--vscode-editor-background);
	}

	easel-round-list {
		height: 100%;
	}

	${selectionStyles}

	.all > .result {
		position: absolute;
		bottom: 0;
		inset-inline: 0;
		padding: 0 12px;
		background: var(--vscode-editor-background);
	}

	${emptyStyles}
`;
