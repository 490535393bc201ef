import { html, nothing, type TemplateResult } from 'lit';
import { queryAll, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { StudioReference } from '../../protocol/studioModel.js';
import { codicon } from '../codicon.js';
import { pageLabels, pageMessages } from '../messages.js';
import { shortenedName } from '../shortenedName.js';
import { marksChip } from './marks/marksChip.js';
import { iconButton, thumbnail } from './parts.js';
import { gapAt, placeForKey, placeInGap } from './reorder.js';
import { nextFocus } from './rounds.js';
import { StudioElement } from './studioElement.js';

/** Type of a reference image that is moved: nothing else takes it. */
const dragType = 'application/x-easel-reference';

/** The reference images in the order in which they are sent. */
export class EaselReferences extends StudioElement {
	/** The one that is being dragged, and the gap it would come into. */
	@state() private accessor dragged: string | undefined;
	@state() private accessor gap: number | undefined;

	@queryAll('li') private accessor rows!: NodeListOf<HTMLElement>;

	#ids: readonly string[] = [];
	/** Element with the focus after the update, where its chip had it before. */
	#next: { readonly id: string | undefined; readonly isButton: boolean } | undefined;

	get #references(): readonly StudioReference[] {
		return this.store.composer.references ?? [];
	}

	protected override willUpdate(): void {
		const before = this.#ids;
		this.#ids = this.#references.map(({ id }) => id);
		const { activeElement } = document;
		const row = this.hasFocus ? activeElement?.closest<HTMLElement>('li[data-id]') : undefined;
		const id = row?.dataset['id'];
		const next = id && nextFocus(id, before, this.#ids);
		// Who has removed one does not want to remove the next one by the same key.
		const isButton = next === id && activeElement instanceof HTMLButtonElement;
		this.#next = id === undefined ? undefined : { id: next, isButton };
	}

	protected override updated(): void {
		if (this.#next !== undefined && !this.hasFocus) {
			const { id, isButton } = this.#next;
			const row = [...this.rows].find(({ dataset }) => dataset['id'] === id);
			const part = row?.querySelector<HTMLElement>(isButton ? '.icon' : '.reference');
			(part ?? this.querySelector<HTMLElement>('.browse'))?.focus();
		}
	}

	protected override render(): TemplateResult {
		const edited = this.#references.findIndex((reference) => reference.edited);
		return html`
			<ol
				aria-label="Reference images"
				@dragover=${this.#onDragOver}
				@drop=${this.#onDrop}
				@dragleave=${this.#onDragLeave}
			>
				${repeat(
					this.#references,
					({ id }) => id,
					(reference, index) => this.#chip(reference, index, edited >= 0),
				)}
			</ol>
			${marksChip(this.store)}
			<button
				class="browse plain"
				aria-label="Add Reference…"
				title="Add a reference image. You can also drop or paste PNG, JPEG or WebP images here; hold Shift to drop from the Explorer."
				@click=${() => void this.store.ask({ type: 'pickReferences' })}
			>
				${codicon('add')} Reference
			</button>
			<span class="hidden" id="keys">Alt+Arrow keys move it, Delete removes it.</span>
		`;
	}

	#chip(reference: StudioReference, index: number, hasEdited: boolean): TemplateResult {
		const { id, name, label, image, details, problem, thumbnail: source, edited } = reference;
		const { length } = this.#references;
		// The image that is edited has no place among the others.
		const place = hasEdited ? `${index} of ${length - 1}` : `${index + 1} of ${length}`;
		const shown = label === undefined ? name : `${label}, ${name}`;
		return html`
			<li
				class=${[
					'chip row',
					edited ? 'edited' : '',
					problem ? 'problem' : '',
					id === this.dragged ? 'dragged' : '',
					this.gap === index ? 'before' : '',
					this.gap === length && index === length - 1 ? 'behind' : '',
				].join(' ')}
				data-id=${id}
			>
				<div
					class="reference row"
					role="group"
					tabindex="0"
					draggable=${edited ? 'false' : 'true'}
					title="${shown}
${details}"
					aria-label="${edited ? 'Editing' : place}: ${shown}, ${details}"
					aria-describedby="keys"
					@keydown=${(event: KeyboardEvent) => this.#onKey(event, reference, index)}
					@dragstart=${(event: DragEvent) => this.#onDragStart(event, id)}
					@dragend=${this.#endDrag}
				>
					${edited ? html`<span class="verb">Editing</span>` : nothing}
					<span class="thumbnail">
						${thumbnail(this.store.library, source) ?? html`${codicon(problem ? 'warning' : 'file-media')}`}
					</span>
					<span class="words">
						${label === undefined ? shortenedName(name) : this.#label(label, image)}
						${problem ? html`<span class="why">${details}</span>` : nothing}
					</span>
				</div>
				${
					edited
						? nothing
						: iconButton(
								pageLabels.editImage(label ?? name),
								'edit',
								() => void this.store.ask({ type: 'edit', id, how: 'instead' }),
							)
				}
				${iconButton(
					edited ? pageLabels.makeNewInstead : pageLabels.removeName(label ?? name),
					'close',
					(event) => {
						// The next one may have come under the pointer since.
						if (event.detail <= 1) {
							this.#remove(reference);
						}
					},
					{ title: edited ? pageLabels.makeNewInstead : pageLabels.remove },
				)}
			</li>
		`;
	}

	/** @param image the one of the studio that it is; missing where it is none */
	#label(label: string, image: string | undefined): TemplateResult {
		return image === undefined
			? html`<span class="label">${label}</span>`
			: html`<button
					class="show plain label"
					title="Show ${label}"
					@click=${() => this.store.view.reveal(image)}
				>
					${label}
				</button>`;
	}

	// --- What the user does

	#onKey(event: KeyboardEvent, reference: StudioReference, index: number): void {
		const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
		if (ctrlKey || metaKey || shiftKey) {
			return;
		}
		if (altKey && key.startsWith('Arrow')) {
			// The workbench would go back to the last editor.
			event.stopPropagation();
			event.preventDefault();
			const to = placeForKey(key, index, this.#references.length);
			if (to !== undefined && to >= this.#first && !reference.edited) {
				this.#move(reference, to);
			}
		} else if (!altKey && (key === 'Delete' || key === 'Backspace') && !event.repeat) {
			event.preventDefault();
			this.#remove(reference);
		} else if (!altKey) {
			const to = placeForKey(key, index, this.#references.length);
			const row = to === undefined ? undefined : this.rows[to];
			if (row !== undefined) {
				event.preventDefault();
				row.querySelector<HTMLElement>('.reference')?.focus();
			}
		}
	}

	/** The first place that can be taken: the image that is edited stays before all others. */
	get #first(): number {
		return this.#references[0]?.edited === true ? 1 : 0;
	}

	#move({ id, name, label = name }: StudioReference, to: number): void {
		const first = this.#first;
		void this.store.ask({ type: 'moveReference', id, to });
		const { length } = this.#references;
		this.store.notices.announce(pageMessages.moved(label, to + 1 - first, length - first));
	}

	#remove(reference: StudioReference): void {
		const { name, label = name, edited } = reference;
		this.store.composer.removeReference(reference);
		this.store.notices.announce(edited ? pageMessages.notEdited(label) : `${label} removed.`);
	}

	#onDragStart(event: DragEvent, id: string): void {
		event.dataTransfer?.setData(dragType, id);
		if (event.dataTransfer !== null) {
			event.dataTransfer.effectAllowed = 'move';
		}
		this.dragged = id;
	}

	readonly #onDragOver = (event: DragEvent): void => {
		if (this.dragged === undefined) {
			return;
		}
		event.preventDefault();
		const boxes = Array.from(this.rows, (row) => row.getBoundingClientRect());
		const gap = gapAt(boxes, { x: event.clientX, y: event.clientY });
		this.gap = Math.max(gap, this.#first);
	};

	readonly #onDrop = (event: DragEvent): void => {
		const from = this.#references.findIndex(({ id }) => id === this.dragged);
		const reference = this.#references[from];
		if (reference !== undefined && this.gap !== undefined) {
			event.preventDefault();
			const to = placeInGap(from, this.gap);
			if (to !== from) {
				this.#move(reference, to);
			}
		}
		this.#endDrag();
	};

	readonly #onDragLeave = (event: DragEvent): void => {
		const list = event.currentTarget as HTMLElement;
		if (!(event.relatedTarget instanceof Node && list.contains(event.relatedTarget))) {
			this.gap = undefined;
		}
	};

	readonly #endDrag = (): void => {
		this.dragged = undefined;
		this.gap = undefined;
	};
}

customElements.define('easel-references', EaselReferences);
