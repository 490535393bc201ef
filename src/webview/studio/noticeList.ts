import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Notice } from './notices.js';

const icons: Readonly<Record<Notice['severity'], string>> = {
	info: 'info',
	warning: 'warning',
	error: 'error',
};

export interface NoticeButtons {
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

function itemsOf(notices: readonly Notice[], { undo, dismiss }: NoticeButtons): unknown {
	return repeat(
		notices,
		(notice) => notice,
		(notice) => html`
			<div class="notice ${notice.severity}">
				<vscode-icon name=${icons[notice.severity]}></vscode-icon>
				<p>${notice.text}</p>
				${
					notice.undo === undefined
						? nothing
						: html`<button @click=${() => undo(notice)}>Undo</button>`
				}
				<button class="icon" aria-label="Dismiss" title="Dismiss" @click=${() => dismiss(notice)}>
					<vscode-icon name="close"></vscode-icon>
				</button>
			</div>
		`,
	);
}
