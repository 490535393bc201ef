import { css } from 'lit';
import { nameStyles } from '../shortenedName.js';
import { imageStyles, toolbarStyles } from '../zoomAndPan.styles.js';
import { backStyles } from './backButton.js';
import { pictureStyles } from './detailPicture.js';
import { secondaryBorder } from './page.styles.js';
import { resultStyles } from './result.js';

/** As high as it is told where there is room beside the image; else as high as all of it. */
export const styles = css`
	${toolbarStyles} ${imageStyles} ${nameStyles} ${backStyles} ${resultStyles} ${pictureStyles}

	:host {
		display: flex;
		flex-direction: column;
	}

	:host([wide]) {
		box-sizing: border-box;
		height: var(--view-height, 100vh);
		min-height: 320px;
		padding-bottom: 8px;
	}

	.top {
		padding: 6px 0;
	}

	.place {
		min-width: 5em;
		text-align: center;
		font-variant-numeric: tabular-nums;
	}

	.content {
		display: flex;
		flex-direction: column;
		flex: 1;
		gap: 12px;
		min-height: 0;
	}

	.content.wide {
		flex-direction: row;
	}

	.view {
		display: flex;
		flex-direction: column;
		gap: 6px;
		min-width: 0;
		min-height: 0;
	}

	.wide .view {
		flex: 1;
	}

	easel-filmstrip {
		flex: none;
	}

	.stage,
	.none {
		box-sizing: border-box;
		height: max(200px, 55vh);
		flex: none;
		background: var(--vscode-textBlockQuote-background);
		border: 1px solid var(--vscode-contrastBorder, transparent);
		border-radius: 4px;
	}

	.wide .stage,
	.wide .none {
		flex: 1;
		height: auto;
		min-width: 0;
	}

	.none {
		display: grid;
		place-content: center;
		justify-items: center;
		gap: 8px;
		padding: 16px;
		text-align: center;
		color: var(--vscode-descriptionForeground);
	}

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
		border-color: transparent;
	}

	.chain button:hover {
		color: var(--vscode-textLink-activeForeground);
		text-decoration: underline;
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
