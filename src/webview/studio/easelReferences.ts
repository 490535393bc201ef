import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, query, queryAll, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Reference } from '../../protocol/studio.js';
import { nameStyles, shortenedName } from '../shortenedName.js';
import { styles } from './easelReferences.styles.js';
import { announce, ask } from './events.js';
import { iconButton } from './iconButton.js';
import { keepFocus } from './keepFocus.js';
import { buttonStyles, pageStyles } from './page.styles.js';
import { gapAt, placeForKey, placeInGap } from './reorder.js';
import { Thumbnails } from './thumbnails.js';

/** What is dragged when a reference image is moved: nobody else takes it. */
const dragType = 'application/x-easel-reference';

/** The reference images in the order in which they are sent. What they are it is told. */
export class EaselReferences extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, nameStyles, styles];

	@property({ attribute: false }) accessor references: readonly Reference[] = [];

	/** The one that is being dragged, and the gap it would come into. */
	@state() private accessor dragged: string | undefined;
	@state() private accessor gap: number | undefined;

	@query('.browse') private accessor browse!: HTMLElement;
	@queryAll('li') private accessor rows!: NodeListOf<HTMLElement>;

	readonly #thumbnails = new Thumbnails(this);

	constructor() {
		super();
		keepFocus(
			this,
			() => this.references.map(({ id }) => id),
			(row, onButton) => {
				// Who has removed one does not want to remove the next one by the same key.
				const part = row?.querySelector<HTMLElement>(onButton ? 'button' : '.reference');
				(part ?? this.browse).focus();
			},
		);
	}

	protected override render(): TemplateResult {
		return html`
			<div class="head">
				<span class="label" id="label">Reference images</span>
				<button class="browse" @click=${() => ask(this, { type: 'pickReferences' })}>
					<vscode-icon name="folder-opened"></vscode-icon>
					Browse…
				</button>
			</div>
			${
				this.references.length === 0
					? nothing
					: html`
							<ol
								aria-labelledby="label"
								@dragover=${this.#onDragOver}
								@drop=${this.#onDrop}
								@dragleave=${this.#onDragLeave}
							>
								${repeat(
									this.references,
									({ id }) => id,
									(reference, index) => this.#row(reference, index),
								)}
							</ol>
							<span class="hidden" id="keys">Alt+Arrow keys move it, Delete removes it.</span>
						`
			}
			<p class="hint quiet">
				Drop or paste PNG, JPEG or WebP images here. Hold Shift to drop from the Explorer.
			</p>
		`;
	}

	#row(reference: Reference, index: number): TemplateResult {
		const { id, name, details, problem, thumbnail } = reference;
		const { length } = this.references;
		const edited = index === 0 ? 'the image that is edited' : '';
		return html`
			<li
				class=${[
					problem ? 'problem' : '',
					id === this.dragged ? 'dragged' : '',
					this.gap === index ? 'above' : '',
					this.gap === length && index === length - 1 ? 'below' : '',
				].join(' ')}
				data-id=${id}
			>
				<div
					class="reference"
					role="group"
					tabindex="0"
					draggable="true"
					aria-label=${[`${index + 1} of ${length}: ${name}`, details, edited].filter(Boolean).join(', ')}
					aria-describedby="keys"
					@keydown=${(event: KeyboardEvent) => this.#onKey(event, reference, index)}
					@dragstart=${(event: DragEvent) => this.#onDragStart(event, id)}
					@dragend=${this.#endDrag}
				>
					<span class="number">${index + 1}</span>
					<span class="thumbnail">
						${
							this.#thumbnails.image(thumbnail) ??
							html`<vscode-icon name=${problem ? 'warning' : 'file-media'}></vscode-icon>`
						}
					</span>
					<span class="words">
						${shortenedName(name)}
						<span class="details">${details}</span>
						${
							edited === ''
								? nothing
								: html`<span class="edited"
										><vscode-icon name="edit" size="12"></vscode-icon> The image that is
										edited</span
									>`
						}
					</span>
				</div>
				${iconButton(
					`Remove ${name}`,
					'close',
					(event) => {
						// The next one may have come under the pointer since.
						if (event.detail <= 1) {
							this.#remove(reference);
						}
					},
					'Remove',
				)}
			</li>
		`;
	}

	// --- What the user does

	#onKey(event: KeyboardEvent, reference: Reference, index: number): void {
		const { key, altKey, ctrlKey, metaKey, shiftKey } = event;
		if (ctrlKey || metaKey || shiftKey) {
			return;
		}
		if (altKey && key.startsWith('Arrow')) {
			// The workbench would go back to the last editor.
			event.stopPropagation();
			event.preventDefault();
			const to = placeForKey(key, index, this.references.length);
			if (to !== undefined) {
				this.#move(reference, to);
			}
		} else if (!altKey && (key === 'Delete' || key === 'Backspace') && !event.repeat) {
			event.preventDefault();
			this.#remove(reference);
		} else if (!altKey) {
			const to = placeForKey(key, index, this.references.length);
			const row = to === undefined ? undefined : this.rows[to];
			if (row !== undefined) {
				event.preventDefault();
				row.querySelector<HTMLElement>('.reference')?.focus();
			}
		}
	}

	#move({ id, name }: Reference, to: number): void {
		ask(this, { type: 'moveReference', id, to });
		announce(this, `${name} is now ${to + 1} of ${this.references.length}.`);
	}

	#remove({ id, name }: Reference): void {
		ask(this, { type: 'removeReference', id });
		announce(this, `${name} removed.`);
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
		const middles = Array.from(this.rows, (row) => {
			const { top, height } = row.getBoundingClientRect();
			return top + height / 2;
		});
		this.gap = gapAt(middles, event.clientY);
	};

	readonly #onDrop = (event: DragEvent): void => {
		const from = this.references.findIndex(({ id }) => id === this.dragged);
		const reference = this.references[from];
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
