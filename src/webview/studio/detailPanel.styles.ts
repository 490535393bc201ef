import { css } from 'lit';
import { nameStyles } from '../shortenedName.js';
import { secondaryBorder } from './page.styles.js';
import { resultStyles } from './result.js';

/** What stands beside an image; below it where that is narrow. */
export const panelStyles = css`
	${nameStyles} ${resultStyles}

	.words {
		display: flex;
		flex-direction: column;
		gap: 4px;
		min-width: 0;
		min-height: 0;
	}

	.wide .words {
		flex: 0 0 264px;
		overflow-y: auto;
		/* The outline of what has the focus. */
		padding: 0 4px 4px 8px;
	}

	.words h2 {
		display: flex;
		gap: 8px;
		min-width: 0;
		font-size: 1.15em;
	}

	h2 .name {
		min-width: 0;
	}

	.own {
		flex: none;
		color: var(--vscode-descriptionForeground);
	}

	.chain {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		margin-inline-start: -4px;
	}

	.chain li {
		display: flex;
		align-items: center;
		min-width: 0;
	}

	.chain bdi {
		padding: 0 4px;
		overflow: hidden;
		text-overflow: ellipsis;
		white-space: nowrap;
	}

	.chain button {
		padding: 0 4px;
		color: var(--vscode-textLink-foreground);
		text-decoration: underline;
		border-color: transparent;
	}

	.chain button:hover {
		color: var(--vscode-textLink-activeForeground);
	}

	.chain [aria-current] {
		padding: 0 4px;
		font-weight: 600;
	}

	.arrow {
		padding: 0 2px;
		color: var(--vscode-descriptionForeground);
	}

	.quiet {
		overflow-wrap: anywhere;
	}

	.note {
		margin-top: 4px;
		padding-inline-start: 8px;
		border-inline-start: 2px solid var(--vscode-editorInfo-foreground, currentcolor);
	}

	.actions {
		display: flex;
		flex-wrap: wrap;
		gap: 6px;
		margin-top: 8px;
	}

	.actions.list {
		flex-direction: column;
		flex-wrap: nowrap;
		gap: 4px;
	}

	.group {
		display: flex;
		flex-direction: column;
		gap: 2px;
	}

	.group + .group {
		padding-top: 4px;
		border-top: 1px solid
			var(--vscode-contrastBorder, var(--vscode-menu-separatorBackground, currentcolor));
	}

	.action {
		gap: 8px;
		min-height: 28px;
		padding: 0 12px 0 8px;
		color: var(--vscode-button-secondaryForeground);
		background: var(--vscode-button-secondaryBackground);
		border-color: ${secondaryBorder};
	}

	.action:hover:not(:disabled, [aria-pressed='true']) {
		background: var(--vscode-button-secondaryHoverBackground);
	}

	.list .action {
		min-height: 26px;
		justify-content: flex-start;
		color: inherit;
		background: none;
		border-color: transparent;
	}

	.list .action:hover:not(:disabled, [aria-pressed='true']) {
		background: var(--vscode-toolbar-hoverBackground);
	}

	.action.primary {
		justify-content: center;
		color: var(--vscode-button-foreground);
		background: var(--vscode-button-background);
		border-color: var(--vscode-contrastBorder, var(--vscode-button-border, transparent));
	}

	.action.primary:hover:not(:disabled, [aria-pressed='true']) {
		background: var(--vscode-button-hoverBackground);
	}

	.list .group .action.primary {
		margin-bottom: 4px;
	}

	.action:focus-visible {
		outline-offset: -1px;
	}

	.action.primary:focus-visible {
		outline-offset: 2px;
	}

	.prompt {
		flex: none;
		max-height: 6.5em;
		padding: 6px 8px;
		overflow: auto;
		white-space: pre-wrap;
		overflow-wrap: anywhere;
		background: var(--vscode-textBlockQuote-background);
		border: 1px solid var(--vscode-contrastBorder, transparent);
		border-radius: 4px;
		cursor: text;
		user-select: text;
	}

	.prompt:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: -1px;
	}

	@media (forced-colors: active) {
		.action.primary {
			border: 2px solid CanvasText;
		}
	}
`;
