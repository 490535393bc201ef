import { css, html, nothing, type TemplateResult } from 'lit';
import { codicon } from '../codicon.js';
import { labels } from '../messages.js';

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
			aria-label=${labels.starImage(label)}
			aria-pressed=${kept ? 'true' : 'false'}
			title="${kept ? labels.removeStar : labels.star} (${key})"
			@click=${toggle}
		>
			${codicon(kept ? 'star-full' : 'star-empty')}
			${kept ? html`<span class="hidden">${labels.starred}</span>` : nothing}
		</button>
	`;
}

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

	button.keep:focus-visible {
		outline: 2px solid var(--vscode-focusBorder);
	}
`;
