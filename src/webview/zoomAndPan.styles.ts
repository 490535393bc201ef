import { css } from 'lit';

/** An element that fills its panel, in the colors of VS Code. */
export const panelStyles = css`
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
`;

/** Buttons as the workbench's toolbars have them. */
export const toolbarStyles = css`
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

	button:disabled,
	button[aria-disabled='true'] {
		color: var(--vscode-disabledForeground);
		cursor: default;
	}

	button:focus-visible,
	input:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: 1px;
	}

	svg {
		stroke-width: 1.25;
	}
`;

/** A `.stage` with images in it that are zoomed and moved. */
export const imageStyles = css`
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
`;
