import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import type { Image } from '../../protocol/studio.js';
import { shortenedName } from '../shortenedName.js';
import { actionEntries, actionsFor, divideActions, type GalleryAction } from './imageActions.js';
import { resultLines, type Result } from './result.js';

interface DetailPanel {
	readonly image: Image;
	/** What a person should know about what is shown; empty if there is nothing to say. */
	readonly note: string;
	/** What has come of the last action, if the page itself did it. */
	readonly result: Result | undefined;
	/** Whether there is room for all actions; else some of them are in a menu. */
	readonly isWide: boolean;
	readonly run: (action: GalleryAction) => void;
	/** Opens the menu with these actions below `button`. */
	readonly more: (actions: GalleryAction[][], button: HTMLElement) => void;
}

/** What stands beside an image: what it is, what can be done with it, and its prompt. */
export function detailPanel({ image, note, result, ...options }: DetailPanel): TemplateResult {
	return html`
		<div class="words">
			<h2>${shortenedName(image.name)}</h2>
			${image.path === image.name ? nothing : html`<p class="quiet"><bdi>${image.path}</bdi></p>`}
			<p class="quiet">${image.details}</p>
			${note === '' ? nothing : html`<p class="note">${note}</p>`} ${actionsOf(image, options)}
			${resultLines(result)}
			<h3 id="prompt">Prompt</h3>
			<div
				class="prompt"
				role="group"
				aria-labelledby="prompt"
				tabindex="0"
				dir="auto"
				.textContent=${image.prompt}
			></div>
		</div>
	`;
}

function actionsOf(
	image: Image,
	{ isWide, run, more }: Pick<DetailPanel, 'isWide' | 'run' | 'more'>,
): TemplateResult {
	const actions = actionsFor(image);
	const buttonsOf = (group: readonly GalleryAction[]) =>
		group.map((one, index) => actionButton(one, index === 0 && one === 'insert', () => run(one)));
	if (isWide) {
		return html`
			<div class="actions list">
				${actions.map((group) => html`<div class="group">${buttonsOf(group)}</div>`)}
			</div>
		`;
	}
	const [buttons, menu] = divideActions(actions);
	return html`
		<div class="actions">
			${buttonsOf(buttons)}
			<button
				class="action"
				aria-haspopup="menu"
				@click=${(event: Event) => more(menu, event.currentTarget as HTMLElement)}
			>
				<vscode-icon name="ellipsis"></vscode-icon>
				More
			</button>
		</div>
	`;
}

function actionButton(action: GalleryAction, isPrimary: boolean, run: () => void): TemplateResult {
	const { label, icon } = actionEntries[action];
	return html`
		<button class="action ${isPrimary ? 'primary' : ''}" @click=${run}>
			<vscode-icon name=${icon}></vscode-icon>
			${label}
		</button>
	`;
}
