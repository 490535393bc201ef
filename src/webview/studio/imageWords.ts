import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, nothing, type TemplateResult } from 'lit';
import type { Image } from '../../protocol/studio.js';
import { shortenedName } from '../shortenedName.js';
import { actEntries, actsOn, divideActs, type Act } from './imageActions.js';
import { resultLines, type Result } from './result.js';

export interface Words {
	readonly image: Image;
	/** What a person should know about what is shown; empty if there is nothing to say. */
	readonly note: string;
	/** What has come of the last action, if the page itself did it. */
	readonly result: Result | undefined;
	/** Whether there is room for all actions; else some of them are in a menu. */
	readonly isWide: boolean;
	readonly act: (act: Act) => void;
	/** Opens the menu with these actions below `button`. */
	readonly more: (acts: Act[][], button: HTMLElement) => void;
}

/** What stands beside an image: what it is, what can be done with it, and its prompt. */
export function imageWords({ image, note, result, ...acting }: Words): TemplateResult {
	return html`
		<div class="words">
			<h2>${shortenedName(image.name)}</h2>
			${image.path === image.name ? nothing : html`<p class="quiet path"><bdi>${image.path}</bdi></p>`}
			<p class="quiet">${image.details}</p>
			${note === '' ? nothing : html`<p class="note">${note}</p>`} ${actsFor(image, acting)}
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

function actsFor(
	image: Image,
	{ isWide, act, more }: Pick<Words, 'isWide' | 'act' | 'more'>,
): TemplateResult {
	const acts = actsOn(image);
	const buttonsOf = (group: readonly Act[]) =>
		group.map((one, index) => actButton(one, index === 0 && one === 'insert', () => act(one)));
	if (isWide) {
		return html`
			<div class="acts list">
				${acts.map((group) => html`<div class="group">${buttonsOf(group)}</div>`)}
			</div>
		`;
	}
	const [buttons, menu] = divideActs(acts);
	return html`
		<div class="acts">
			${buttonsOf(buttons)}
			<button
				class="act"
				aria-haspopup="menu"
				@click=${(event: Event) => more(menu, event.currentTarget as HTMLElement)}
			>
				<vscode-icon name="ellipsis"></vscode-icon>
				More
			</button>
		</div>
	`;
}

function actButton(act: Act, isPrimary: boolean, run: () => void): TemplateResult {
	const { label, icon } = actEntries[act];
	return html`
		<button class="act ${isPrimary ? 'primary' : ''}" @click=${run}>
			<vscode-icon name=${icon}></vscode-icon>
			${label}
		</button>
	`;
}
