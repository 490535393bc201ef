import { css } from 'lit';

export const styles = css`
	.strip {
		display: flex;
		gap: 6px;
		padding: 3px;
		overflow: auto hidden;
	}

	/* In the middle as long as there is room, and to be reached at its beginning where not. */
	.strip::before,
	.strip::after {
		content: '';
		margin: auto;
	}

	.frame {
		position: relative;
		flex: none;
		box-sizing: border-box;
		height: 56px;
		min-width: 24px;
		max-width: 160px;
		padding: 0;
		overflow: hidden;
		color: inherit;
		font: inherit;
		background: var(--vscode-textBlockQuote-background);
		border: 1px solid var(--vscode-contrastBorder, transparent);
		border-radius: 3px;
		cursor: pointer;
	}

	.frame.coming {
		background: none;
		border: 1px dashed var(--vscode-descriptionForeground);
		cursor: default;
	}

	.frame:hover:not(.coming) {
		outline: 1px solid var(--vscode-contrastActiveBorder, var(--vscode-descriptionForeground));
	}

	.frame[aria-current] {
		outline: 2px solid var(--vscode-contrastActiveBorder, var(--vscode-focusBorder));
	}

	.frame:focus-visible {
		outline: 3px solid var(--vscode-focusBorder);
	}

	img {
		display: block;
		width: 100%;
		height: 100%;
		object-fit: contain;
	}

	/* On a ground of its own: it lies over any picture. */
	.label {
		position: absolute;
		bottom: 2px;
		inset-inline-start: 2px;
		padding: 0 4px;
		font-size: 0.8em;
		color: var(--vscode-editor-foreground);
		background: color-mix(in srgb, var(--vscode-editor-background) 82%, transparent);
		border-radius: 2px;
	}

	.label:empty {
		display: none;
	}

	@media (forced-colors: active) {
		.frame[aria-current] {
			outline: 3px solid Highlight;
		}
	}
`;
