import { css } from 'lit';
import { resultStyles } from './result.js';

export const styles = css`
	${resultStyles}

	.bar {
		position: sticky;
		top: 0;
		z-index: 1;
		display: flex;
		flex-direction: column;
		gap: 6px;
		padding: 8px 0;
		background: var(--vscode-editor-background);
	}

	.row {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 4px 12px;
	}

	.count {
		flex: 1 0 auto;
		font-variant-numeric: tabular-nums;
	}

	vscode-textfield {
		flex: 0 1 280px;
		width: auto;
		min-width: min(180px, 100%);
	}

	button {
		white-space: nowrap;
	}

	.banner {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 6px 8px;
		padding: 6px 8px;
		background: var(--vscode-editorWidget-background);
		border: 1px solid var(--vscode-contrastBorder, var(--vscode-widget-border, transparent));
		border-radius: 4px;
	}

	.words {
		flex: 1 1 160px;
		min-width: 0;
		overflow-wrap: anywhere;
	}

	.empty {
		display: flex;
		flex-direction: column;
		align-items: center;
		gap: 12px;
		padding: 48px 16px;
		color: var(--vscode-descriptionForeground);
		text-align: center;
		overflow-wrap: anywhere;
	}

	.words bdi {
		display: inline-block;
		max-width: 100%;
		overflow: hidden;
		text-overflow: ellipsis;
		vertical-align: bottom;
		white-space: nowrap;
	}

	@media (max-width: 560px) {
		vscode-textfield,
		.words {
			flex-basis: 100%;
		}
	}
`;
