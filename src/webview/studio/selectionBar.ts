import { css, html, nothing, type TemplateResult } from 'lit';
import { maxSelected, maxCompared } from '../../protocol/studio.js';
import { hints, labels, messages } from '../messages.js';

interface SelectionActions {
	readonly compare: () => void;
	readonly selectAll: (ids: readonly string[]) => void;
	readonly restyle: (ids: readonly string[]) => void;
	readonly clear: () => void;
}

/**
 * What is said and can be done while images are selected, to be compared or to be made again.
 *
 * @param isFull whether one more was to be selected than can be compared
 * @param outdated the images that can be made again with the style of now; missing where others are
 *   looked for
 */
export function selectionBar(
	selected: readonly string[],
	isFull: boolean,
	outdated: readonly string[] | undefined,
	{ compare, selectAll, restyle, clear }: SelectionActions,
): TemplateResult | typeof nothing {
	const { length } = selected;
	const chosen = new Set(selected);
	const again = (outdated ?? []).filter((id) => chosen.has(id)).slice(0, maxSelected);
	const others = (outdated?.length ?? 0) - again.length;
	if (length + others === 0) {
		return nothing;
	}
	return html`
		<div class="selection" role="group" aria-label="Selection">
			<span class="words">${wordsOf(length, isFull, outdated !== undefined)}</span>
			${
				again.length === 0
					? nothing
					: html`<button class="primary" @click=${() => restyle(again)}>
							${labels.regenerateInStyle(again.length)}
						</button>`
			}
			${
				others === 0
					? nothing
					: html`<button @click=${() => selectAll(outdated ?? [])}>
							${labels.selectAll(outdated?.length ?? 0)}
						</button>`
			}
			${
				length < 2 || length > maxCompared
					? nothing
					: html`<button class=${again.length === 0 ? 'primary' : ''} @click=${compare}>
							${labels.compareMany(length)}
						</button>`
			}
			${length === 0 ? nothing : html`<button @click=${clear}>${labels.clearSelection}</button>`}
		</div>
	`;
}

function wordsOf(length: number, isFull: boolean, isOutdated: boolean): string {
	if (isFull) {
		return messages.fullSelection(maxCompared);
	}
	if (isOutdated && length === 0) {
		return messages.selectToRegenerate;
	}
	return length === 1 && !isOutdated
		? messages.selectMore(maxCompared - 1)
		: hints.selected(length);
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
