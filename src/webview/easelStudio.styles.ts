import { css } from 'lit';
import { wide } from './studio/page.styles.js';

/** The page scrolls as a whole; where it is wide, Compose stays beside what is scrolled. */
export const styles = css`
	main {
		box-sizing: border-box;
		min-height: 100vh;
		background: var(--vscode-editor-background);
	}

	.compose {
		background: var(--vscode-sideBar-background);
		border-bottom: 1px solid var(--edge);
	}

	/* So that the notices have the whole page to be seen in. */
	.beside {
		display: contents;
	}

	.images {
		display: flex;
		flex-direction: column;
		gap: 8px;
		min-width: 0;
		padding: 0 12px 12px;
	}

	/* A card grows when its request begins: it is scrolled to before that. */
	easel-jobs {
		scroll-margin-block: 48px;
	}

	/*
	 * Seen wherever the page is scrolled to: what is said may be about something far away, and has to
	 * be undone. Below, because above are the gallery's search and the way back from an image.
	 */
	.notices {
		position: sticky;
		bottom: 0;
		z-index: 2;
		display: flex;
		flex-direction: column;
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

	.notice > vscode-icon {
		margin-top: 4px;
		color: var(--vscode-notificationsInfoIcon-foreground);
	}

	.notice.warning > vscode-icon {
		color: var(--vscode-notificationsWarningIcon-foreground);
	}

	.notice.error > vscode-icon {
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

	@media ${wide} {
		main {
			display: grid;
			grid-template-columns: clamp(372px, 34%, 420px) minmax(0, 1fr);
		}

		.compose {
			position: sticky;
			top: 0;
			height: 100vh;
			border-bottom: 0;
			border-inline-end: 1px solid var(--edge);
		}

		.beside {
			display: flex;
			flex-direction: column;
			min-width: 0;
		}

		.images {
			flex: 1;
		}
	}
`;
