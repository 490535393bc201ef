import { css } from 'lit';

export const styles = css`
	.card {
		position: fixed;
		inset: 0 auto auto 0;
		box-sizing: border-box;
		width: min(380px, calc(100vw - 12px));
		max-height: calc(100vh - 12px);
		margin: 0;
		padding: 10px 12px 12px;
		overflow: auto;
		color: var(--vscode-editorWidget-foreground, var(--vscode-foreground));
		background: var(--vscode-editorWidget-background);
		border: 1px solid var(--edge, transparent);
		border-radius: 5px;
		box-shadow: 0 2px 10px var(--vscode-widget-shadow, transparent);
		outline: none;
	}

	.card:popover-open {
		display: flex;
		flex-direction: column;
		gap: 8px;
	}

	.top {
		display: flex;
		align-items: flex-start;
		gap: 6px;
	}

	.top .codicon {
		margin-top: 2px;
	}

	.failed .top > .codicon {
		color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
	}

	:is(.asking, .unsaved) .top > .codicon {
		color: var(--vscode-editorWarning-foreground);
	}

	h2 {
		flex: 1;
		min-width: 0;
		padding-top: 2px;
		overflow-wrap: anywhere;
	}

	.words {
		overflow-wrap: anywhere;
		white-space: pre-line;
		user-select: text;
		font-variant-numeric: tabular-nums;
	}

	.prompt {
		display: -webkit-box;
		-webkit-box-orient: vertical;
		-webkit-line-clamp: 3;
		line-clamp: 3;
		overflow: hidden;
		overflow-wrap: anywhere;
	}

	.buttons {
		display: flex;
		flex-wrap: wrap;
		gap: 6px;
	}
`;
