import { html, nothing, type TemplateResult } from 'lit';
import type { Job, Slot } from '../../protocol/studio.js';
import { codicon } from '../codicon.js';
import { labels, messages } from '../messages.js';
import { pictureStyle } from './imageTile.js';
import { firstActions, jobButton, stateNames } from './jobActions.js';
import { beginningOf } from './prompts.js';
import type { Failure } from './rounds.js';
import type { StudioStore } from './store.js';

interface Tile {
	/** The places that it stands for. */
	readonly slots: readonly [Slot, ...Slot[]];
	/** Missing while nothing is known of it. */
	readonly job: Job | undefined;
	/** All that have failed for the same reason. */
	readonly failure: Failure | undefined;
	/** Width to height of the picture that is to come. */
	readonly ratio: number;
	/** Whether its prompt stands nowhere else: its neighbors have others. */
	readonly hasOwnPrompt: boolean;
	/** Whether the tab key leads to it, and to its buttons. */
	readonly isTabStop: boolean;
}

/** An image that is to come, or has not come, in the place that it has. */
export function jobTile(store: StudioStore, tile: Tile): TemplateResult {
	const { slots, job, ratio, isTabStop } = tile;
	const isRunning = job === undefined || job.state === 'running';
	return html`
		<div
			class="tile job ${job?.state ?? 'running'}"
			role="gridcell"
			tabindex=${isTabStop ? 0 : -1}
			data-cell=${slots[0].id}
			.style="grid-column: span ${slots.length}"
		>
			<div class="place" .style="${pictureStyle(ratio)}; --places: ${slots.length}"></div>
			${isRunning ? running(store, tile) : standing(store, tile, job)}
		</div>
	`;
}

function running(store: StudioStore, { job, hasOwnPrompt, isTabStop }: Tile): TemplateResult {
	const percent = job?.progress === undefined ? undefined : Math.round(job.progress * 100);
	return html`
		<span class="caption">
			<span class="label">${job?.label}</span>
			${hasOwnPrompt && job !== undefined ? html`<span class="name" dir="auto">${beginningOf(job.prompt)}</span>` : nothing}
		</span>
		<div class="box" title=${job?.words ?? nothing}>
			<span class="now">${job?.words}</span>
			<span class="now short" aria-hidden="true">${job?.short}</span>
			${
				job?.actions.includes('cancel')
					? jobButton(store, [job], 'cancel', { isTabStop, name: `${labels.cancel} ${job.label}` })
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
	const { slots, failure, hasOwnPrompt, isTabStop } = tile;
	const many = failure?.ids.length ?? 1;
	// It is said once, by the first of them.
	const isFirst = many === 1 || failure?.ids[0] === slots[0].id;
	const { name, icon } = stateNames[job.state];
	const open = () => store.openCard(job.id);
	const tab = isTabStop ? 0 : -1;
	return html`
		<div class="box">
			<p class="state">
				${codicon(icon)}<span class="label">${labelsOf(store, slots)}</span>
				<span class="state-name">${many > 1 && isFirst ? `${String(many)} ${name}` : name}</span>
				${
					job.state === 'asking'
						? nothing
						: html`<button
								class="icon more"
								tabindex=${tab}
								aria-haspopup="dialog"
								aria-label="More about ${job.label}"
								title="More"
								@click=${open}
							>
								${codicon('ellipsis')}
							</button>`
				}
			</p>
			${job.charge === undefined || !isFirst ? nothing : html`<p class="charge">${job.charge}</p>`}
			${hasOwnPrompt ? html`<p class="prompt quiet" dir="auto">${beginningOf(job.prompt)}</p>` : nothing}
			<p class="words">${isFirst ? job.words : messages.sameError(failure?.job.label ?? '')}</p>
			<div class="buttons">
				${many > 1 ? (isFirst ? allButtons(store, failure!, isTabStop) : nothing) : firstActions(job).map((action) => jobButton(store, [job], action, { isTabStop }))}
				${
					// With all of its words in sight: it may be charged again.
					job.actions.includes('sendAgain')
						? html`<button class="primary" tabindex=${tab} aria-haspopup="dialog" @click=${open}>
								${labels.decide}
							</button>`
						: nothing
				}
			</div>
		</div>
	`;
}

/** `3a`, or `3a – 3c`. */
function labelsOf({ jobs }: StudioStore, slots: readonly Slot[]): string {
	const [first = '', ...others] = slots.map(({ id }) => jobs.get(id)?.label ?? '');
	return others.length === 0 ? first : `${first} – ${others.at(-1) ?? ''}`;
}

function allButtons(
	store: StudioStore,
	{ ids, job }: Failure,
	isTabStop: boolean,
): readonly TemplateResult[] {
	const jobs = ids.flatMap((id) => store.jobs.get(id) ?? job);
	return [
		jobButton(store, jobs, 'again', { isTabStop, label: labels.retryAll(ids.length) }),
		jobButton(store, jobs, 'dismiss', { isTabStop, label: labels.dismissAll }),
	];
}
