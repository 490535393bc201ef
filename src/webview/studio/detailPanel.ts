import { html, nothing, type TemplateResult } from 'lit';
import { codicon } from '../codicon.js';
import type { Image } from '../../protocol/studio.js';
import { shortenedName } from '../shortenedName.js';
import { actionEntries, actionsFor, divideActions, type GalleryAction } from './imageActions.js';
import './imageMarks.js';
import { chainOf, type Link } from './lineage.js';
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
	/** Goes to another image of the studio. */
	readonly show: (id: string) => void;
	/** Opens the menu with these actions below `button`. */
	readonly more: (actions: GalleryAction[][], button: HTMLElement) => void;
}

/** What stands beside an image: what it is, how it came to be, and what can be done with it. */
export function detailPanel({ image, note, result, ...options }: DetailPanel): TemplateResult {
	const folder = folderOf(image);
	return html`
		<div class="words">
			<h2><span class="own">${image.label}</span> ${shortenedName(image.name)}</h2>
			${chain(chainOf(image), options.show)}
			<easel-image-marks .image=${image}></easel-image-marks>
			<div
				class="prompt"
				role="group"
				aria-label="Prompt"
				tabindex="0"
				dir="auto"
				.textContent=${image.prompt}
			></div>
			<p class="quiet">${image.details}</p>
			${folder === '' ? nothing : html`<p class="quiet"><bdi>${folder}</bdi></p>`}
			${note === '' ? nothing : html`<p class="note">${note}</p>`} ${actionsOf(image, options)}
			${resultLines(result)}
		</div>
	`;
}

/** Where it lies; empty where that is not known, or at the top of the workspace. */
function folderOf({ path, name }: Image): string {
	return path.endsWith(name) ? path.slice(0, -name.length - 1) : path;
}

/** `1c → 2b → 3a`, each a way there where there is one. */
function chain(
	links: readonly Link[],
	show: (id: string) => void,
): TemplateResult | typeof nothing {
	if (links.length === 0) {
		return nothing;
	}
	const own = links.length - 1;
	return html`
		<ol class="chain" aria-label="Comes from">
			${links.map(({ label, id }, index) => {
				if (index === own) {
					return html`<li aria-current="true">${label}</li>`;
				}
				return html`<li>
					${
						id === undefined
							? html`<bdi>${label}</bdi>`
							: html`<button title="Go to ${label}" @click=${() => show(id)}>${label}</button>`
					}
					<span class="arrow" aria-hidden="true">→</span>
				</li>`;
			})}
		</ol>
	`;
}

/** Whether an image is kept stands above them. */
const elsewhere: ReadonlySet<GalleryAction> = new Set(['keep', 'unkeep']);

function actionsOf(
	image: Image,
	{ isWide, run, more }: Pick<DetailPanel, 'isWide' | 'run' | 'more'>,
): TemplateResult {
	const actions = actionsFor(image)
		.map((group) => group.filter((action) => !elsewhere.has(action)))
		.filter((group) => group.length > 0);
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
				${codicon('ellipsis')} More
			</button>
		</div>
	`;
}

function actionButton(action: GalleryAction, isPrimary: boolean, run: () => void): TemplateResult {
	const { label, icon } = actionEntries[action];
	return html`
		<button class="action ${isPrimary ? 'primary' : ''}" @click=${run}>
			${codicon(icon)} ${label}
		</button>
	`;
}
