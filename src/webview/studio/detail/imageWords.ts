import { html, nothing, type TemplateResult } from 'lit';
import type { Mark } from '../../../images/marks.js';
import type { Image } from '../../../protocol/studioModel.js';
import { codicon } from '../../codicon.js';
import { hints, pageLabels } from '../../messages.js';
import { markName } from '../marks/markGeometry.js';
import { openMenuBelow } from '../easelMenu.js';
import {
	actionEntries,
	actionsFor,
	divideActions,
	menuOf,
	runAction,
	type GalleryAction,
} from '../imageActions.js';
import '../imageAnnotations.js';
import { firstWords } from '../prompts.js';
import { chainOf } from '../rounds.js';
import type { StudioStore } from '../store.js';

interface Wording {
	/** On what is shown instead of the image; empty where that is shown. */
	readonly note: string;
	/** True where the words stand beside the image, with room for all buttons. */
	readonly isWide: boolean;
}

/** The words beside an image that is open large, and what can be done with it. */
export function imageWords(
	store: StudioStore,
	image: Image,
	{ note, isWide }: Wording,
): TemplateResult {
	const { label, name, prompt, path, details, isUnlisted, marked } = image;
	const title = isUnlisted === true ? name : image.title;
	return html`
		<div class="words column">
			<h2 class="row">
				${label === '' ? nothing : html`<span class="quiet">${label}</span>`}
				<bdi class="cut" title=${title ?? prompt}>${title ?? firstWords(prompt)}</bdi>
			</h2>
			${chain(store, image)}
			${
				isUnlisted === true
					? nothing
					: html`
							<easel-image-annotations .store=${store} .image=${image}></easel-image-annotations>
							<div
								class="prompt"
								role="group"
								aria-label="Prompt"
								tabindex="0"
								dir="auto"
								.textContent=${prompt}
							></div>
						`
			}
			${marked === undefined ? nothing : notesOf(marked.marks)}
			<p class="quiet">${details}</p>
			<p class="quiet"><bdi>${path}</bdi></p>
			${note === '' ? nothing : html`<p class="note">${note}</p>`} ${actions(store, image, isWide)}
		</div>
	`;
}

/** The notes of the marks that an image was edited with. */
function notesOf(marks: readonly Mark[]): TemplateResult {
	return html`
		<ol class="mark-notes" aria-label=${pageLabels.marks}>
			${marks.map(
				(mark, index) => html`
					<li class="row" aria-label=${markName(mark, index + 1)}>
						<span class="number">${index + 1}</span>
						<span dir="auto">${mark.note || hints.noNote}</span>
					</li>
				`,
			)}
		</ol>
	`;
}

/** `1c → 2b → 3a`, each a way there where there is one. */
function chain(store: StudioStore, image: Image): TemplateResult | typeof nothing {
	const links = chainOf(image);
	return links.length === 0
		? nothing
		: html`
				<ol class="chain row" aria-label="Comes from">
					${links.map(({ label, id }, index) =>
						index === links.length - 1
							? html`<li class="row" aria-current="true">${label}</li>`
							: html`<li class="row">
									${
										id === undefined
											? html`<bdi class="cut">${label}</bdi>`
											: html`<button
													class="link"
													title="Go to ${label}"
													@click=${() => store.view.reveal(id)}
												>
													${label}
												</button>`
									}
									<span class="arrow quiet" aria-hidden="true">→</span>
								</li>`,
					)}
				</ol>
			`;
}

/** All of them where there is room; else some are in a menu. The star stands above them. */
function actions(store: StudioStore, image: Image, isWide: boolean): TemplateResult {
	const possible = actionsFor(image)
		.map((group) =>
			group.filter((action) => action !== 'addFavorite' && action !== 'removeFavorite'),
		)
		.filter((group) => group.length > 0);
	const buttonsOf = (group: readonly GalleryAction[]) =>
		group.map((action, index) => {
			const isPrimary = index === 0 && action === 'insert';
			return actionButton(store, image, action, isPrimary ? 'primary' : isWide ? 'plain' : '');
		});
	if (isWide) {
		return html`
			<div class="actions list">
				${possible.map((group) => html`<div class="group column">${buttonsOf(group)}</div>`)}
			</div>
		`;
	}
	const [buttons, menu] = divideActions(possible);
	return html`
		<div class="actions">
			${buttonsOf(buttons)}
			<button
				class="action"
				aria-haspopup="menu"
				@click=${(event: Event) => openMenuBelow(event, menuOf(store, image.id, pageLabels.more, menu))}
			>
				${codicon('ellipsis')} ${pageLabels.more}
			</button>
		</div>
	`;
}

function actionButton(
	store: StudioStore,
	{ id }: Image,
	action: GalleryAction,
	kind: 'primary' | 'plain' | '',
): TemplateResult {
	const { label, icon } = actionEntries[action];
	return html`
		<button class="action ${kind}" @click=${() => runAction(store, id, action)}>
			${codicon(icon)} ${label}
		</button>
	`;
}
