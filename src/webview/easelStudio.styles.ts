import { css } from 'lit';

/** The stream scrolls in itself; what is said and what is asked for next stay below it. */
export const styles = css`
	main {
		display: flex;
		flex-direction: column;
		box-sizing: border-box;
		height: 100vh;
		background: var(--vscode-editor-background);
	}

	.region {
		position: relative;
		flex: 1;
		min-height: 0;
	}

	easel-stream,
	.over {
		position: absolute;
		inset: 0;
	}

	/* It keeps its size and how far it is scrolled, for whoever comes back. */
	.covered {
		visibility: hidden;
	}

	.compose {
		box-sizing: border-box;
		flex: none;
		max-height: 50vh;
		overflow: auto;
		background: var(--vscode-sideBar-background);
		border-top: 1px solid var(--edge, transparent);
	}

	/* Not over the pictures, and seen wherever these are scrolled to: it may have to be undone. */
	.notices {
		display: flex;
		flex: none;
		flex-direction: column;
		max-height: 40vh;
		overflow-y: auto;
	}

	.notices > div {
		display: flex;
		flex-direction: column;
		gap: 6px;
	}

	.notices > div + div:has(.notice) {
		margin-top: 6px;
	}

	.notices:has(.notice) {
		padding: 8px 12px;
	}

	.notice {
		display: flex;
		align-items: flex-start;
		gap: 8px;
		padding: 6px 6px 6px 10px;
		color: var(--vscode-notifications-foreground, var(--vscode-foreground));
		background: var(--vscode-notifications-background, var(--vscode-editorWidget-background));
		border: 1px solid
			var(--vscode-contrastBorder, var(--vscode-notifications-border, var(--vscode-widget-border)));
		border-radius: 4px;
		box-shadow: 0 1px 6px var(--vscode-widget-shadow, transparent);
	}

	.notice > .codicon {
		margin-top: 4px;
		color: var(--vscode-notificationsInfoIcon-foreground);
	}

	.notice.warning > .codicon {
		color: var(--vscode-notificationsWarningIcon-foreground);
	}

	.notice.error > .codicon {
		color: var(--vscode-notificationsErrorIcon-foreground);
	}

	.notice p {
		flex: 1;
		min-width: 0;
		max-height: 8em;
		padding: 3px 0;
		overflow-y: auto;
		overflow-wrap: anywhere;
	}
`;
