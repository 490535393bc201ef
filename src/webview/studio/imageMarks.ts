import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { maxNameLength, maxNoteLength, type Image } from '../../protocol/studio.js';
import { announce, ask, asked } from './events.js';
import { styles } from './imageMarks.styles.js';
import { keepButton } from './keepButton.js';
import { tooLong } from './lengths.js';
import { buttonStyles, pageStyles } from './page.styles.js';
import { messages } from '../messages.js';

/** What a person writes about an image, and how much of it is kept. */
const fields = {
	title: { label: 'Title', placeholder: 'Add a title', most: maxNameLength },
	note: { label: 'Note', placeholder: 'Add a note', most: maxNoteLength },
} as const;
type Field = keyof typeof fields;

/** What a person decides about an image: whether it is kept, its title, and a note. */
export class ImageMarks extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles];

	@property({ attribute: false }) accessor image!: Image;

	/** What is being written, and what has been saved and is not said back yet. */
	@state() private accessor written: Readonly<Partial<Record<Field, string>>> = {};

	protected override willUpdate(changed: PropertyValues<this>): void {
		const before = changed.get('image');
		if (before === undefined) {
			return;
		}
		if (before.id !== this.image.id) {
			// Nobody has left the field, so nothing has saved it.
			for (const field of Object.keys(this.written) as Field[]) {
				this.#save(field, before);
			}
			this.written = {};
		} else if (before.title !== this.image.title || before.note !== this.image.note) {
			// Said back; what is being written now is not.
			const focused = this.shadowRoot?.activeElement?.id;
			this.written = Object.fromEntries(
				Object.entries(this.written).filter(([field]) => field === focused),
			);
		}
	}

	protected override render(): TemplateResult {
		const { id, kept, label } = this.image;
		return html`
			<div class="row">
				<input
					id="title"
					class="field"
					aria-label=${fields.title.label}
					placeholder=${fields.title.placeholder}
					dir="auto"
					autocomplete="off"
					.value=${live(this.#text('title'))}
					aria-invalid=${this.#problem('title') === undefined ? 'false' : 'true'}
					aria-describedby="about-title"
					@input=${this.#onInput}
					@keydown=${this.#onKey}
					@blur=${() => this.#save('title')}
				/>
				${keepButton({ label, kept, toggle: () => this.#keep(id, !kept) })}
			</div>
			${this.#about('title')}
			<textarea
				id="note"
				class="field"
				rows="1"
				aria-label=${fields.note.label}
				placeholder=${fields.note.placeholder}
				dir="auto"
				.value=${live(this.#text('note'))}
				aria-invalid=${this.#problem('note') === undefined ? 'false' : 'true'}
				aria-describedby="about-note"
				@input=${this.#onInput}
				@keydown=${this.#onKey}
				@blur=${() => this.#save('note')}
			></textarea>
			${this.#about('note')}
		`;
	}

	#about(field: Field): TemplateResult {
		return html`<p class="problem" id="about-${field}" role="alert">
			${this.#problem(field) ?? nothing}
		</p>`;
	}

	#text(field: Field): string {
		return this.written[field] ?? this.image[field] ?? '';
	}

	#problem(field: Field): string | undefined {
		return tooLong(this.#text(field).trim(), fields[field].most);
	}

	// --- What the user does

	#keep(id: string, kept: boolean): void {
		ask(this, { type: 'markImage', id, kept });
		announce(this, kept ? messages.starred : messages.starRemoved);
	}

	readonly #onInput = (event: Event): void => {
		const { id, value } = event.currentTarget as HTMLInputElement | HTMLTextAreaElement;
		this.written = { ...this.written, [id]: value };
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		const element = event.currentTarget as HTMLElement;
		const field = element.id as Field;
		const { key, ctrlKey, metaKey, isComposing } = event;
		if (isComposing) {
			return;
		}
		if (key === 'Escape') {
			event.preventDefault();
			this.written = { ...this.written, [field]: this.image[field] ?? '' };
			return;
		}
		if (key === 'Enter' && (field === 'title' || ctrlKey || metaKey)) {
			event.preventDefault();
			if (this.#save(field)) {
				announce(this, `${fields[field].label} saved.`);
			}
		}
	};

	/** Returns whether it has been saved: what is too long, or the same as before, is not. */
	#save(field: Field, image = this.image): boolean {
		const text = this.written[field]?.trim();
		const isSame = text === undefined || text === (image[field] ?? '');
		if (isSame || tooLong(text, fields[field].most) !== undefined) {
			return false;
		}
		void this.#send(field, text, image.id);
		return true;
	}

	/** What could not be saved stays in the field. */
	async #send(field: Field, text: string, id: string): Promise<void> {
		const isSaved = await asked(this, { type: 'markImage', id, [field]: text });
		if (!isSaved && id === this.image.id) {
			this.written = { [field]: text, ...this.written };
		}
	}
}

customElements.define('easel-image-marks', ImageMarks);
