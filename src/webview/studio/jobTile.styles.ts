import { css } from 'lit';

export const jobTileStyles = css`
	.job .box {
		position: relative;
		box-sizing: border-box;
		width: 100%;
		overflow: hidden;
		border-radius: 4px;
	}

	/* As large as the picture that will stand there. */
	.job.running .box {
		display: grid;
		flex: none;
		place-items: center;
		border: 1px dashed var(--vscode-contrastBorder, var(--vscode-descriptionForeground));
		background: linear-gradient(
				100deg,
				transparent 35%,
				var(--vscode-list-hoverBackground) 50%,
				transparent 65%
			)
			100% 0 / 300% 100%;
		animation: shimmer 3s ease-in-out infinite;
	}

	/* It is said first, and seen below the picture to come. */
	.job.running .caption {
		order: 1;
	}

	@keyframes shimmer {
		to {
			background-position: 0 0;
		}
	}

	@media (prefers-reduced-motion: reduce) {
		.job.running .box {
			animation: none;
		}
	}

	:host-context(.vscode-reduce-motion) .job.running .box {
		animation: none;
	}

	.now {
		padding-inline: 12px;
		text-align: center;
		text-wrap: balance;
		font-variant-numeric: tabular-nums;
	}

	/* In the place of the time, while it is wanted. */
	.cancel {
		position: absolute;
		bottom: 10px;
		opacity: 0;
	}

	.tile:hover .cancel,
	.tile:focus-within .cancel {
		opacity: 1;
	}

	.track {
		position: absolute;
		inset: auto 0 0;
		height: 3px;
		background: color-mix(in srgb, var(--vscode-progressBar-background) 25%, transparent);
	}

	.bar {
		height: 100%;
		background: var(--vscode-progressBar-background);
	}

	:is(.failed, .asking, .unsaved).job .box {
		display: flex;
		flex-direction: column;
		gap: 4px;
		height: 100%;
		padding: 8px;
		background: var(--vscode-editorWidget-background);
		border: 1px solid var(--edge, transparent);
		border-inline-start: 3px solid
			var(--vscode-editorError-foreground, var(--vscode-errorForeground));
	}

	.asking.job .box {
		color: var(--vscode-inputValidation-warningForeground, var(--vscode-foreground));
		background: var(--vscode-inputValidation-warningBackground);
		border-color: var(--vscode-editorWarning-foreground);
	}

	.unsaved.job .box {
		border-inline-start-color: var(--vscode-editorWarning-foreground);
	}

	.state {
		display: flex;
		flex: none;
		align-items: center;
		gap: 6px;
		white-space: nowrap;
	}

	.failed .state > .codicon {
		color: var(--vscode-editorError-foreground, var(--vscode-errorForeground));
	}

	:is(.asking, .unsaved) .state > .codicon {
		color: var(--vscode-editorWarning-foreground);
	}

	.job .prompt {
		flex: none;
		overflow: hidden;
		text-overflow: ellipsis;
		white-space: nowrap;
	}

	.state-name {
		min-width: 0;
		overflow: hidden;
		text-overflow: ellipsis;
	}

	/* As many lines of it as there is room for: all of it stands in the card. */
	.job .words {
		display: -webkit-box;
		flex: none;
		-webkit-box-orient: vertical;
		-webkit-line-clamp: var(--lines);
		line-clamp: var(--lines);
		overflow: hidden;
		overflow-wrap: anywhere;
		font-size: 0.95em;
		line-height: 17px;
	}

	.job .buttons {
		display: flex;
		flex: none;
		flex-wrap: wrap;
		gap: 6px;
	}

	.job .buttons button {
		min-width: 0;
		padding-inline: 8px;
		overflow: hidden;
		text-overflow: ellipsis;
		white-space: nowrap;
	}

	.job .state .more {
		margin-block: -4px;
		margin-inline: auto -4px;
	}

	@media (forced-colors: active) {
		.asking.job .box {
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
