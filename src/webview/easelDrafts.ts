import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import type { Picture } from '../protocol/compare.js';
import { problemOf } from './comparedPicture.js';
import { decisionStyles } from './decisionBar.js';
import { dispatch } from './dispatch.js';
import { hints, labels } from './messages.js';
import { nameStyles, shortenedName } from './shortenedName.js';
import { panelStyles, toolbarStyles } from './zoomAndPan.styles.js';

declare global {
	interface HTMLElementEventMap {
		/** The user has chosen the draft with this index. */
		'easel-draft-use': CustomEvent<number>;
		/** The user leaves all drafts as they are. */
		'easel-drafts-keep': CustomEvent<undefined>;
	}
}

/**
 * Two to four drafts side by side. Arrow keys move, Enter or a double click uses the one that is
 * selected, a digit uses that one at once, Escape leaves all as they are.
 */
export class EaselDrafts extends LitElement {
	static override readonly styles = css`
		${panelStyles} ${toolbarStyles} ${nameStyles} ${decisionStyles}

		h1 {
			margin: 0;
			font: inherit;
		}

		.drafts {
			flex: 1;
			display: grid;
			grid-template-columns: repeat(auto-fit, minmax(min(220px, 100%), 1fr));
			grid-auto-rows: minmax(140px, 1fr);
			gap: 8px;
			padding: 12px;
			min-height: 0;
			overflow: auto;
			outline: none;
		}

		/* Not three and one below. */
		.of4 {
			grid-template-columns: repeat(auto-fit, minmax(max(220px, 34%), 1fr));
		}

		.draft {
			display: flex;
			flex-direction: column;
			min-width: 0;
			min-height: 0;
			padding: 6px;
			border: 1px solid var(--border);
			border-radius: 6px;
			cursor: pointer;
		}

		.draft[aria-selected='true'] {
			border-color: var(--vscode-focusBorder);
			color: var(--vscode-list-inactiveSelectionForeground, inherit);
			background: var(--vscode-list-inactiveSelectionBackground);
			outline: 2px solid var(--vscode-focusBorder);
			outline-offset: -1px;
		}

		img {
			flex: 1;
			min-height: 0;
			object-fit: contain;
		}

		.caption {
			display: flex;
			gap: 8px;
			padding-top: 6px;
			min-width: 0;
		}

		.details {
			margin-inline-start: auto;
			color: var(--vscode-descriptionForeground);
			white-space: nowrap;
		}

		[aria-selected='true'] .details {
			color: inherit;
		}

		.problem {
			flex: 1;
			display: grid;
			place-content: center;
			margin: 0;
			text-align: center;
			overflow-wrap: anywhere;
		}
	`;

	@property({ attribute: false }) accessor pictures: readonly Picture[] = [];
	@state() private accessor selected = 0;
	@query('.drafts') private accessor list!: HTMLElement;

	protected override updated(changed: PropertyValues<this>): void {
		const before = changed.get('pictures');
		if (before?.length === 0 && this.pictures.length > 0) {
			this.list.focus();
		}
	}

	protected override render(): TemplateResult {
		const { selected, pictures } = this;
		return html`
			<div class="decision toolbar">
				<h1 class="question">${hints.chooseDraft(pictures.length)}</h1>
				<div class="buttons" role="group" aria-label=${labels.drafts}>
					<button class="replace" @click=${() => this.#use(selected)}>
						${labels.useDraft(selected + 1)}
					</button>
					<button @click=${this.#keepAll}>${labels.keepAll}</button>
				</div>
			</div>
			<div
				class="drafts of${pictures.length}"
				role="listbox"
				tabindex="0"
				aria-label=${labels.drafts}
				aria-activedescendant="draft-${selected}"
				@keydown=${this.#onKey}
			>
				${pictures.map((picture, index) => this.#draft(picture, index))}
			</div>
		`;
	}

	#draft(picture: Picture, index: number): TemplateResult {
		return html`
			<div
				class="draft"
				role="option"
				id="draft-${index}"
				aria-selected=${index === this.selected ? 'true' : 'false'}
				@click=${() => (this.selected = index)}
				@dblclick=${() => this.#use(index)}
			>
				${
					picture.type === 'image'
						? html`<img src=${picture.source} alt="" draggable="false" />`
						: html`<p class="problem">${problemOf(picture)}</p>`
				}
				<div class="caption">
					<strong>${index + 1}</strong>
					${shortenedName(picture.name)}
					<span class="details">${picture.type === 'image' ? picture.details : nothing}</span>
				</div>
			</div>
		`;
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		const { key } = event;
		const last = this.pictures.length - 1;
		const digit = /^[1-9]$/.test(key) ? Number(key) - 1 : undefined;
		if (key === 'ArrowRight' || key === 'ArrowDown') {
			this.selected = Math.min(this.selected + 1, last);
		} else if (key === 'ArrowLeft' || key === 'ArrowUp') {
			this.selected = Math.max(this.selected - 1, 0);
		} else if (key === 'Home' || key === 'End') {
			this.selected = key === 'Home' ? 0 : last;
		} else if (key === 'Enter') {
			this.#use(this.selected);
		} else if (key === 'Escape') {
			this.#keepAll();
		} else if (digit !== undefined && digit <= last) {
			this.#use(digit);
		} else {
			return;
		}
		event.preventDefault();
	};

	#use(index: number): void {
		if (this.pictures[index]?.type === 'image') {
			this.selected = index;
			dispatch(this, 'easel-draft-use', index);
		}
	}

	readonly #keepAll = (): void => {
		dispatch(this, 'easel-drafts-keep', undefined);
	};
}

customElements.define('easel-drafts', EaselDrafts);
