import { css } from 'lit';

export const styles = css`
	:host {
		display: flex;
		flex-direction: column;
		gap: 6px;
	}

	:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: 1px;
	}

	.head {
		display: flex;
		align-items: center;
		justify-content: space-between;
		gap: 12px;
	}

	ol {
		display: flex;
		flex-direction: column;
		gap: 4px;
	}

	li {
		position: relative;
		display: flex;
		align-items: center;
		border: 1px solid var(--edge);
		border-radius: 4px;
		background: var(--vscode-input-background);
	}

	li.problem {
		color: var(--vscode-inputValidation-errorForeground, inherit);
		background: var(--vscode-inputValidation-errorBackground);
		border-color: var(--vscode-errorForeground);
	}

	li.dragged {
		opacity: 0.5;
	}

	/* Where it would come to lie. */
	li.above::before,
	li.below::after {
		content: '';
		position: absolute;
		left: 0;
		right: 0;
		border-top: 2px solid var(--vscode-focusBorder);
	}

	li.above::before {
		top: -4px;
	}

	li.below::after {
		bottom: -4px;
	}

	.reference {
		flex: 1;
		display: flex;
		align-items: center;
		gap: 8px;
		min-width: 0;
		padding: 4px;
		border-radius: 4px;
		cursor: grab;
	}

	.number {
		flex: none;
		min-width: 1.5em;
		text-align: center;
		font-variant-numeric: tabular-nums;
		color: var(--vscode-descriptionForeground);
	}

	.thumbnail {
		flex: none;
		display: grid;
		place-content: center;
		width: 40px;
		height: 40px;
		overflow: hidden;
		color: var(--vscode-descriptionForeground);
		background: var(--vscode-editorWidget-background);
		border-radius: 2px;
	}

	img {
		display: block;
		width: 40px;
		height: 40px;
		object-fit: contain;
	}

	.words {
		flex: 1;
		display: flex;
		flex-direction: column;
		min-width: 0;
	}

	.name {
		font-weight: inherit;
	}

	.details {
		font-size: 0.9em;
		overflow-wrap: anywhere;
		color: var(--vscode-descriptionForeground);
	}

	.problem .details,
	.problem .number {
		color: inherit;
	}

	.edited {
		display: flex;
		align-items: center;
		gap: 4px;
		font-size: 0.9em;
	}

	button.icon {
		margin: 0 4px;
	}

	.hint {
		font-size: 0.9em;
	}

	@media (forced-colors: active) {
		li.problem {
			border-style: dashed;
		}
	}
`;
