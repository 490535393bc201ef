import { css, html, nothing, type TemplateResult } from 'lit';
import { codicon } from '../codicon.js';
import { iconButton } from './iconButton.js';
import { labels } from '../messages.js';

/** What a person should know about what has been put into the composer; nothing where there is none. */
export function notice(
	words: string | undefined,
	dismiss: () => void,
): TemplateResult | typeof nothing {
	if (words === undefined) {
		return nothing;
	}
	return html`
		<div class="notice">
			${codicon('info')}
			<p>${words}</p>
			${iconButton(labels.dismiss, 'close', dismiss)}
		</div>
	`;
}

export const noticeStyles = css`
	.notice {
		display: flex;
		align-items: flex-start;
		gap: 8px;
		padding: 2px 2px 2px 8px;
		border-inline-start: 2px solid var(--vscode-editorInfo-foreground, currentcolor);
	}

	.notice > .codicon {
		margin-top: 4px;
	}

	.notice p {
		flex: 1;
		min-width: 0;
		max-height: 4.2em;
		padding: 3px 0;
		overflow-y: auto;
		overflow-wrap: anywhere;
	}
`;
