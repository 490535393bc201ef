import { css, html, nothing, type TemplateResult } from 'lit';
import { icon } from '../icon.js';

interface Keep {
	/** Of the image, as `3a`. */
	readonly label: string;
	readonly kept: boolean;
	/** A key that does the same. */
	readonly key?: string;
	readonly toggle: () => void;
}

/** Keeps an image, or keeps it no longer. */
export function keepButton({ label, kept, key = 'K', toggle }: Keep): TemplateResult {
	return html`
		<button
			class="keep"
			aria-label="Keep ${label}"
			aria-pressed=${kept ? 'true' : 'false'}
			title="${kept ? 'Stop Keeping' : 'Keep'} (${key})"
			@click=${toggle}
		>
			${star} ${kept ? html`<span class="hidden">Kept</span>` : nothing}
		</button>
	`;
}

const star = icon(
	'M8 1.8L9.9 5.9L14.3 6.4L11 9.4L11.9 13.8L8 11.6L4.1 13.8L5 9.4L1.7 6.4L6.1 5.9Z',
);

export const keepButtonStyles = css`
	button.keep {
		flex: none;
		min-width: 26px;
		min-height: 26px;
		padding: 0;
		color: inherit;
		background: none;
		border-color: transparent;
		outline-color: transparent;
	}

	button.keep:hover {
		background: var(--vscode-toolbar-hoverBackground);
	}

	button.keep[aria-pressed='true'] {
		color: var(--vscode-charts-yellow, var(--vscode-editorWarning-foreground, currentcolor));
		background: none;
		border-color: transparent;
	}

	button.keep[aria-pressed='true'] svg {
		fill: currentcolor;
	}

	button.keep:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
	}
`;
