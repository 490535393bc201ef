import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Job } from '../../protocol/studio.js';
import type { JobAction } from '../../protocol/studioActions.js';
import { dispatch } from '../dispatch.js';
import { containIn } from '../geometry.js';
import { observeSize } from '../observeSize.js';
import { styles } from './easelJobs.styles.js';
import { announce, ask } from './events.js';
import { layOut } from './gridLayout.js';
import { announcementsOf } from './jobAnnouncements.js';
import { keepFocus } from './keepFocus.js';
import { buttonStyles, pageStyles } from './page.styles.js';
import { beginningOf } from './prompts.js';

declare global {
	interface HTMLElementEventMap {
		/** The card with the focus has gone, and there is no other. */
		'easel-focus-lost': CustomEvent<undefined>;
	}
}

const actionLabels: Record<JobAction, string> = {
	cancel: 'Cancel',
	again: 'Try Again',
	sendAgain: 'Send Again (May Be Charged Twice)',
	sendSmaller: 'Send Smaller',
	stop: 'Stop',
	setKey: 'Set API Key',
	useAnotherKey: 'Use Another Key',
	setUp: 'Set Up Image Service',
	openSettings: 'Open Settings',
	change: 'Change Request',
	dismiss: 'Dismiss',
	showLog: 'Show Log',
	saveAs: 'Save As…',
	saveAgain: 'Try Again',
	discard: 'Discard…',
};

/** What these send is paid for. */
const paid: ReadonlySet<JobAction> = new Set<JobAction>([
	'again',
	'sendAgain',
	'sendSmaller',
	'setKey',
	'useAnotherKey',
	'setUp',
]);

const stateNames: Record<
	Exclude<Job['state'], 'running'>,
	readonly [name: string, icon: string]
> = {
	asking: ['Needs Your Decision', 'question'],
	failed: ['Failed', 'error'],
	unsaved: ['Not Saved', 'warning'],
};

/** More words than this may not fit into a card; they are scrolled, by keyboard too. */
const mayScroll = 150;

/** The images that are being made, and those that failed, each as a card. */
export class EaselJobs extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles];

	/** Newest first; missing until the extension has said which there are. */
	@property({ attribute: false }) accessor jobs: readonly Job[] | undefined;

	@state() private accessor width = 0;

	constructor() {
		super();
		observeSize(
			this,
			() => this,
			([entry]) => {
				this.width = entry!.contentRect.width;
			},
		);
		keepFocus(
			this,
			() => (this.jobs ?? []).map(({ id }) => id),
			(card) => {
				if (card === undefined) {
					dispatch(this, 'easel-focus-lost', undefined);
				}
				// Not one of its buttons: whoever cancels one image does not want to cancel the next.
				card?.focus();
			},
		);
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		const before = changed.get('jobs');
		if (before !== undefined) {
			for (const { text, urgent } of announcementsOf(before, this.jobs ?? [])) {
				announce(this, text, urgent);
			}
		}
	}

	protected override render(): TemplateResult | typeof nothing {
		const jobs = this.jobs ?? [];
		if (jobs.length === 0) {
			return nothing;
		}
		const { columns, width } = layOut(this.width, jobs.length);
		return html`
			<section aria-labelledby="heading">
				<h2 id="heading">Requests</h2>
				<ul .style="grid-template-columns: repeat(${columns}, minmax(0, 1fr))">
					${repeat(
						jobs,
						({ id }) => id,
						(job) =>
							job.state === 'running'
								? this.#running(job, width)
								: this.#standing(job, job.state, columns),
					)}
				</ul>
			</section>
		`;
	}

	#running(job: Job, width: number): TemplateResult {
		const inside = Math.max(width - 18, 1);
		const box = containIn(
			{ width: job.ratio, height: 1 },
			{ x: 0, y: 0, width: inside, height: inside },
		);
		return html`
			<li class="card running" data-id=${job.id} tabindex="-1">
				<div class="stage" aria-hidden="true">
					<div class="box" .style="width: ${box.width}px; height: ${box.height}px"></div>
				</div>
				${this.#progress(job)}
				<p class="words">${job.words}</p>
				${this.#about(job)} ${this.#buttons(job)}
			</li>
		`;
	}

	/** One that waits for a person. */
	#standing(job: Job, state: 'asking' | 'failed' | 'unsaved', columns: number): TemplateResult {
		const [name, icon] = stateNames[state];
		return html`
			<li
				class="card ${state}"
				data-id=${job.id}
				tabindex="-1"
				.style="grid-column: span ${Math.min(columns, 2)}"
			>
				<p class="state"><vscode-icon name=${icon}></vscode-icon>${name}</p>
				<p
					class="words"
					tabindex=${job.words.length > mayScroll ? 0 : nothing}
					role=${job.words.length > mayScroll ? 'group' : nothing}
					aria-label=${job.words.length > mayScroll ? 'Message' : nothing}
				>
					<span>${job.words}</span>
				</p>
				${this.#about(job)} ${this.#buttons(job)}
			</li>
		`;
	}

	#progress({ progress }: Job): TemplateResult | typeof nothing {
		if (progress === undefined) {
			return nothing;
		}
		const percent = Math.round(progress * 100);
		return html`
			<div
				class="track"
				role="progressbar"
				aria-label="Progress"
				aria-valuemin="0"
				aria-valuemax="100"
				aria-valuenow=${percent}
			>
				<div class="bar" .style="width: ${percent}%"></div>
			</div>
		`;
	}

	#about({ id, prompt, details }: Job): TemplateResult {
		return html`
			<p class="prompt" id="prompt-${id}" dir="auto" title=${prompt}>${beginningOf(prompt)}</p>
			<p class="details quiet">${details}</p>
		`;
	}

	#buttons({ id, actions }: Job): TemplateResult {
		return html`
			<div class="buttons">
				${repeat(
					actions,
					(action) => action,
					(action) => html`
						<button
							aria-describedby="prompt-${id}"
							@click=${(event: MouseEvent) => {
								// A double click is not meant to be paid for twice.
								if (event.detail <= 1 || !paid.has(action)) {
									ask(this, { type: 'job', id, action });
								}
							}}
						>
							${actionLabels[action]}
						</button>
					`,
				)}
			</div>
		`;
	}
}

customElements.define('easel-jobs', EaselJobs);
