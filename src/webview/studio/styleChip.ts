import { html, nothing, type TemplateResult } from 'lit';
import { codicon } from '../codicon.js';
import { hints, labels } from '../messages.js';
import { iconButton } from './iconButton.js';
import type { StudioStore } from './store.js';

/**
 * The style that goes with the prompt, what is sent in the end, and how to leave the style out.
 *
 * @param show shows what would be sent
 */
export function styleChip(store: StudioStore, show: () => void): TemplateResult {
	const style = store.setup?.style;
	const isLeftOut = store.saved.draft.withoutStyle === true;
	const openGuide = () => void store.ask({ type: 'openStyle' });
	const setLeftOut = (withoutStyle: boolean) => store.write({ withoutStyle });
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
