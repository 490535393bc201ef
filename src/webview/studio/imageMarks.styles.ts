import { css } from 'lit';
import { keepButtonStyles } from './keepButton.js';

export const styles = css`
	${keepButtonStyles}

	:host {
		display: flex;
		flex-direction: column;
		gap: 2px;
	}

	.row {
		display: flex;
		align-items: center;
		gap: 4px;
	}

	/* Text until somebody turns to it. */
	.field {
		flex: 1;
		box-sizing: border-box;
		min-width: 0;
		min-height: 26px;
		/* So that its text stands where the others do. */
		margin: 0 0 0 -7px;
		padding: 2px 6px;
		font: inherit;
		color: inherit;
		background: none;
		border: 1px solid transparent;
		border-radius: 4px;
	}

	#title {
		font-weight: 600;
	}

	#note {
		flex: none;
		align-self: stretch;
		max-height: 8lh;
		padding: 4px 6px;
		field-sizing: content;
		resize: none;
		overflow-wrap: anywhere;
		line-height: 1.35;
	}

	.field::placeholder {
		font-weight: normal;
		color: var(--vscode-descriptionForeground);
		opacity: 1;
	}

	.field:hover,
	.field:focus {
		color: var(--vscode-input-foreground);
		background: var(--vscode-input-background);
		border-color: var(--vscode-contrastBorder, var(--vscode-input-border, var(--edge)));
	}

	.field:focus {
		outline: 1px solid var(--vscode-focusBorder);
		outline-offset: -1px;
	}

	.field[aria-invalid='true'] {
		border-color: var(--vscode-inputValidation-errorBorder, var(--vscode-errorForeground));
	}

	.problem {
		color: var(--vscode-errorForeground);
		font-size: 0.92em;
	}

	@media (forced-colors: active) {
		.field {
			border-color: CanvasText;
		}
	}
`;
