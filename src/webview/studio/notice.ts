import { html, nothing, type TemplateResult } from 'lit';
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
