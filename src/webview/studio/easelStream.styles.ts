import { css } from 'lit';
import { resultStyles } from './result.js';

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

	/* Over the pictures, which stay where they are. */
	.selection {
		position: absolute;
		inset-inline: 12px;
		bottom: 10px;
		z-index: 2;
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		justify-content: center;
		gap: 6px 8px;
		width: fit-content;
		max-width: 100%;
		box-sizing: border-box;
		margin: 0 auto;
		padding: 6px 8px 6px 12px;
		color: var(--vscode-editorWidget-foreground, var(--vscode-foreground));
		background: var(--vscode-editorWidget-background);
		border: 1px solid var(--edge, transparent);
		border-radius: 5px;
		box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
	}

	.all > .result {
		position: absolute;
		bottom: 0;
		inset-inline: 0;
		padding: 0 12px;
		background: var(--vscode-editor-background);
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
`;
