import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { codicon } from './codicon.js';
import { isWriting, onHeldKey } from './keys.js';
import { keyNames, labels } from './messages.js';
import './studio/contactSheet.js';
import './studio/easelCompose.js';
import './studio/easelMenu.js';
import './studio/easelStream.js';
import { iconButton } from './studio/parts.js';
import './studio/jobCard.js';
import type { Announcement } from './studio/jobAnnouncements.js';
import type { Notice } from './studio/store.js';
import { StudioElement } from './studio/studioElement.js';

/** The page of the image studio: the stream of rounds, and below it what is asked for next. */
export class EaselStudio extends StudioElement {
	protected override render(): TemplateResult {
		const { store } = this;
		const { announcements, notices, isSheetOpen } = store;
		const errors = notices.filter(({ severity }) => severity === 'error');
		const others = notices.filter(({ severity }) => severity !== 'error');
		return html`
			<main class="column" @keydown=${{ handleEvent: onHeldKey, capture: true }}>
				<h1 class="hidden">Image Studio</h1>
				<div class="region" @keydown=${this.#onKey}>
					<easel-stream
						class=${isSheetOpen ? 'covered' : ''}
						?inert=${isSheetOpen}
						.store=${store}
					></easel-stream>
					${isSheetOpen ? html`<easel-style-sheet class="over" .store=${store}></easel-style-sheet>` : nothing}
				</div>
				<div class="notices column">
					<div class="column" role="alert">${this.#notices(errors)}</div>
					<div class="column" role="status">${this.#notices(others)}</div>
				</div>
				<section class="compose" aria-label="Compose">
					<easel-compose .store=${store}></easel-compose>
				</section>
			</main>
			<easel-menu></easel-menu>
			<easel-job-card .store=${store}></easel-job-card>
			${this.#keys()}
			<div class="hidden" role="status">${said(announcements, false)}</div>
			<div class="hidden" role="alert">${said(announcements, true)}</div>
		`;
	}

	protected override updated(): void {
		const dialog = this.querySelector('dialog')!;
		if (this.store.showsKeys !== dialog.open) {
			if (dialog.open) {
				dialog.close();
			} else {
				dialog.showModal();
			}
		}
	}

	/** To be seen and, as they come, to be heard. The icons are called like the severities. */
	#notices(notices: readonly Notice[]): unknown {
		const { store } = this;
		return repeat(
			notices,
			(notice) => notice,
			(notice) => html`
				<div class="notice ${notice.severity}">
					${codicon(notice.severity)}
					<p>${notice.text}</p>
					${
						notice.undo === undefined
							? nothing
							: html`<button
									@click=${() => {
										void store.ask({ type: 'undoRemove', ids: [...(notice.undo ?? [])] });
										store.dismissNotice(notice);
									}}
								>
									${labels.undo}
								</button>`
					}
					${iconButton(labels.dismiss, 'close', () => store.dismissNotice(notice))}
				</div>
			`,
		);
	}

	/** All keys of the page. */
	#keys(): TemplateResult {
		const { store } = this;
		const close = () => store.set({ showsKeys: false });
		return html`
			<dialog class="keys" aria-labelledby="keys-title" @close=${close}>
				<div class="top">
					<h2 id="keys-title">${labels.keys}</h2>
					${iconButton(labels.close, 'close', close, { title: `${labels.close} (Escape)` })}
				</div>
				<dl>
					${keyNames.map(
						([keys, what]) => html`
							<div>
								<dt>${keys.map((key) => html`<kbd>${key}</kbd>`)}</dt>
								<dd>${what}</dd>
							</div>
						`,
					)}
				</dl>
			</dialog>
		`;
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.key === '?' && !event.defaultPrevented && !isWriting(event)) {
			event.preventDefault();
			this.store.set({ showsKeys: !this.store.showsKeys });
		}
	};
}

customElements.define('easel-studio', EaselStudio);

/** What is said again is a paragraph of its own, so that it is read again. */
function said(announcements: readonly Announcement[], urgent: boolean): unknown {
	return repeat(
		announcements.filter((announcement) => announcement.urgent === urgent),
		(announcement) => announcement,
		({ text }) => html`<p>${text}</p>`,
	);
}
