import { html, nothing, type TemplateResult } from 'lit';
import { mostCompared } from '../../protocol/studio.js';

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
						? `${mostCompared} are as many as can be compared. Clear one first.`
						: length === 1
							? `1 selected. Select up to ${mostCompared - 1} more to compare.`
							: `${length} selected`
				}
			</span>
			${length < 2 ? nothing : html`<button class="primary" @click=${compare}>Compare ${length}</button>`}
			<button @click=${clear}>Clear Selection</button>
		</div>
	`;
}
