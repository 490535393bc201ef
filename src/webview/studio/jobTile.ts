import { html, nothing, type TemplateResult } from 'lit';
import type { Job } from '../../protocol/studio.js';
import type { JobAction } from '../../protocol/studioActions.js';
import { rectangleStyle, type Rectangle } from '../geometry.js';
import { codicon } from '../codicon.js';
import type { Failure } from './failures.js';
import { firstActions, isMeant, labelOfAction, stateNames } from './jobActions.js';
import { beginningOf } from './prompts.js';
import { captionHeight } from './streamLayout.js';
import { labels as texts, messages } from '../messages.js';

interface Tile {
	/** Of the first slot that it stands for. */
	readonly id: string;
	/** Of all of them. */
	readonly labels: readonly string[];
	/** Whether its prompt stands nowhere else: it is another than its neighbors', or their line is short. */
	readonly hasOwnPrompt: boolean;
	/** Missing while nothing is known of it. */
	readonly job: Job | undefined;
	/** Who has failed for the same reason. */
	readonly failure: Failure | undefined;
	readonly place: Rectangle;
	/** Whether the tab key leads to it, and to its buttons. */
	readonly isTabStop: boolean;
	readonly run: (action: JobAction) => void;
	readonly runAll: (action: 'again' | 'dismiss') => void;
	/** Shows all of its words and buttons. */
	readonly open: () => void;
}

/** An image that is to come, or has not come, in the place that it has. */
export function jobTile(tile: Tile): TemplateResult {
	const { id, job, place, isTabStop } = tile;
	const isRunning = job === undefined || job.state === 'running';
	return html`
		<div
			class="tile job ${job?.state ?? 'running'}"
			role="gridcell"
			tabindex=${isTabStop ? 0 : -1}
			data-cell=${id}
			.style=${rectangleStyle(place)}
		>
			${isRunning ? running(tile) : standing(tile, job)}
		</div>
	`;
}

/** Narrower tiles say how an image is doing in a word, in pixels. */
const minWidthForWords = 160;

/** `3a`, or `3a – 3c`. */
function spanOf(labels: readonly string[]): string {
	const [first = ''] = labels;
	return labels.length > 1 ? `${first} – ${labels.at(-1) ?? ''}` : first;
}

function running({ job, hasOwnPrompt, place, isTabStop, run }: Tile): TemplateResult {
	const percent = job?.progress === undefined ? undefined : Math.round(job.progress * 100);
	return html`
		<span class="caption">
			<span class="label">${job?.label}</span>
			${hasOwnPrompt && job !== undefined ? html`<span class="name" dir="auto">${beginningOf(job.prompt)}</span>` : nothing}
		</span>
		<div
			class="box"
			title=${job?.words ?? nothing}
			.style="height: ${place.height - captionHeight}px"
		>
			<span class="now">${place.width < minWidthForWords ? job?.short : job?.words}</span>
			${
				job?.actions.includes('cancel')
					? html`<button
							class="cancel"
							tabindex=${isTabStop ? 0 : -1}
							aria-label="Cancel ${job.label}"
							@click=${() => run('cancel')}
						>
							${texts.cancel}
						</button>`
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

/** One that waits for a person. */
function standing(tile: Tile, job: Job): TemplateResult {
	const { id, labels, failure, hasOwnPrompt, isTabStop, place } = tile;
	const many = failure?.ids.length ?? 1;
	// It is said once, by the first of them.
	const isFirst = many === 1 || failure?.ids[0] === id;
	const tab = isTabStop ? 0 : -1;
	const more =
		job.state === 'asking'
			? nothing
			: html`<button
					class="icon more"
					tabindex=${tab}
					aria-haspopup="dialog"
					aria-label="More about ${job.label}"
					title="More"
					@click=${tile.open}
				>
					${codicon('ellipsis')}
				</button>`;
	return html`
		<div class="box" .style="--lines: ${linesIn(place, firstActions(job).length)}">
			<p class="state">
				${codicon(stateNames[job.state].icon)}<span class="label">${spanOf(labels)}</span>
				<span class="state-name"
					>${many > 1 && isFirst ? `${many} ${stateNames.failed.name}` : stateNames[job.state].name}</span
				>
				${more}
			</p>
			${hasOwnPrompt ? html`<p class="prompt quiet" dir="auto">${beginningOf(job.prompt)}</p>` : nothing}
			${isFirst ? html`<p class="words">${job.words}</p>` : html`<p class="words">${messages.sameError(failure?.job.label ?? '')}</p>`}
			<div class="buttons">
				${many > 1 ? (isFirst ? allButtons(tile, many, tab) : nothing) : firstActions(job).map((action) => button(tile, job, action, tab))}
				${
					// With all of its words in sight: it may be charged again.
					job.actions.includes('sendAgain')
						? html`<button
								class="primary"
								tabindex=${tab}
								aria-haspopup="dialog"
								@click=${tile.open}
							>
								${texts.decide}
							</button>`
						: nothing
				}
			</div>
		</div>
	`;
}

/** How many lines of its words there is room for, above the buttons. */
function linesIn({ width, height }: Tile['place'], buttons: number): number {
	// In a small tile the buttons stand below each other.
	const [lineHeight, others] = [17, height < 220 || (buttons > 1 && width < 240) ? 108 : 76];
	return Math.max(1, Math.floor((height - others) / lineHeight));
}

function button({ run }: Tile, job: Job, action: JobAction, tab: number): TemplateResult {
	return html`<button
		tabindex=${tab}
		@click=${(event: MouseEvent) => {
			if (isMeant(event, action)) {
				run(action);
			}
		}}
	>
		${labelOfAction(action, job)}
	</button>`;
}

function allButtons({ runAll, place }: Tile, many: number, tab: number): TemplateResult {
	const number = place.width < 260 ? undefined : many;
	return html`
		<button
			tabindex=${tab}
			@click=${(event: MouseEvent) => {
				if (isMeant(event, 'again')) {
					runAll('again');
				}
			}}
		>
			${texts.retryAll(number)}
		</button>
		<button tabindex=${tab} @click=${() => runAll('dismiss')}>${texts.dismissAll}</button>
	`;
}
