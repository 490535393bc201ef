import { html, nothing, type TemplateResult } from 'lit';
import { query } from 'lit/decorators.js';
import type { Job } from '../../protocol/studioModel.js';
import { codicon } from '../codicon.js';
import { pageLabels } from '../messages.js';
import { iconButton } from './parts.js';
import { buttonsForAll, jobButton, stateNames } from './jobActions.js';
import { firstWords } from './prompts.js';
import { failureOf } from './rounds.js';
import { StudioElement } from './studioElement.js';

/**
 * All that there is to say about an image that is to come or has not come, and all that can be done
 * about it: its tile may be too small for that.
 */
export class JobCard extends StudioElement {
	@query('dialog') private accessor dialog!: HTMLDialogElement;

	#shown: string | undefined;

	protected override updated(): void {
		const { store, dialog } = this;
		const before = this.#shown;
		this.#shown = store.jobs.card;
		if (this.#shown !== undefined && !dialog.open) {
			dialog.showModal();
		} else if (this.#shown === undefined && dialog.open) {
			dialog.close();
			// Its tile may have gone with the job.
			store.focus.request('grid', 'anywhere', before);
		}
	}

	protected override render(): TemplateResult {
		const job = this.store.jobs.byId.get(this.store.jobs.card ?? '');
		// It has the focus itself, not one of its buttons: the key that has opened it may still be down.
		return html`
			<dialog
				class="card ${job?.state ?? ''}"
				closedby="any"
				autofocus
				tabindex="-1"
				aria-labelledby="card-state"
				@keydown=${(event: Event) => event.stopPropagation()}
				@close=${this.#close}
			>
				${job === undefined ? nothing : this.#about(job)}
			</dialog>
		`;
	}

	#about(job: Job): TemplateResult {
		const { store } = this;
		const { name, icon } = stateNames[job.state];
		const { ids } = failureOf(job, store.library.slotsBeside(job.id), store.jobs.byId);
		const many = ids.length > 1;
		const names = ids.map((id) => store.jobs.byId.get(id)?.label).join(', ');
		return html`
			<div class="top">
				${codicon(icon)}
				<h2 id="card-state">${names} · ${many ? `${ids.length} ` : ''}${name}</h2>
				${iconButton(pageLabels.close, 'close', this.#close, {
					title: `${pageLabels.close} (Escape)`,
				})}
			</div>
			${job.charge === undefined ? nothing : html`<p class="charge">${job.charge}</p>`}
			<p class="words">${job.words}</p>
			<p class="prompt" dir="auto" title=${job.prompt}>${firstWords(job.prompt)}</p>
			<p class="quiet">${job.details}</p>
			<div class="buttons">
				${many ? buttonsForAll(store, ids) : nothing}
				${job.actions
					.filter((action) => !many || !['again', 'dismiss'].includes(action))
					.map((action) => jobButton(store, [job], action))}
			</div>
		`;
	}

	readonly #close = (): void => this.store.jobs.showCard();
}

customElements.define('easel-job-card', JobCard);
