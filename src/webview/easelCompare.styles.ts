import { css } from 'lit';

/** The colors are VS Code's own. Nothing moves by itself, so nobody has to ask for less motion. */
export const styles = css`
	:host {
		display: flex;
		flex-direction: column;
		height: 100%;
		min-width: 0;
		color: var(--vscode-foreground);
		background: var(--vscode-editor-background);
		font-family: var(--vscode-font-family);
		font-size: var(--vscode-font-size);
		--border: var(--vscode-contrastBorder, var(--vscode-panel-border, transparent));
	}

	p {
		margin: 0;
	}

	.toolbar {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 4px 12px;
		padding: 6px 12px;
	}

	.buttons {
		display: flex;
		align-items: center;
		gap: 2px;
	}

	.zoom {
		margin-inline-start: auto;
	}

	output {
		min-width: 4.5em;
		text-align: center;
		font-variant-numeric: tabular-nums;
	}

	button {
		display: inline-flex;
		align-items: center;
		min-height: 24px;
		min-width: 24px;
		padding: 0 8px;
		justify-content: center;
		font: inherit;
		color: inherit;
		background: none;
		border: 1px solid var(--vscode-contrastBorder, transparent);
		border-radius: 4px;
		cursor: pointer;
		white-space: nowrap;
	}

	button.icon {
		padding: 0;
	}

	button:hover:not(:disabled, [aria-pressed='true']) {
		background: var(--vscode-toolbar-hoverBackground);
		outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -1px;
	}

	button[aria-pressed='true'] {
		color: var(--vscode-inputOption-activeForeground, inherit);
		background: var(--vscode-inputOption-activeBackground);
		border-color: var(--vscode-inputOption-activeBorder, var(--vscode-focusBorder));
		/* In high contrast the others have a border too, so this one is thicker. */
		outline: 2px solid var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -2px;
	}

	button:disabled {
		color: var(--vscode-disabledForeground);
		cursor: default;
	}

	button:focus-visible,
	input:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: 1px;
	}

	svg {
		display: block;
		fill: none;
		stroke: currentcolor;
		stroke-width: 1.25;
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

	.name {
		position: relative;
		display: flex;
		max-width: 100%;
		font-weight: 600;
		white-space: pre;
	}

	/* For screen readers, which would read the parts of a name as two. */
	.whole {
		position: absolute;
		clip-path: inset(50%);
	}

	.start {
		overflow: hidden;
		text-overflow: ellipsis;
	}

	.tail {
		flex: none;
	}

	.details,
	.note {
		color: var(--vscode-descriptionForeground);
	}

	.note {
		align-self: end;
	}

	.stage {
		position: relative;
		flex: 1;
		min-height: 0;
		overflow: hidden;
		cursor: grab;
		touch-action: none;
		user-select: none;
		outline: none;
	}

	.stage.dragging {
		cursor: grabbing;
	}

	/* Over the images, which would hide an outline of the stage itself. */
	.stage:focus-visible::after {
		content: '';
		position: absolute;
		inset: 0;
		border: 2px solid var(--vscode-focusBorder);
		pointer-events: none;
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

	/* The chessboard is for what is transparent. Its grays are neutral and fit every theme. */
	img {
		position: absolute;
		max-width: none;
		background: repeating-conic-gradient(#9a9a9a 0 25%, #b8b8b8 0 50%) 0 0 / 16px 16px;
		pointer-events: none;
	}

	img.pixelated {
		image-rendering: pixelated;
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
