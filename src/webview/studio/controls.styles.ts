import { css } from 'lit';

/** From this width on, Compose stands beside the images instead of above them. */
export const wide = css`(min-width: 720px) and (min-height: 360px)`;

/** Buttons as the workbench has them. */
export const buttonStyles = css`
	button {
		display: inline-flex;
		align-items: center;
		justify-content: center;
		gap: 4px;
		box-sizing: border-box;
		min-height: 26px;
		padding: 2px 12px;
		font: inherit;
		color: var(--vscode-button-secondaryForeground);
		background: var(--vscode-button-secondaryBackground);
		border: 1px solid var(--vscode-contrastBorder, var(--vscode-button-border, transparent));
		border-radius: 4px;
		cursor: pointer;
	}

	button:hover {
		background: var(--vscode-button-secondaryHoverBackground);
		outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -1px;
	}

	button.primary {
		color: var(--vscode-button-foreground);
		background: var(--vscode-button-background);
	}

	button.primary:hover {
		background: var(--vscode-button-hoverBackground);
	}

	button.icon {
		flex: none;
		min-width: 24px;
		min-height: 24px;
		padding: 0;
		color: inherit;
		background: none;
		border-color: transparent;
	}

	button.icon:hover {
		background: var(--vscode-toolbar-hoverBackground);
	}

	button:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: 1px;
	}

	button.icon:focus-visible {
		outline-offset: -2px;
	}
`;

/** What all elements of the page have in common. The colors are VS Code's own. */
export const pageStyles = css`
	:host {
		display: block;
		min-width: 0;
		color: var(--vscode-foreground);
		font-family: var(--vscode-font-family);
		font-size: var(--vscode-font-size);
		--edge: var(--vscode-contrastBorder, var(--vscode-widget-border, var(--vscode-panel-border)));
	}

	/* For screen readers. */
	.hidden {
		position: absolute;
		width: 1px;
		height: 1px;
		overflow: hidden;
		clip-path: inset(50%);
		white-space: nowrap;
	}

	vscode-icon {
		flex: none;
		color: inherit;
	}
`;

/** What all parts of Compose and the jobs have in common. */
export const controlStyles = css`
	${pageStyles}

	h2,
	p,
	ul,
	ol,
	fieldset {
		margin: 0;
		padding: 0;
		font: inherit;
		border: 0;
		list-style: none;
	}

	h2,
	legend,
	.label {
		padding: 0;
		font-weight: 600;
	}

	.quiet {
		color: var(--vscode-descriptionForeground);
	}

	/* It keeps its place among the tab stops, so that everybody learns why it does nothing. */
	button[aria-disabled='true'] {
		opacity: 0.5;
		cursor: default;
	}

	button[aria-disabled='true'].primary:hover {
		background: var(--vscode-button-background);
		outline-color: transparent;
	}

	:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: 1px;
	}
`;

/** Radio buttons that look like a row of tiles; the input is the tile, what it says lies over it. */
export const choiceStyles = css`
	.choices {
		display: grid;
		gap: 4px;
		margin-top: 6px;
	}

	.choice {
		position: relative;
		display: flex;
		flex-direction: column;
		align-items: center;
		justify-content: center;
		box-sizing: border-box;
		min-width: 0;
		min-height: 28px;
		padding: 3px 2px;
		text-align: center;
		overflow-wrap: anywhere;
	}

	.choice > * {
		z-index: 1;
		pointer-events: none;
	}

	.choice > input {
		appearance: none;
		position: absolute;
		inset: 0;
		z-index: 0;
		margin: 0;
		background: var(--vscode-input-background);
		border: 1px solid var(--edge);
		border-radius: 4px;
		cursor: pointer;
		pointer-events: auto;
	}

	.choice > input:hover:not(:checked) {
		background: var(--vscode-list-hoverBackground);
		outline: 1px dashed var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -1px;
	}

	.choice > input:checked {
		background: var(--vscode-inputOption-activeBackground);
		border-color: var(--vscode-inputOption-activeBorder, var(--vscode-focusBorder));
		box-shadow: inset 0 0 0 1px var(--vscode-inputOption-activeBorder, var(--vscode-focusBorder));
		/* In high contrast the others have a border too, so this one is thicker. */
		outline: 2px solid var(--vscode-contrastActiveBorder, transparent);
		outline-offset: -2px;
	}

	.choice:has(:checked) {
		color: var(--vscode-inputOption-activeForeground, inherit);
	}

	.choice > input:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: 1px;
	}

	.kind {
		color: var(--vscode-descriptionForeground);
		font-size: 0.85em;
	}

	.choice:has(:checked) .kind {
		color: inherit;
	}

	@media (forced-colors: active) {
		.choice > input:checked {
			outline: 2px solid Highlight;
			outline-offset: -2px;
		}

		.choice > input:focus-visible {
			outline: 3px solid Highlight;
			outline-offset: 2px;
		}
	}
`;
