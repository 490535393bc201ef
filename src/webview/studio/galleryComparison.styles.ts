import { css } from 'lit';

export const styles = css`
	.comparison {
		box-sizing: border-box;
		min-height: 320px;
		display: flex;
		flex-direction: column;
		height: var(--easel-gallery-height, 100vh);
	}

	.bar {
		display: flex;
		padding-top: 6px;
	}

	h2 {
		margin: 0;
		font: inherit;
	}

	button.back {
		padding-inline: 4px 8px;
		color: inherit;
		white-space: nowrap;
		background: none;
		border-color: var(--vscode-contrastBorder, transparent);
	}

	button.back:hover {
		background: var(--vscode-toolbar-hoverBackground);
	}

	easel-compare {
		flex: 1;
		min-height: 0;
		height: auto;
	}
`;
