import { css, html, nothing, type TemplateResult } from 'lit';
import type { Decision, Picture, Side } from '../protocol/compare.js';
import { hints, labels } from './messages.js';

interface Compared {
	readonly left: Picture | undefined;
	readonly right: Picture | undefined;
	readonly made: Side | undefined;
}

/** What can become of an image that was made from the other one; nothing where none was. */
export function decisionBar(
	{ left, right, made }: Compared,
	decide: (decision: Decision) => void,
): TemplateResult | typeof nothing {
	if (made === undefined) {
		return nothing;
	}
	const [fresh = '', original = ''] = (made === 'left' ? [left, right] : [right, left]).map(
		(picture) => picture?.name,
	);
	const button = (decision: Decision, label: string, what: string) => html`
		<button class=${decision} title=${what} @click=${() => decide(decision)}>${label}</button>
	`;
	return html`
		<div class="decision toolbar">
			<span class="question">${hints.sides[made]}</span>
			<div class="buttons" role="group" aria-label="New Image">
				${button('replace', labels.useNew, hints.useNew(fresh, original))}
				${button('keepBoth', labels.keepBoth, hints.keepBoth(fresh, original))}
				${button('discard', labels.deleteNew, hints.deleteNew(fresh, original))}
			</div>
		</div>
	`;
}

/** Buttons as those of a notification. */
export const decisionStyles = css`
	.decision {
		border-bottom: 1px solid var(--border);
		padding: 8px 12px;
	}

	.decision .buttons {
		flex-wrap: wrap;
		gap: 6px;
		margin-inline-start: auto;
	}

	.decision button {
		padding: 2px 11px;
		color: var(--vscode-button-secondaryForeground, inherit);
		background: var(--vscode-button-secondaryBackground, none);
		border-color: var(--border);
	}

	.decision button:hover:not(:disabled) {
		background: var(--vscode-button-secondaryHoverBackground);
	}

	.decision button.replace {
		color: var(--vscode-button-foreground);
		background: var(--vscode-button-background);
	}

	.decision button.replace:hover:not(:disabled) {
		background: var(--vscode-button-hoverBackground);
	}
`;
