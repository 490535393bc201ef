// The cells of the grid of rounds: images that exist, and in their places those that do not yet.
import { html, nothing, type TemplateResult } from 'lit';
import type { Image, Job, StudioSlot } from '../../protocol/studioModel.js';
import { codicon } from '../codicon.js';
import { hints, pageLabels, pageMessages } from '../messages.js';
import { shortenedName } from '../shortenedName.js';
import { buttonsForAll, firstActions, jobButton, stateNames } from './jobActions.js';
import { iconButton, favoriteButton, thumbnail } from './parts.js';
import { firstWords, ellipsized } from './prompts.js';
import { failureOf } from './rounds.js';
import type { StudioStore } from './store.js';
import type { ImageLibrary } from './store/imageLibrary.js';

/** Length of the end of a name that is always seen, in graphemes: enough for `-10.png`. */
const tailLength = 7;

interface Tile {
	/** The places that it stands for: several for images that have failed for the same reason. */
	readonly slots: readonly [StudioSlot, ...StudioSlot[]];
	/** True where its prompt stands nowhere else: its neighbors have others. */
	readonly hasOwnPrompt: boolean;
	/** True where the tab key leads to it, and to its buttons. */
	readonly isTabStop: boolean;
}

/** An image that exists, as a cell of the grid. */
export function imageTile(store: StudioStore, tile: Tile): TemplateResult {
	const { slots, isTabStop } = tile;
	const [{ id, ratio }] = slots;
	const image = store.library.images.get(id);
	return html`
		<div
			class="tile image column"
			role="gridcell"
			tabindex=${isTabStop ? 0 : -1}
			aria-selected=${store.selected.ids.has(id) ? 'true' : 'false'}
			aria-label=${image === undefined ? hints.loading : store.library.showsFolder ? fileName(image) : nameOf(image, tile)}
			title=${image === undefined ? nothing : titleOf(image)}
			data-cell=${id}
			draggable=${image?.uri === undefined ? 'false' : 'true'}
			@dragstart=${(event: DragEvent) => onDragStart(event, image)}
		>
			<span class="picture" .style="aspect-ratio: ${ratio}"
				>${pictureOf(store.library, image)}</span
			>
			<span class="caption row"
				>${image === undefined ? nothing : store.library.showsFolder ? fileCaption(image) : captionOf(store, image, tile)}</span
			>
			<span class="check" aria-hidden="true"></span>
		</div>
	`;
}

/** Returns the name for screen readers: what is seen comes first, as it is seen. */
function nameOf(image: Image, tile: Tile): string {
	const { label, isFavorite, title, prompt, details, exists } = image;
	const words = wordsOf(image, tile);
	return [
		...(exists ? [] : [hints.notFound]),
		words === '' ? label : `${label} ${words}`,
		...(isFavorite ? [hints.starred] : []),
		...(words === '' && title === undefined ? [ellipsized(firstWords(prompt), 60)] : []),
		details,
	].join(' · ');
}

/** Name of an image of a folder for a screen reader. */
function fileName({ name, label, isFavorite, details, problem }: Image): string {
	const words = [name, label, isFavorite ? hints.starred : '', details, problem ?? ''];
	return words.filter((word) => word !== '').join(' · ');
}

/** Text that the pointer brings up. */
function titleOf({ note, name, details, problem, isUnlisted }: Image): string {
	return isUnlisted === true
		? [name, details, problem ?? ''].filter((word) => word !== '').join('\n')
		: (note ?? name);
}

function fileCaption({ name, isFavorite }: Image): TemplateResult {
	return html`${shortenedName(name, tailLength)}${isFavorite ? codicon('star-full') : nothing}`;
}

/** Returns the words beside its label. */
function wordsOf({ title, prompt }: Image, { hasOwnPrompt }: Tile): string {
	return title ?? (hasOwnPrompt ? firstWords(prompt) : '');
}

function captionOf(store: StudioStore, image: Image, tile: Tile): TemplateResult {
	const { id, label, exists } = image;
	return html`
		<span class="label">${label}</span>
		<span class="name cut" dir="auto">${wordsOf(image, tile)}</span>
		${
			exists
				? html`<button
						class="icon edit"
						tabindex=${tile.isTabStop ? 0 : -1}
						aria-label="Edit ${label}"
						title="Edit (E)"
						@click=${() => void store.ask({ type: 'edit', id, how: 'alone' })}
					>
						${codicon('edit')}
					</button>`
				: nothing
		}
		${favoriteButton(store, image, 'K', tile.isTabStop)}
	`;
}

function pictureOf(
	library: ImageLibrary,
	image: Image | undefined,
): TemplateResult | typeof nothing {
	if (image === undefined) {
		return nothing;
	}
	if (!image.exists) {
		return html`<span class="none column">${codicon('circle-slash')} ${hints.notFound}</span>`;
	}
	if (image.problem !== undefined) {
		return html`<span class="none column"
			>${codicon('circle-slash')}<small>${hints.cannotBeShown}</small></span
		>`;
	}
	return thumbnail(library, image.thumbnail) ?? codicon('file-media');
}

/** Type that a dragged tile of this page has beside its URI. */
export const ownImageType = 'application/x-easel-image';

/**
 * Lets an image be dropped into a document or the explorer: the workbench takes a list of URIs
 * (RFC 2483, part 5), the explorer its own name for one.
 */
function onDragStart({ dataTransfer }: DragEvent, image: Image | undefined): void {
	if (dataTransfer !== null && image?.uri !== undefined) {
		dataTransfer.effectAllowed = 'copy';
		for (const type of ['text/uri-list', 'application/vnd.code.uri-list']) {
			dataTransfer.setData(type, image.uri);
		}
		dataTransfer.setData(ownImageType, image.id);
		dataTransfer.setData('ResourceURLs', JSON.stringify([image.uri]));
	}
}

/** An image that is to come, or has not come, in the place that it has. */
export function jobTile(store: StudioStore, tile: Tile): TemplateResult {
	const { slots, isTabStop } = tile;
	const job = store.jobs.byId.get(slots[0].id);
	return html`
		<div
			class="tile column job ${job?.state ?? 'running'}"
			role="gridcell"
			tabindex=${isTabStop ? 0 : -1}
			data-cell=${slots[0].id}
			.style="grid-column: span ${slots.length}"
		>
			<div class="place" .style="aspect-ratio: ${slots[0].ratio}; --places: ${slots.length}"></div>
			${job === undefined || job.state === 'running' ? running(store, tile, job) : standing(store, tile, job)}
		</div>
	`;
}

/** @param job missing while nothing is known of it */
function running(
	store: StudioStore,
	{ hasOwnPrompt, isTabStop }: Tile,
	job: Job | undefined,
): TemplateResult {
	const percent = job?.progress === undefined ? undefined : Math.round(job.progress * 100);
	return html`
		<span class="caption row">
			<span class="label">${job?.label}</span>
			${hasOwnPrompt && job !== undefined ? html`<span class="name cut" dir="auto">${firstWords(job.prompt)}</span>` : nothing}
		</span>
		<div class="box" title=${job?.words ?? nothing}>
			<span class="now">${job?.words}</span>
			<span class="now short" aria-hidden="true">${job?.short}</span>
			${
				job?.actions.includes('cancel')
					? jobButton(store, [job], 'cancel', {
							isTabStop,
							name: `${pageLabels.cancel} ${job.label}`,
						})
					: nothing
			}
			${
				percent === undefined
					? nothing
					: html`<div
							class="track"
							role="progressbar"
							aria-label="Progress of ${job?.label}"
							aria-valuemin="0"
							aria-valuemax="100"
							aria-valuenow=${percent}
						>
							<div class="bar" .style="width: ${percent}%"></div>
						</div>`
			}
		</div>
	`;
}

/** One that waits for the user. What it means for the money comes first, and whole. */
function standing(store: StudioStore, tile: Tile, job: Job): TemplateResult {
	const { slots, hasOwnPrompt, isTabStop } = tile;
	const failure = failureOf(job, store.library.slotsBeside(job.id), store.jobs.byId);
	const many = failure.ids.length;
	// It is said once, by the first of them.
	const isFirst = failure.ids[0] === slots[0].id;
	const { name, icon } = stateNames[job.state];
	const open = () => store.jobs.showCard(job.id);
	return html`
		<div class="box">
			<p class="state row">
				${codicon(icon)}<span class="label">${labelsOf(store, slots)}</span>
				<span class="state-name cut"
					>${many > 1 && isFirst ? `${String(many)} ${name}` : name}</span
				>
				${
					job.state === 'asking'
						? nothing
						: iconButton(`More about ${job.label}`, 'ellipsis', open, {
								title: pageLabels.more,
								isTabStop,
								opens: 'dialog',
							})
				}
			</p>
			${job.charge === undefined || !isFirst ? nothing : html`<p class="charge">${job.charge}</p>`}
			${hasOwnPrompt ? html`<p class="prompt quiet cut" dir="auto">${firstWords(job.prompt)}</p>` : nothing}
			<p class="words">${isFirst ? job.words : pageMessages.sameError(failure.job.label)}</p>
			<div class="buttons">
				${
					many === 1
						? firstActions(job).map((action) => jobButton(store, [job], action, { isTabStop }))
						: isFirst
							? buttonsForAll(store, failure.ids, isTabStop)
							: nothing
				}
				${
					// With all of its words in sight: it may be charged again.
					job.actions.includes('sendAgain')
						? html`<button
								class="primary"
								tabindex=${isTabStop ? 0 : -1}
								aria-haspopup="dialog"
								@click=${open}
							>
								${pageLabels.decide}
							</button>`
						: nothing
				}
			</div>
		</div>
	`;
}

/** `3a`, or `3a – 3c`. */
function labelsOf({ jobs }: StudioStore, slots: readonly StudioSlot[]): string {
	const [first = '', ...others] = slots.map(({ id }) => jobs.byId.get(id)?.label ?? '');
	return others.length === 0 ? first : `${first} – ${others.at(-1) ?? ''}`;
}
