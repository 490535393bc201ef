import { css } from 'lit';

export const styles = css`
	:host {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 4px;
	}

	:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: 1px;
	}

	ol {
		display: contents;
	}

	li {
		position: relative;
		display: flex;
		align-items: center;
		box-sizing: border-box;
		flex: none;
		max-width: 100%;
		min-height: 28px;
		border: 1px solid var(--edge);
		border-radius: 4px;
		background: var(--vscode-editor-background);
	}

	/* What is edited is what everything else is about. */
	li.edited {
		border-color: var(--vscode-focusBorder);
	}

	li.problem {
		color: var(--vscode-inputValidation-errorForeground, inherit);
		background: var(--vscode-inputValidation-errorBackground);
		border-color: var(--vscode-errorForeground);
	}

	li.dragged {
		opacity: 0.5;
	}

	/* Where it would come to stand. */
	li.before::before,
	li.behind::after {
		content: '';
		position: absolute;
		top: 0;
		bottom: 0;
		border-inline-start: 2px solid var(--vscode-focusBorder);
	}

	li.before::before {
		inset-inline-start: -4px;
	}

	li.behind::after {
		inset-inline-end: -4px;
	}

	.reference {
		display: flex;
		align-items: center;
		gap: 6px;
		min-width: 0;
		padding: 2px 0 2px 4px;
		border-radius: 4px;
		cursor: grab;
	}

	.edited .reference {
		padding-inline-start: 8px;
		cursor: default;
	}

	.thumbnail {
		flex: none;
		display: grid;
		place-content: center;
		min-width: 22px;
		height: 22px;
		overflow: hidden;
		border-radius: 2px;
	}

	img {
		display: block;
		max-width: 44px;
		height: 22px;
		object-fit: contain;
	}

	.words {
		display: flex;
		flex-wrap: wrap;
		align-items: baseline;
		gap: 0 6px;
		min-width: 0;
		max-width: min(24em, 40vw);
	}

	.name {
		font-weight: inherit;
	}

	.show {
		min-height: 22px;
		padding: 0 2px;
		color: inherit;
		background: none;
		border-color: transparent;
	}

	.show:hover {
		text-decoration: underline;
		background: none;
	}

	.why {
		font-size: 0.9em;
		overflow-wrap: anywhere;
	}

	button.icon {
		min-width: 22px;
		min-height: 22px;
		margin: 0 2px;
	}

	.browse {
		min-height: 28px;
		padding: 2px 8px 2px 4px;
		color: inherit;
		background: none;
		border-color: var(--vscode-contrastBorder, transparent);
	}

	.browse:hover {
		background: var(--vscode-toolbar-hoverBackground);
	}

	@media (forced-colors: active) {
		li.problem {
			border-style: dashed;
		}
	}
`;
