import { html, nothing, type LitElement, type TemplateResult } from 'lit';
import type { SavedState, Sheet, SheetPicture, StudioRequest } from '../../protocol/studio.js';
import './styleSheet.js';
import type { StyleSheetView } from './styleSheet.js';

/** The page, as far as the style sheet needs it. */
interface Options {
	readonly saved: () => SavedState['sheet'];
	readonly save: (sheet: NonNullable<SavedState['sheet']>) => void;
	readonly ask: (request: StudioRequest) => void;
	/** A person has gone back from it to what it lay over. */
	readonly left: () => void;
}

/** More than anybody looks at; what is needed again is asked for again. */
const maxKnown = 2000;

/** The style sheet of the page, while it is open: what the extension has told of it, and the way back. */
export class SheetOnPage {
	#sheet: Sheet | undefined;
	#pictures: ReadonlyMap<string, SheetPicture> = new Map();
	/** The one that was left: what is still told of it comes too late. */
	#left: string | undefined;

	constructor(
		private readonly host: LitElement,
		private readonly options: Options,
	) {}

	get isOpen(): boolean {
		return this.options.saved()?.isOpen === true;
	}

	/** It is wanted again where it was open when the window was reloaded. */
	resume(): void {
		if (this.isOpen) {
			this.options.ask({ type: 'sheet', action: 'resume' });
		}
	}

	/** @param sheet missing where there is nothing to show */
	take(sheet: Sheet | undefined): void {
		if (sheet === undefined) {
			this.#close();
			return;
		}
		if (sheet.id === this.#left) {
			return;
		}
		const isOther = sheet.id !== this.#sheet?.id;
		// In a folder that is opened anew nobody has been anywhere; after a reload there is none yet.
		const isElsewhere = isOther && (this.#sheet !== undefined || !this.isOpen);
		this.#sheet = sheet;
		this.#save({ isOpen: true, ...(isElsewhere ? { at: '' } : {}) });
		if (isOther) {
			this.#pictures = new Map();
		}
		this.host.requestUpdate();
		if (isElsewhere) {
			void this.host.updateComplete.then(() => this.#view?.focusWithin());
		}
	}

	learn(pictures: readonly SheetPicture[]): void {
		const now = new Map(this.#pictures);
		for (const picture of pictures) {
			// To the end: the first ones are forgotten first.
			now.delete(picture.id);
			now.set(picture.id, picture);
		}
		for (const id of [...now.keys()].slice(0, Math.max(now.size - maxKnown, 0))) {
			now.delete(id);
		}
		this.#pictures = now;
		this.host.requestUpdate();
	}

	/** Something else is to be seen now. */
	leave(): void {
		if (this.isOpen) {
			this.options.ask({ type: 'sheet', action: 'close' });
			this.#close();
		}
	}

	render(): TemplateResult | typeof nothing {
		const saved = this.options.saved();
		return saved?.isOpen !== true
			? nothing
			: html`
					<easel-style-sheet
						class="over"
						.sheet=${this.#sheet}
						.pictures=${this.#pictures}
						.size=${saved.cells}
						.at=${saved.at ?? ''}
						@easel-sheet-back=${() => {
							this.leave();
							this.options.left();
						}}
						@easel-sheet-size=${({ detail }: HTMLElementEventMap['easel-sheet-size']) =>
							this.#save({ cells: detail })}
						@easel-sheet-active=${({ detail }: CustomEvent<string>) => {
							const file = this.#sheet?.files.find(({ id }) => id === detail);
							this.#save({ at: file?.name ?? '' });
						}}
					></easel-style-sheet>
				`;
	}

	get #view(): StyleSheetView | null {
		return this.host.renderRoot.querySelector<StyleSheetView>('easel-style-sheet');
	}

	#save(part: Partial<NonNullable<SavedState['sheet']>>): void {
		this.options.save({ cells: 'medium', isOpen: false, ...this.options.saved(), ...part });
	}

	#close(): void {
		this.#left = this.#sheet?.id;
		this.#sheet = undefined;
		this.#pictures = new Map();
		this.#save({ isOpen: false });
		this.host.requestUpdate();
	}
}
