import { css } from 'lit';
import { resultStyles } from './result.js';

export const styles = css`
	${resultStyles}

	:host {
		display: block;
		min-width: 0;
		color: var(--vscode-foreground);
		font-family: var(--vscode-font-family);
		font-size: var(--vscode-font-size);
	}

	p,
	h2 {
		margin: 0;
		font: inherit;
	}

	.hidden {
		position: absolute;
		width: 1px;
		height: 1px;
		overflow: hidden;
		clip-path: inset(50%);
		white-space: nowrap;
	}

	.bar {
		position: sticky;
		top: 0;
		z-index: 1;
		display: flex;
		flex-direction: column;
		gap: 6px;
		padding: 8px 0;
		background: var(--vscode-editor-background);
	}

	.row {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 4px 12px;
	}

	h2 {
		font-weight: 600;
	}

	.count {
		flex: 1 0 auto;
		color: var(--vscode-descriptionForeground);
		font-variant-numeric: tabular-nums;
	}

	vscode-textfield {
		flex: 0 1 280px;
		width: auto;
		min-width: min(180px, 100%);
	}

	vscode-icon {
		color: inherit;
	}

	button {
		display: inline-flex;
		align-items: center;
		justify-content: center;
		gap: 4px;
		min-height: 26px;
		padding: 0 12px;
		font: inherit;
		white-space: nowrap;
		color: var(--vscode-button-secondaryForeground);
		background: var(--vscode-button-secondaryBackground);
		border: 1px solid var(--vscode-contrastBorder, var(--vscode-button-border, transparent));
		border-radius: 4px;
		cursor: pointer;
	}

	button:hover {
		background: var(--vscode-button-secondaryHoverBackground);
		outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -1px;
	}

	button.primary {
		color: var(--vscode-button-foreground);
		background: var(--vscode-button-background);
	}

	button.primary:hover {
		background: var(--vscode-button-hoverBackground);
	}

	button.back,
	button.icon {
		color: inherit;
		background: none;
		border-color: var(--vscode-contrastBorder, transparent);
	}

	button.back {
		align-self: flex-start;
		padding-inline: 4px 8px;
	}

	button.icon {
		min-width: 24px;
		min-height: 24px;
		padding: 0;
		border: 0;
	}

	button.back:hover,
	button.icon:hover {
		background: var(--vscode-toolbar-hoverBackground);
	}

	button:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: 1px;
	}

	button.icon:focus-visible {
		outline-offset: -2px;
	}

	.banner {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 6px 8px;
		padding: 6px 8px;
		background: var(--vscode-editorWidget-background);
		border: 1px solid var(--vscode-contrastBorder, var(--vscode-widget-border, transparent));
		border-radius: 4px;
	}

	.words {
		flex: 1 1 160px;
		min-width: 0;
		overflow-wrap: anywhere;
	}

	.empty {
		display: flex;
		flex-direction: column;
		align-items: center;
		gap: 12px;
		padding: 48px 16px;
		color: var(--vscode-descriptionForeground);
		text-align: center;
		overflow-wrap: anywhere;
	}

	.comparison {
		box-sizing: border-box;
		min-height: 320px;
		display: flex;
		flex-direction: column;
		height: var(--easel-gallery-height, 100vh);
	}

	.comparison .bar {
		padding: 6px 0 0;
	}

	easel-compare {
		flex: 1;
		min-height: 0;
		height: auto;
	}

	.words bdi {
		display: inline-block;
		max-width: 100%;
		overflow: hidden;
		text-overflow: ellipsis;
		vertical-align: bottom;
		white-space: nowrap;
	}

	@media (max-width: 560px) {
		vscode-textfield,
		.words {
			flex-basis: 100%;
		}
	}
`;
