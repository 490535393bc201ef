import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { maxNameLength, maxNoteLength, type Image } from '../../protocol/studioModel.js';
import { pageMessages } from '../messages.js';
import { favoriteButton } from './parts.js';
import { StudioElement } from './studioElement.js';

/** Texts of the user about an image, and their longest lengths, in UTF-16 code units. */
const fields = {
	title: { label: 'Title', placeholder: 'Add a title', maxLength: maxNameLength },
	note: { label: 'Note', placeholder: 'Add a note', maxLength: maxNoteLength },
} as const;
type Field = keyof typeof fields;

/** Decisions of the user about an image: its star, its title, and a note. */
export class ImageAnnotations extends StudioElement {
	@property({ attribute: false }) accessor image!: Image;

	/** Texts that are being written, or are saved and not confirmed yet. */
	@state() private accessor written: Readonly<Partial<Record<Field, string>>> = {};

	protected override willUpdate(changed: PropertyValues<this>): void {
		const before = changed.get('image');
		if (before === undefined) {
			return;
		}
		if (before.id !== this.image.id) {
			// The field keeps the focus, so nothing has saved it.
			for (const field of Object.keys(this.written) as Field[]) {
				this.#save(field, before);
			}
			this.written = {};
		} else if (before.title !== this.image.title || before.note !== this.image.note) {
			// Said back; what is being written now is not.
			const focused = document.activeElement?.id;
			this.written = Object.fromEntries(
				Object.entries(this.written).filter(([field]) => field === focused),
			);
		}
	}

	protected override render(): TemplateResult {
		return html`
			<div class="row">${this.#field('title')} ${favoriteButton(this.store, this.image)}</div>
			${this.#about('title')} ${this.#field('note')} ${this.#about('note')}
		`;
	}

	#field(field: Field): TemplateResult {
		const { label, placeholder } = fields[field];
		return html`<textarea
			id=${field}
			class="field"
			rows="1"
			aria-label=${label}
			placeholder=${placeholder}
			dir="auto"
			.value=${live(this.#text(field))}
			aria-invalid=${this.#problem(field) === undefined ? 'false' : 'true'}
			aria-describedby="about-${field}"
			@input=${this.#onInput}
			@keydown=${this.#onKey}
			@blur=${() => this.#save(field)}
		></textarea>`;
	}

	#about(field: Field): TemplateResult {
		return html`<p class="problem" id="about-${field}" role="alert">
			${this.#problem(field) ?? nothing}
		</p>`;
	}

	#text(field: Field): string {
		return this.written[field] ?? this.image[field] ?? '';
	}

	/** Returns the problem of a text that is too long: it is neither cut nor saved. */
	#problem(field: Field): string | undefined {
		const more = this.#text(field).trim().length - fields[field].maxLength;
		return more > 0 ? pageMessages.tooLong(more) : undefined;
	}

	// --- What the user does

	readonly #onInput = (event: Event): void => {
		const { id, value } = event.currentTarget as HTMLTextAreaElement;
		// A title that is pasted has one line too.
		const text = id === 'title' ? value.replace(/\s*[\r\n]\s*/g, ' ') : value;
		this.written = { ...this.written, [id]: text };
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		const field = (event.currentTarget as HTMLElement).id as Field;
		const { key, ctrlKey, metaKey, isComposing } = event;
		if (isComposing) {
			return;
		}
		if (key === 'Escape') {
			event.preventDefault();
			this.written = { ...this.written, [field]: this.image[field] ?? '' };
		} else if (key === 'Enter' && (field === 'title' || ctrlKey || metaKey)) {
			event.preventDefault();
			if (this.#save(field)) {
				this.store.notices.announce(`${fields[field].label} saved.`);
			}
		}
	};

	/** Returns whether it is saved: what is too long, or the same as before, is not. */
	#save(field: Field, image = this.image): boolean {
		const text = this.written[field]?.trim();
		const isSame = text === undefined || text === (image[field] ?? '');
		if (isSame || text.length > fields[field].maxLength) {
			return false;
		}
		void this.#send(field, text, image.id);
		return true;
	}

	/** Saves a text; one that could not be saved stays in the field. */
	async #send(field: Field, text: string, id: string): Promise<void> {
		const isSaved = await this.store.ask({ type: 'annotateImages', ids: [id], [field]: text });
		if (!isSaved && id === this.image.id) {
			this.written = { [field]: text, ...this.written };
		}
	}
}

customElements.define('easel-image-annotations', ImageAnnotations);
