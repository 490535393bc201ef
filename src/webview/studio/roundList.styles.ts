import { css } from 'lit';
import { scrollAreaStyles } from './scrollArea.styles.js';

/** Everything lies where arithmetic puts it; nothing in a round moves another. */
export const styles = css`
	${scrollAreaStyles}

	.area {
		padding: 8px 12px;
	}

	.round {
		position: absolute;
		contain: layout style;
	}

	.header {
		display: flex;
		align-items: center;
		gap: 8px;
		height: 32px;
		overflow: hidden;
	}

	.title {
		display: flex;
		flex: 0 1 auto;
		align-items: center;
		gap: 4px;
		min-width: 0;
	}

	h2 {
		display: flex;
		gap: 0.5ch;
		min-width: 0;
		white-space: nowrap;
	}

	.number {
		flex: none;
	}

	bdi {
		min-width: 0;
		overflow: hidden;
		text-overflow: ellipsis;
		font-weight: normal;
	}

	bdi.named {
		font-weight: 600;
	}

	.tools {
		display: flex;
		flex: 1 0 auto;
		align-items: center;
		gap: 8px;
		justify-content: flex-start;
	}

	.tools > :last-child {
		margin-inline-start: auto;
	}

	.age {
		margin-inline-start: auto;
		color: var(--vscode-descriptionForeground);
		font-size: 0.92em;
	}

	.age + button {
		margin-inline-start: 0 !important;
	}

	button.small {
		min-height: 24px;
		padding: 0 8px;
	}

	.rename {
		box-sizing: border-box;
		width: min(320px, 100%);
		min-width: 80px;
		height: 24px;
		padding: 0 6px;
		font: inherit;
		color: var(--vscode-input-foreground);
		background: var(--vscode-input-background);
		border: 1px solid var(--vscode-focusBorder);
		border-radius: 3px;
		outline: none;
	}
`;
