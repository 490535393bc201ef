import { css } from 'lit';
import { missingSetupStyles } from './missingSetup.js';
import { styleChipStyles } from './styleChip.js';
import { noticeStyles } from './notice.js';

/** One box, not higher than half of the window: what is above it counts as much. */
export const styles = css`
	${missingSetupStyles} ${styleChipStyles} ${noticeStyles}

	:host {
		position: relative;
		display: flex;
		flex-direction: column;
		box-sizing: border-box;
		max-height: calc(50vh - 1px);
		padding: 8px 12px 10px;
	}

	.box {
		display: flex;
		flex-direction: column;
		box-sizing: border-box;
		/* Longer lines are hard to read. */
		width: 100%;
		max-width: 1100px;
		min-height: 0;
		margin: 0 auto;
		background: var(--vscode-input-background);
		border: 1px solid var(--vscode-contrastBorder, var(--vscode-input-border, var(--edge)));
		border-radius: 6px;
	}

	.box:focus-within {
		border-color: var(--vscode-contrastActiveBorder, var(--vscode-focusBorder));
	}

	.fields {
		display: flex;
		flex-direction: column;
		gap: 4px;
		min-height: 0;
		overflow-y: auto;
		padding: 6px 6px 0;
	}

	.head {
		flex: none;
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 2px 12px;
	}

	/* More of them are scrolled to: the prompt stays in sight. */
	easel-references {
		flex: 1 1 auto;
		max-height: 96px;
		overflow-y: auto;
		padding: 2px;
	}

	.not-viewed {
		flex: none;
		align-items: center;
	}

	/* Not above the button that sends, which is called alike. */
	.not-viewed p {
		flex: 0 1 auto;
	}

	.not-viewed > .codicon {
		margin-top: 0;
	}

	easel-prompt {
		flex: none;
	}

	.refusals {
		display: flex;
		align-items: flex-start;
		gap: 8px;
		padding: 4px 2px 4px 8px;
		background: var(--vscode-inputValidation-errorBackground);
		color: var(--vscode-inputValidation-errorForeground, var(--vscode-foreground));
		border: 1px solid var(--vscode-inputValidation-errorBorder, var(--vscode-errorForeground));
		border-radius: 4px;
		overflow-wrap: anywhere;
	}

	.refusals ul {
		flex: 1;
		display: flex;
		flex-direction: column;
		gap: 4px;
		max-height: 6em;
		overflow-y: auto;
	}

	.line {
		flex: none;
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 4px 12px;
		padding: 4px 6px 6px;
	}

	.send {
		flex: 1;
		display: grid;
		grid-template-columns: minmax(0, max-content);
		align-items: center;
		justify-content: end;
		gap: 10px;
		min-width: 0;
	}

	/* The words give way to the button. */
	.send:has(#about) {
		grid-template-columns: minmax(min-content, 1fr) minmax(0, max-content);
	}

	#about {
		font-size: 0.92em;
		text-align: end;
		text-wrap: balance;
	}

	.head #about {
		margin-inline-start: auto;
		padding-inline-end: 4px;
	}

	.send button {
		min-width: 84px;
		min-height: 28px;
	}

	.send button span {
		overflow: hidden;
		text-overflow: ellipsis;
		white-space: nowrap;
	}

	/* It keeps its place among the tab stops, so that everybody learns why it does nothing. */
	.send [aria-disabled='true'] {
		opacity: 0.5;
		cursor: default;
	}

	.send [aria-disabled='true']:hover {
		background: var(--vscode-button-background);
		outline-color: transparent;
	}

	/* Three lines: one of images, which is scrolled sidewards, the prompt, and one of choices. */
	:host([narrow]) easel-references {
		flex: 1 1 100px;
		flex-wrap: nowrap;
		overflow: auto hidden;
	}

	:host([narrow]) .send .codicon {
		display: none;
	}

	:host([narrow]) .line {
		flex-wrap: nowrap;
		gap: 6px;
	}

	/* Says where to drop while something is dragged; what is below stays where it is. */
	.drop {
		position: absolute;
		inset: 4px;
		z-index: 3;
		display: grid;
		place-content: center;
		text-align: center;
		color: var(--vscode-editor-foreground);
		background: color-mix(in srgb, var(--vscode-editor-background) 88%, transparent);
		border: 2px dashed var(--vscode-focusBorder);
		border-radius: 6px;
		pointer-events: none;
	}

	.drop div {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		justify-content: center;
		gap: 4px 12px;
		padding: 8px;
	}
`;
