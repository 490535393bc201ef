import { css } from 'lit';

export const styles = css`
	h2 {
		padding: 8px 0;
	}

	:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
		outline-offset: 1px;
	}

	ul {
		display: grid;
		gap: 8px;
	}

	.card {
		display: flex;
		flex-direction: column;
		gap: 6px;
		box-sizing: border-box;
		min-width: 0;
		padding: 8px;
		background: var(--vscode-editorWidget-background);
		border: 1px solid var(--edge);
		border-radius: 4px;
	}

	.card.failed,
	.card.asking {
		align-self: start;
		border-inline-start-width: 3px;
		border-inline-start-style: solid;
	}

	.card.failed {
		border-inline-start-color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
	}

	.card.asking {
		border-color: var(--vscode-editorWarning-foreground);
		background: var(--vscode-inputValidation-warningBackground);
		color: var(--vscode-inputValidation-warningForeground, var(--vscode-foreground));
	}

	/* As a picture of the gallery: a square, and in it what has the ratio to come. */
	.stage {
		display: grid;
		place-content: center;
		aspect-ratio: 1;
	}

	.box {
		box-sizing: border-box;
		border: 1px dashed var(--vscode-descriptionForeground);
		border-radius: 3px;
		background: linear-gradient(
				100deg,
				transparent 35%,
				var(--vscode-list-hoverBackground) 50%,
				transparent 65%
			)
			100% 0 / 300% 100%;
		animation: shimmer 3s ease-in-out infinite;
	}

	@keyframes shimmer {
		to {
			background-position: 0 0;
		}
	}

	@media (prefers-reduced-motion: reduce) {
		.box {
			animation: none;
		}
	}

	:host-context(.vscode-reduce-motion) .box {
		animation: none;
	}

	.track {
		height: 3px;
		overflow: hidden;
		background: color-mix(in srgb, var(--vscode-progressBar-background) 25%, transparent);
		border-radius: 2px;
	}

	.bar {
		height: 100%;
		background: var(--vscode-progressBar-background);
	}

	.state {
		display: flex;
		align-items: center;
		gap: 6px;
		font-weight: 600;
	}

	.failed .state vscode-icon {
		color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
	}

	.asking .state vscode-icon {
		color: var(--vscode-editorWarning-foreground);
	}

	.words {
		font-variant-numeric: tabular-nums;
		overflow-wrap: anywhere;
	}

	/* All of it can be read, without pushing everything else away. */
	.failed .words,
	.asking .words {
		max-height: 12em;
		overflow-y: auto;
		user-select: text;
	}

	.words > span {
		white-space: pre-line;
	}

	.prompt {
		display: -webkit-box;
		-webkit-box-orient: vertical;
		-webkit-line-clamp: 2;
		line-clamp: 2;
		overflow: hidden;
		overflow-wrap: anywhere;
	}

	.details {
		font-size: 0.9em;
		overflow-wrap: anywhere;
	}

	.asking .quiet {
		color: inherit;
	}

	.buttons {
		display: flex;
		flex-wrap: wrap;
		gap: 6px;
		margin-top: auto;
	}

	.running button {
		flex: 1;
	}

	@media (forced-colors: active) {
		.card.asking {
			border-width: 3px;
		}

		.track {
			border: 1px solid CanvasText;
		}

		.bar {
			background: Highlight;
			forced-color-adjust: none;
		}
	}
`;
