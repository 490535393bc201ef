import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Sheet, SheetAction, SheetFile, SheetPicture } from '../../protocol/studio.js';
import { codicon } from '../codicon.js';
import { dispatch } from '../dispatch.js';
import { isWriting } from '../keys.js';
import { backButton } from './backButton.js';
import './easelMenu.js';
import type { EaselMenu } from './easelMenu.js';
import { announce, ask } from './events.js';
import { iconButton } from './iconButton.js';
import { buttonStyles, pageStyles } from './page.styles.js';
import { buttonsOf, sheetActionsFor, sheetEntries, sheetMenu } from './sheetActions.js';
import './sheetGrid.js';
import type { SheetGrid } from './sheetGrid.js';
import type { CellSize } from './sheetLayout.js';
import { nothingSelected, selectionAmong, type SheetSelection } from './sheetSelection.js';
import { countWords, leftOutWords } from './sheetWords.js';
import { selectionWords } from './streamView.js';
import { styles } from './styleSheet.styles.js';
import { hints, labels } from '../messages.js';

declare global {
	interface HTMLElementEventMap {
		'easel-sheet-back': CustomEvent<undefined>;
		'easel-sheet-size': CustomEvent<CellSize>;
	}
}

const sizes: readonly (readonly [CellSize, letter: string, name: string])[] = [
	['small', 'S', labels.small],
	['medium', 'M', labels.medium],
	['large', 'L', labels.large],
];

/** All images of a folder side by side, so that one sees who falls out, and what can be done then. */
export class StyleSheetView extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles];

	/** Missing while nothing is known yet. */
	@property({ attribute: false }) accessor sheet: Sheet | undefined;
	@property({ attribute: false }) accessor pictures: ReadonlyMap<string, SheetPicture> = new Map();
	@property({ attribute: false }) accessor size: CellSize = 'medium';
	/** The name of the file that has the tab stop at first. */
	@property({ attribute: false }) accessor at = '';

	/** Whether the images get the focus as soon as they are there. */
	#isAwaited = false;

	@state() private accessor selection: SheetSelection = nothingSelected;

	@query('.back') private accessor back!: HTMLElement;
	@query('easel-sheet-grid') private accessor grid!: SheetGrid | null;
	@query('easel-menu') private accessor menu!: EaselMenu;

	/** Gives the focus to the images, or where there are none, to what leads back. */
	async focusWithin(): Promise<void> {
		await this.updateComplete;
		if (this.grid === null) {
			this.#isAwaited = true;
			this.back.focus({ preventScroll: true });
		} else {
			await this.grid.focusActive();
		}
	}

	protected override updated(): void {
		if (this.#isAwaited && this.sheet?.state === 'read') {
			this.#isAwaited = false;
			// Who has gone on meanwhile is not called back.
			if (this.grid !== null && this.back.matches(':focus')) {
				void this.grid.focusActive();
			}
		}
	}

	protected override willUpdate(changed: PropertyValues<this>): void {
		if (changed.has('sheet')) {
			const ids = new Set(this.sheet?.files.map(({ id }) => id));
			this.selection = selectionAmong(this.selection, ids);
		}
	}

	protected override render(): TemplateResult {
		const { sheet } = this;
		return html`
			<div class="sheet" @keydown=${this.#onKey}>
				<div class="top toolbar">
					${backButton(this.#goBack)}
					<h2>
						Contact
						Sheet${sheet === undefined ? nothing : html` · <bdi title=${sheet.folder}>${sheet.folder}</bdi>`}
					</h2>
					${iconButton(labels.showAnotherFolder, 'folder-opened', () =>
						ask(this, { type: 'sheet', action: 'choose' }),
					)}
					<span class="quiet count" role="status">${countWords(sheet)}</span>
					<fieldset>
						<legend class="hidden">Size of the Images</legend>
						${sizes.map((size) => this.#size(...size))}
					</fieldset>
				</div>
				${this.#leftOut()}
				<div class="region">${this.#images()} ${this.#bar()}</div>
			</div>
			<easel-menu
				@easel-menu-choose=${({ detail }: CustomEvent<string>) => this.#run(detail as SheetAction)}
			></easel-menu>
		`;
	}

	#size(size: CellSize, letter: string, name: string): TemplateResult {
		return html`
			<label title=${name}>
				<input
					type="radio"
					name="size"
					aria-label=${name}
					.checked=${this.size === size}
					@change=${() => dispatch(this, 'easel-sheet-size', size)}
				/>
				<span aria-hidden="true">${letter}</span>
			</label>
		`;
	}

	#leftOut(): TemplateResult | typeof nothing {
		const words = leftOutWords(this.sheet);
		return words === '' ? nothing : html`<p class="left">${codicon('info')} ${words}</p>`;
	}

	#images(): TemplateResult {
		const { sheet } = this;
		if (sheet === undefined || sheet.state === 'reading') {
			return html`<div class="empty"><p>${hints.loading}</p></div>`;
		}
		if (sheet.files.length === 0) {
			return html`
				<div class="empty" role="status">
					${codicon(sheet.problem === undefined ? 'file-media' : 'warning', 32)}
					<p>
						${
							sheet.problem ??
							html`No images in <bdi>${sheet.folder}</bdi>. Each subfolder has its own contact
								sheet.`
						}
					</p>
					<button @click=${() => ask(this, { type: 'sheet', action: 'choose' })}>
						Show Another Folder…
					</button>
				</div>
			`;
		}
		return html`${keyed(
			sheet.id,
			html`
				<easel-sheet-grid
					.files=${sheet.files}
					.pictures=${this.pictures}
					.selection=${this.selection}
					.size=${this.size}
					.name=${`Images of ${sheet.folder}`}
					.at=${this.at}
					@easel-sheet-select=${({ detail }: CustomEvent<SheetSelection>) => this.#select(detail)}
					@easel-sheet-open=${({ detail }: CustomEvent<string>) => this.#ask([detail], 'open')}
					@easel-sheet-menu=${this.#onMenu}
				></easel-sheet-grid>
			`,
		)}`;
	}

	/** What can be done with what is selected. */
	#bar(): TemplateResult | typeof nothing {
		const files = this.#selected;
		if (files.length === 0) {
			return nothing;
		}
		const actions = sheetActionsFor(files);
		return html`
			<div class="selection" role="group" aria-label="Selection">
				<span class="words">${hints.selected(files.length)}</span>
				${buttonsOf(actions).map(
					(action, index) => html`
						<button class=${index === 0 ? 'primary' : 'minor'} @click=${() => this.#run(action)}>
							${sheetEntries[action].label}
						</button>
					`,
				)}
				${
					actions.length === 0
						? nothing
						: iconButton(labels.more, 'ellipsis', ({ currentTarget }) => {
								const button = currentTarget as HTMLElement;
								const { left, top } = button.getBoundingClientRect();
								void this.menu.open(labels.more, sheetMenu(actions), { x: left, y: top }, button);
							})
				}
				${iconButton(labels.clearSelection, 'close', this.#unselect, `${labels.clearSelection} (Escape)`)}
			</div>
		`;
	}

	// --- What the user does

	/** In the order in which they were selected. */
	get #selected(): SheetFile[] {
		const files = new Map(this.sheet?.files.map((file) => [file.id, file]));
		return [...this.selection.ids].flatMap((id) => files.get(id) ?? []);
	}

	#select(selection: SheetSelection): void {
		this.selection = selection;
		announce(this, selectionWords(selection.ids.size));
	}

	readonly #unselect = (): void => {
		this.#select(nothingSelected);
		void this.focusWithin();
	};

	#run(action: SheetAction): void {
		this.#ask(
			this.#selected.map(({ id }) => id),
			action,
		);
	}

	#ask(files: string[], action: SheetAction): void {
		if (files.length > 0) {
			ask(this, { type: 'sheetFiles', files, action });
		}
	}

	readonly #onMenu = ({ detail }: HTMLElementEventMap['easel-sheet-menu']): void => {
		const files = this.#selected;
		const actions = sheetActionsFor(files);
		const name = files.length === 1 ? files[0]!.name : hints.images(files.length);
		if (actions.length > 0) {
			void this.menu.open(name, sheetMenu(actions), detail.at, detail.cell);
		}
	};

	readonly #goBack = (): void => dispatch(this, 'easel-sheet-back', undefined);

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.key !== 'Escape' || event.defaultPrevented || isWriting(event)) {
			return;
		}
		event.preventDefault();
		if (this.selection.ids.size > 0) {
			this.#unselect();
		} else {
			this.#goBack();
		}
	};
}

customElements.define('easel-style-sheet', StyleSheetView);
