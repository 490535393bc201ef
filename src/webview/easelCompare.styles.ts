import { css } from 'lit';
import { decisionStyles } from './decisionBar.js';
import { nameStyles } from './shortenedName.js';
import { imageStyles, panelStyles, toolbarStyles } from './zoomAndPan.styles.js';

/** The colors are VS Code's own. Nothing moves by itself, so nobody has to ask for less motion. */
export const styles = css`
	${panelStyles} ${toolbarStyles} ${imageStyles} ${nameStyles} ${decisionStyles}

	p {
		margin: 0;
	}

	.opacity {
		flex: 1 1 80px;
		min-width: 60px;
		max-width: 140px;
		height: 24px;
		margin: 0;
		accent-color: var(--vscode-focusBorder);
	}

	.captions {
		display: grid;
		grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr);
		gap: 2px 12px;
		padding: 2px 12px 8px;
		border-bottom: 1px solid var(--border);
	}

	.caption {
		display: flex;
		flex-direction: column;
		min-width: 0;
	}

	.caption.right {
		align-items: flex-end;
		text-align: end;
	}

	.details,
	.note {
		color: var(--vscode-descriptionForeground);
	}

	.note {
		align-self: end;
	}

	.pane {
		position: absolute;
		inset: 0;
		overflow: hidden;
	}

	.side .pane.left {
		right: calc(50% + 1px);
	}

	.side .pane.right {
		left: calc(50% + 1px);
	}

	.side::before {
		content: '';
		position: absolute;
		left: calc(50% - 1px);
		width: 2px;
		height: 100%;
		background: var(--vscode-contrastBorder, var(--vscode-editorGroup-border));
	}

	/* Adds the two up, so that transparent places fade from one to the other as well. */
	.overlay {
		isolation: isolate;
	}

	.overlay .pane.right {
		mix-blend-mode: plus-lighter;
	}

	.problem {
		display: grid;
		place-content: center;
		box-sizing: border-box;
		height: 100%;
		padding: 16px;
		text-align: center;
		overflow-wrap: anywhere;
		cursor: default;
		user-select: text;
	}

	.handle {
		position: absolute;
		top: 0;
		bottom: 0;
		width: 32px;
		margin-left: -16px;
		display: grid;
		place-items: center;
		cursor: ew-resize;
		outline: none;
	}

	/* Two colors that the theme holds apart, so that the line is seen on every image. */
	.handle::before {
		content: '';
		position: absolute;
		top: 0;
		bottom: 0;
		width: 2px;
		background: var(--vscode-editor-foreground);
		box-shadow: 0 0 0 1px var(--vscode-editor-background);
	}

	.grip {
		position: relative;
		display: grid;
		place-items: center;
		width: 28px;
		height: 28px;
		border-radius: 50%;
		color: var(--vscode-editor-foreground);
		background: var(--vscode-editor-background);
		border: 2px solid var(--vscode-editor-foreground);
		box-sizing: border-box;
		box-shadow: 0 0 0 1px var(--vscode-editor-background);
	}

	.handle:focus-visible .grip {
		outline: 3px solid var(--vscode-focusBorder);
		outline-offset: 1px;
	}

	@media (max-width: 560px) {
		.captions {
			grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
		}

		.note {
			grid-row: 2;
			grid-column: 1 / -1;
		}

		.zoom {
			margin-inline-start: 0;
		}
	}
`;
