import { css, html, nothing, type TemplateResult } from 'lit';
import { codicon } from '../codicon.js';
import type { SetupProblem } from '../../protocol/studio.js';
import { ask } from './events.js';
import { labels, messages } from '../messages.js';

const words: Record<SetupProblem, readonly [words: string, button: string]> = {
	address: [messages.noAddress, labels.setUp],
	key: [messages.noKey, labels.setApiKey],
};

/** What keeps everything from being sent, each with the button that mends it. */
export function missingSetup(
	from: EventTarget,
	missing: readonly SetupProblem[],
): TemplateResult | typeof nothing {
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
							@click=${() => ask(from, { type: 'setUp', problem })}
						>
							${words[problem][1]}
						</button>
					`,
				)}
			</div>
		</div>
	`;
}

export const missingSetupStyles = css`
	.missing {
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 6px 12px;
		padding: 6px 10px;
		background: var(--vscode-editorWidget-background);
		border: 1px solid var(--edge);
		border-inline-start: 3px solid var(--vscode-focusBorder);
		border-radius: 4px;
	}

	.missing p {
		flex: 0 1 auto;
		display: flex;
		gap: 8px;
	}

	.missing .buttons {
		display: flex;
		flex-wrap: wrap;
		gap: 6px;
		margin-inline-start: auto;
	}
`;
