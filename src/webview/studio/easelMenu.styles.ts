import { css } from 'lit';

export const styles = css`
	.menu {
		position: fixed;
		inset: 0 auto auto 0;
		box-sizing: border-box;
		min-width: 180px;
		max-width: calc(100vw - 8px);
		max-height: calc(100vh - 8px);
		margin: 0;
		padding: 4px 0;
		overflow: auto;
		color: var(--vscode-menu-foreground);
		background: var(--vscode-menu-background);
		border: 1px solid var(--vscode-menu-border, var(--vscode-contrastBorder, transparent));
		border-radius: 5px;
		box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
	}

	button {
		display: flex;
		align-items: center;
		gap: 8px;
		box-sizing: border-box;
		width: calc(100% - 8px);
		min-height: 26px;
		margin: 0 4px;
		padding: 2px 12px 2px 8px;
		font: inherit;
		color: inherit;
		text-align: start;
		background: none;
		border: 0;
		border-radius: 3px;
		cursor: pointer;
	}

	button:focus {
		color: var(--vscode-menu-selectionForeground, inherit);
		background: var(--vscode-menu-selectionBackground);
		outline: 1px solid var(--vscode-menu-selectionBorder, transparent);
		outline-offset: -1px;
	}

	.line {
		height: 1px;
		margin: 4px 0;
		background: var(--vscode-menu-separatorBackground, currentcolor);
	}

	@media (forced-colors: active) {
		.line {
			background: CanvasText;
		}

		button:focus {
			outline: 2px solid Highlight;
		}
	}
`;
