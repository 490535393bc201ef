import { css, html, nothing, type TemplateResult } from 'lit';
import { mostCompared } from '../../protocol/studio.js';
import { hints, labels, messages } from '../messages.js';

/**
 * What is said and can be done while images are selected to be compared.
 *
 * @param isFull whether one more was to be selected than can be compared
 */
export function selectionBar(
	selected: readonly string[],
	isFull: boolean,
	{ compare, clear }: { readonly compare: () => void; readonly clear: () => void },
): TemplateResult | typeof nothing {
	const { length } = selected;
	if (length === 0) {
		return nothing;
	}
	return html`
		<div class="selection" role="group" aria-label="Selection">
			<span class="words">
				${
					isFull
						? messages.fullSelection(mostCompared)
						: length === 1
							? messages.selectMore(mostCompared - 1)
							: hints.selected(length)
				}
			</span>
			${length < 2 ? nothing : html`<button class="primary" @click=${compare}>${labels.compareMany(length)}</button>`}
			<button @click=${clear}>${labels.clearSelection}</button>
		</div>
	`;
}

export const selectionStyles = css`
	/* Over the pictures, which stay where they are. */
	.selection {
		position: absolute;
		inset-inline: 12px;
		bottom: 10px;
		z-index: 2;
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		justify-content: center;
		gap: 6px 8px;
		width: fit-content;
		max-width: 100%;
		box-sizing: border-box;
		margin: 0 auto;
		padding: 6px 8px 6px 12px;
		color: var(--vscode-editorWidget-foreground, var(--vscode-foreground));
		background: var(--vscode-editorWidget-background);
		border: 1px solid var(--edge, transparent);
		border-radius: 5px;
		box-shadow: 0 2px 8px var(--vscode-widget-shadow, transparent);
	}
`;
