import { css } from 'lit';
import { sizePictureStyles } from './sizePicture.js';

export const styles = css`
	${sizePictureStyles}

	:host {
		min-width: 0;
	}

	.choices {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 4px;
		min-width: 0;
	}

	/* As quiet as the mode and the model in the chat of the workbench: the prompt is what counts. */
	.choice {
		gap: 6px;
		max-width: 100%;
		padding: 2px 6px;
		color: inherit;
		background: none;
		border-color: var(--vscode-contrastBorder, transparent);
		font-variant-numeric: tabular-nums;
		white-space: nowrap;
	}

	.choice:hover,
	.choice[aria-expanded='true'] {
		background: var(--vscode-toolbar-hoverBackground);
	}

	.chosen {
		overflow: hidden;
		text-overflow: ellipsis;
	}

	.none {
		padding: 0 6px;
		white-space: nowrap;
		cursor: help;
	}

	.popup {
		position: fixed;
		inset: 0 auto auto 0;
		box-sizing: border-box;
		width: max-content;
		min-width: 180px;
		max-width: min(340px, calc(100vw - 8px));
		max-height: calc(100vh - 8px);
		margin: 0;
		padding: 4px 0;
		overflow: auto;
		color: var(--vscode-menu-foreground);
		background: var(--vscode-menu-background);
		border: 1px solid var(--vscode-contrastBorder, var(--vscode-menu-border, transparent));
		border-radius: 5px;
		box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
	}

	.title {
		padding: 4px 12px 2px;
	}

	easel-listbox + .title {
		margin-top: 4px;
		padding-top: 8px;
		border-top: 1px solid var(--vscode-menu-separatorBackground, currentcolor);
	}

	.note {
		padding: 6px 12px;
	}

	.number {
		display: flex;
		align-items: center;
		justify-content: space-between;
		gap: 12px;
		margin-top: 4px;
		padding: 8px 12px 4px;
		border-top: 1px solid var(--vscode-menu-separatorBackground, currentcolor);
	}
`;
