import { html, nothing, type TemplateResult } from 'lit';
import { query } from 'lit/decorators.js';
import type { Job } from '../../protocol/studio.js';
import { codicon } from '../codicon.js';
import { labels } from '../messages.js';
import { iconButton } from './parts.js';
import { buttonsForAll, jobButton, stateNames } from './jobActions.js';
import { Popup, withinWindow } from './popup.js';
import { beginningOf } from './prompts.js';
import { failureOf } from './rounds.js';
import { StudioElement } from './studioElement.js';

/**
 * All that there is to say about an image that is to come or has not come, and all that can be done
 * about it. It lies over the tile, which may be too small for that.
 */
export class JobCard extends StudioElement {
	@query('.card') private accessor card!: HTMLElement;

	#shown: string | undefined;
	#hadFocus = false;
	readonly #popup = new Popup(this, {
		element: () => this.card,
		closed: () => {
			this.#shown = undefined;
			this.store.set({ card: undefined });
		},
	});

	protected override willUpdate(): void {
		this.#hadFocus = this.hasFocus;
	}

	protected override updated(): void {
		const { card: id } = this.store;
		if (id === this.#shown) {
			return;
		}
		const before = this.#shown;
		this.#shown = id;
		const tile = document.querySelector<HTMLElement>(`.tile[data-cell="${id ?? ''}"]`);
		if (id === undefined || tile === null) {
			if (this.#hadFocus) {
				this.store.focus('grid', 'anywhere', before);
			}
			this.#popup.dismiss();
			return;
		}
		const { left: x, top: y } = tile.getBoundingClientRect();
		this.#popup.open((size, window) => withinWindow({ x, y }, size, window), tile);
		// Not one of the buttons: the key that has opened it may still be down.
		this.card.focus({ preventScroll: true });
	}

	protected override render(): TemplateResult {
		const job = this.store.jobs.get(this.store.card ?? '');
		return html`
			<div
				class="card ${job?.state ?? ''}"
				popover="manual"
				role="dialog"
				aria-labelledby="card-state"
				tabindex="-1"
				@keydown=${this.#onKey}
			>
				${job === undefined ? nothing : this.#about(job)}
			</div>
		`;
	}

	#about(job: Job): TemplateResult {
		const { store } = this;
		const { name, icon } = stateNames[job.state];
		const { ids } = failureOf(job, store.slotsBeside(job.id), store.jobs);
		const many = ids.length > 1;
		const names = ids.map((id) => store.jobs.get(id)?.label).join(', ');
		return html`
			<div class="top">
				${codicon(icon)}
				<h2 id="card-state">${names} · ${many ? `${ids.length} ` : ''}${name}</h2>
				${iconButton(labels.close, 'close', () => this.#popup.close(), {
					title: `${labels.close} (Escape)`,
				})}
			</div>
			${job.charge === undefined ? nothing : html`<p class="charge">${job.charge}</p>`}
			<p class="words">${job.words}</p>
			<p class="prompt" dir="auto" title=${job.prompt}>${beginningOf(job.prompt)}</p>
			<p class="quiet">${job.details}</p>
			<div class="buttons">
				${many ? buttonsForAll(store, ids) : nothing}
				${job.actions
					.filter((action) => !many || !['again', 'dismiss'].includes(action))
					.map((action) => jobButton(store, [job], action))}
			</div>
		`;
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		// Nothing of it is for what lies below.
		event.stopPropagation();
		if (event.key === 'Escape') {
			event.preventDefault();
			this.#popup.close();
		}
	};
}

customElements.define('easel-job-card', JobCard);
