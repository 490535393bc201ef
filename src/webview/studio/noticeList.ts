import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { codicon } from '../codicon.js';
import { iconButton } from './iconButton.js';
import type { Notice } from './notices.js';
import { labels } from '../messages.js';

interface NoticeButtons {
	readonly undo: (notice: Notice) => void;
	readonly dismiss: (notice: Notice) => void;
}

/** The notices, to be seen and, as they come, to be heard. */
export function noticeList(notices: readonly Notice[], buttons: NoticeButtons): TemplateResult {
	const errors = notices.filter(({ severity }) => severity === 'error');
	const others = notices.filter(({ severity }) => severity !== 'error');
	return html`
		<div class="notices">
			<div role="alert">${itemsOf(errors, buttons)}</div>
			<div role="status">${itemsOf(others, buttons)}</div>
		</div>
	`;
}

/** The icons are called like the severities. */
function itemsOf(notices: readonly Notice[], { undo, dismiss }: NoticeButtons): unknown {
	return repeat(
		notices,
		(notice) => notice,
		(notice) => html`
			<div class="notice ${notice.severity}">
				${codicon(notice.severity)}
				<p>${notice.text}</p>
				${
					notice.undo === undefined
						? nothing
						: html`<button @click=${() => undo(notice)}>${labels.undo}</button>`
				}
				${iconButton(labels.dismiss, 'close', () => dismiss(notice))}
			</div>
		`,
	);
}
