import { css } from 'lit';

/** Of secondary buttons: that of the others is as blue as these in the default theme. */
export const secondaryBorder = css`var(
	--vscode-contrastBorder,
	var(--vscode-button-secondaryBorder, var(--vscode-button-border, transparent))
)`;

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
		border: 1px solid ${secondaryBorder};
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
		border-color: var(--vscode-contrastBorder, var(--vscode-button-border, transparent));
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

	button.link {
		min-height: 24px;
		padding: 0;
		color: var(--vscode-textLink-foreground);
		background: none;
		border: 0;
		white-space: nowrap;
	}

	button.link:hover {
		color: var(--vscode-textLink-activeForeground);
		background: none;
		outline: 0;
		text-decoration: underline;
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

	.codicon {
		display: inline-flex;
		flex: none;
		color: inherit;
	}

	.codicon.size-12 svg {
		width: 12px;
		height: 12px;
	}

	.codicon.size-32 svg {
		width: 32px;
		height: 32px;
	}

	h2,
	h3,
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
	h3,
	legend,
	.label {
		padding: 0;
		font-weight: 600;
	}

	.quiet {
		color: var(--vscode-descriptionForeground);
	}
`;
