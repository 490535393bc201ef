import { css, html, nothing, type TemplateResult } from 'lit';
import { codicon } from '../codicon.js';
import type { Style } from '../../protocol/studio.js';
import { iconButton } from './iconButton.js';
import { hints, labels } from '../messages.js';

/** What a person can do about the style. */
export interface StyleSteps {
	/** Shows what would be sent. */
	readonly show: () => void;
	readonly openGuide: () => void;
	readonly setLeftOut: (isLeftOut: boolean) => void;
}

/** The style that goes with the prompt, what is sent in the end, and how to leave the style out. */
export function styleChip(
	style: Style | undefined,
	isLeftOut: boolean,
	{ show, openGuide, setLeftOut }: StyleSteps,
): TemplateResult {
	const showSent = iconButton(labels.showWhatIsSent, 'eye', show);
	if (style === undefined) {
		return html`<div class="style">${showSent}</div>`;
	}
	const { name, references, problem } = style;
	const words = isLeftOut ? hints.withoutStyle : hints.style(name, references);
	const isProblem = problem !== undefined && !isLeftOut;
	return html`
		<div class="style" role="group" aria-label="Style guide">
			<div class=${['chip', isLeftOut ? 'out' : '', isProblem ? 'problem' : ''].join(' ')}>
				<button
					class="guide"
					title=${isProblem ? problem : labels.openName(name)}
					aria-label="${words}${isProblem ? `. ${problem}` : ''}"
					@click=${openGuide}
				>
					${codicon(isProblem ? 'warning' : isLeftOut ? 'circle-slash' : 'symbol-color')}
					<span>${words}</span>
				</button>
				${
					isLeftOut
						? iconButton(labels.useName(name), 'add', () => setLeftOut(false))
						: iconButton(labels.withoutStyle, 'close', () => setLeftOut(true))
				}
			</div>
			${isProblem ? nothing : showSent}
		</div>
	`;
}

export const styleChipStyles = css`
	.style {
		display: flex;
		align-items: center;
		gap: 2px;
		min-width: 0;
	}

	.chip {
		display: flex;
		align-items: center;
		box-sizing: border-box;
		min-width: 0;
		min-height: 28px;
		border: 1px solid var(--edge);
		border-radius: 4px;
		background: var(--vscode-editor-background);
	}

	.chip.out {
		border-style: dashed;
	}

	.chip.problem {
		color: var(--vscode-inputValidation-errorForeground, inherit);
		background: var(--vscode-inputValidation-errorBackground);
		border-color: var(--vscode-errorForeground);
	}

	.style .guide {
		display: flex;
		align-items: center;
		gap: 6px;
		min-width: 0;
		max-width: min(24em, 60vw);
		min-height: 22px;
		padding: 0 2px 0 6px;
		color: inherit;
		background: none;
		border-color: transparent;
	}

	.style .guide:hover span {
		text-decoration: underline;
	}

	.style .guide span {
		overflow: hidden;
		text-overflow: ellipsis;
		white-space: nowrap;
	}
`;
