import { html, nothing, type TemplateResult } from 'lit';
import { codicon } from '../codicon.js';
import type { SetupProblem } from '../../protocol/studio.js';
import { labels, messages } from '../messages.js';
import type { StudioStore } from './store.js';

const words: Record<SetupProblem, readonly [words: string, button: string]> = {
	address: [messages.noAddress, labels.setUp],
	key: [messages.noKey, labels.setApiKey],
};

/** What keeps everything from being sent, each with the button that mends it. */
export function missingSetup(store: StudioStore): TemplateResult | typeof nothing {
	const missing = store.setup?.missing ?? [];
	if (missing.length === 0) {
		return nothing;
	}
	return html`
		<div class="missing" role="group" aria-label="Setup">
			${missing.map((problem) => html` <p>${codicon('info')}${words[problem][0]}</p> `)}
			<div class="buttons">
				${missing.map(
					(problem, index) => html`
						<button
							class=${index === 0 ? 'primary' : ''}
							@click=${() => void store.ask({ type: 'setUp', problem })}
						>
							${words[problem][1]}
						</button>
					`,
				)}
			</div>
		</div>
	`;
}
