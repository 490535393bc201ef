import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { codicon } from '../codicon.js';
import type { Job, Slot } from '../../protocol/studio.js';
import type { JobAction } from '../../protocol/studioActions.js';
import { between } from '../geometry.js';
import { askJobs } from './events.js';
import { failureOf, type Failure } from './failures.js';
import { iconButton } from './iconButton.js';
import { isMeant, labelOfAction, stateNames } from './jobActions.js';
import { styles } from './jobCard.styles.js';
import { buttonStyles, pageStyles } from './page.styles.js';
import { beginningOf } from './prompts.js';
import { labels as texts } from '../messages.js';

/**
 * All that there is to say about an image that is to come or has not come, and all that can be done
 * about it. It lies over the tile, which may be too small for that.
 */
export class JobCard extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles];

	@property({ attribute: false }) accessor jobs: ReadonlyMap<string, Job> = new Map();

	/** Whose card it is; missing while it is closed. */
	@state() private accessor shown: string | undefined;

	@query('.card') private accessor card!: HTMLElement;

	/** Of its round. */
	#slots: readonly Slot[] = [];
	/** Where the focus goes back to. */
	#back: () => void = () => undefined;
	#opened = new AbortController();

	/** @param back gives the focus back to the tile, or to what has taken its place */
	async open(
		id: string,
		slots: readonly Slot[],
		tile: HTMLElement,
		back: () => void,
	): Promise<void> {
		this.shown = id;
		this.#slots = slots;
		this.#back = back;
		await this.updateComplete;
		this.card.showPopover();
		this.#place(tile.getBoundingClientRect());
		// Not one of the buttons: the key that has opened it may still be down.
		this.card.focus({ preventScroll: true });
		this.#closeWhereOthersDo();
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#opened.abort();
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		if (changed.has('jobs') && this.shown !== undefined && !this.jobs.has(this.shown)) {
			this.#close();
		}
	}

	protected override render(): TemplateResult {
		const job = this.jobs.get(this.shown ?? '');
		return html`
			<div
				class="card ${job?.state ?? ''}"
				popover="manual"
				role="dialog"
				aria-labelledby="state"
				tabindex="-1"
				@keydown=${this.#onKey}
			>
				${job === undefined ? nothing : this.#about(job, failureOf(job, this.#slots, this.jobs))}
			</div>
		`;
	}

	#about(job: Job, { ids }: Failure): TemplateResult {
		const { name, icon } = stateNames[job.state];
		const labels = ids.map((id) => this.jobs.get(id)?.label ?? '');
		return html`
			<div class="top">
				${codicon(icon)}
				<h2 id="state">${labels.join(', ')} · ${ids.length > 1 ? `${ids.length} ` : ''}${name}</h2>
				${iconButton(texts.close, 'close', () => this.#close(), `${texts.close} (Escape)`)}
			</div>
			<p class="words">${job.words}</p>
			<p class="prompt" dir="auto" title=${job.prompt}>${beginningOf(job.prompt)}</p>
			<p class="quiet">${job.details}</p>
			<div class="buttons">
				${
					ids.length > 1
						? html`
								${this.#button(ids, 'again', texts.retryAll(ids.length))}
								${this.#button(ids, 'dismiss', texts.dismissAll)}
							`
						: nothing
				}
				${job.actions
					.filter((action) => ids.length === 1 || !['again', 'dismiss'].includes(action))
					.map((action) => this.#button([job.id], action, labelOfAction(action, job)))}
			</div>
		`;
	}

	#button(ids: readonly string[], action: JobAction, label: string): TemplateResult {
		return html`
			<button
				@click=${(event: MouseEvent) => {
					if (isMeant(event, action)) {
						this.#close();
						askJobs(this, ids, action);
					}
				}}
			>
				${label}
			</button>
		`;
	}

	/** Over the tile, as far as there is room. */
	#place(tile: DOMRect): void {
		const { width, height } = this.card.getBoundingClientRect();
		const margin = 6;
		const x = between(margin, tile.left, Math.max(margin, window.innerWidth - width - margin));
		const y = between(margin, tile.top, Math.max(margin, window.innerHeight - height - margin));
		// A property: the page's policy allows no style attributes.
		this.card.style.translate = `${x}px ${y}px`;
	}

	#close(): void {
		const hadFocus = this.card.matches(':focus-within');
		this.#opened.abort();
		if (hadFocus) {
			this.#back();
		}
	}

	/** Closes it when the user turns to something else, as menus do. */
	#closeWhereOthersDo(): void {
		this.#opened.abort();
		this.#opened = new AbortController();
		const { signal } = this.#opened;
		signal.addEventListener('abort', () => {
			this.card.hidePopover();
			this.shown = undefined;
		});
		const close = (event: Event) => {
			if (!event.composedPath().includes(this)) {
				this.#opened.abort();
			}
		};
		for (const type of ['pointerdown', 'wheel', 'resize', 'focusin']) {
			window.addEventListener(type, close, { signal, capture: true, passive: true });
		}
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		// Nothing of it is for what lies below.
		event.stopPropagation();
		if (event.key === 'Escape') {
			event.preventDefault();
			this.#close();
		}
	};
}

customElements.define('easel-job-card', JobCard);
