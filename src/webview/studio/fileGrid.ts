import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { SheetFile, SheetPicture } from '../../protocol/studio.js';
import { codicon } from '../codicon.js';
import type { Point } from '../geometry.js';
import { hasModifier } from '../keys.js';
import { shortenedName } from '../shortenedName.js';
import { openMenu } from './easelMenu.js';
import { gap, ImageGrid, type Page } from './imageGrid.js';
import { selectOnly, type Selection } from './selection.js';
import { runSheetAction, sheetMenu } from './sheetActions.js';
import type { SheetState } from './store.js';
import { thumbnail } from './parts.js';

interface FilePage extends Page {
	readonly files: readonly SheetFile[];
	/** Index of the first of them. */
	readonly start: number;
}

/** The least that a cell is wide, in CSS pixels. */
const minWidth: Readonly<Record<SheetState['cells'], number>> = {
	small: 88,
	medium: 148,
	large: 220,
};
/** Of the name below a picture, in CSS pixels. */
const nameHeight = 26;
/** Of a name below a small picture, in graphemes: enough for `-10.png`. */
const tailLength = 7;
/** So many rows are drawn together. */
const rowsOfPage = 4;

/** The files of the contact sheet in cells of one size. */
export class FileGrid extends ImageGrid<FilePage> {
	protected readonly focusTarget = 'sheet';
	/** Whether it is to be scrolled to where the user was. */
	#isElsewhere = false;

	protected get names() {
		return { role: 'listbox', label: `Images of ${this.store.sheet?.folder ?? ''}` };
	}

	protected get selection(): Selection {
		return this.store.sheetSelection;
	}

	protected set selection(selection: Selection) {
		this.store.selectFiles(selection);
	}

	get #size(): SheetState['cells'] {
		return this.store.saved.sheet?.cells ?? 'medium';
	}

	get #columns(): number {
		return Math.max(1, Math.floor((this.width + gap) / (minWidth[this.#size] + gap)));
	}

	protected override willUpdate(changed: PropertyValues): void {
		if (this.active === undefined) {
			// Where the user was before the window was reloaded.
			const at = this.store.saved.sheet?.at;
			this.active = this.store.sheet?.files.find(({ name }) => name === at)?.id;
			this.#isElsewhere = this.active !== undefined;
		}
		super.willUpdate(changed);
	}

	protected override updated(): void {
		super.updated();
		this.classList.toggle('roomy', this.selection.ids.size > 0);
		this.style.setProperty('--columns', String(this.#columns));
		const cell = this.elementOf(this.active);
		if (this.#isElsewhere && cell !== undefined) {
			this.#isElsewhere = false;
			cell.scrollIntoView({ block: 'center' });
		}
		this.#keepPlace();
	}

	#keepPlace(): void {
		const at = this.store.sheet?.files.find(({ id }) => id === this.active)?.name;
		if (at !== undefined && at !== this.store.saved.sheet?.at) {
			this.store.keepSheet({ at });
		}
	}

	get #files(): readonly SheetFile[] {
		return this.store.sheet?.files ?? [];
	}

	protected get madeFrom(): readonly unknown[] {
		return [this.store.sheet?.files, this.width, this.#size];
	}

	protected makePages(): readonly FilePage[] {
		const files = this.#files;
		const columns = this.#columns;
		const cell = (this.width - gap * (columns - 1)) / columns;
		const pages: FilePage[] = [];
		for (let start = 0; start < files.length; start += columns * rowsOfPage) {
			const some = files.slice(start, start + columns * rowsOfPage);
			pages.push({
				key: `${String(this.width)} ${this.#size} ${String(start)}`,
				files: some,
				start,
				height: Math.ceil(some.length / columns) * (cell + nameHeight + gap),
				ids: some.map(({ id }) => id),
			});
		}
		return pages;
	}

	protected shownOn({ files }: FilePage): readonly unknown[] {
		const { sheetPictures, sheetSelection, broken } = this.store;
		return [
			...[this.#files.length, sheetSelection, broken.size],
			...files.map(({ id }) => sheetPictures.get(id)),
		];
	}

	protected renderPage({ files, start }: FilePage, active: string | undefined): TemplateResult {
		return html`<div class="tiles" role="presentation">
			${repeat(
				files,
				({ id }) => id,
				(file, index) => this.#cell(file, start + index, file.id === active),
			)}
		</div>`;
	}

	#cell(file: SheetFile, index: number, isTabStop: boolean): TemplateResult {
		const { sheetPictures, sheetSelection } = this.store;
		const picture = sheetPictures.get(file.id);
		const details = detailsOf(picture);
		return html`
			<div
				class="cell column"
				role="option"
				tabindex=${isTabStop ? 0 : -1}
				aria-selected=${sheetSelection.ids.has(file.id) ? 'true' : 'false'}
				aria-setsize=${this.#files.length}
				aria-posinset=${index + 1}
				title=${[file.name, ...details].join('\n')}
				data-cell=${file.id}
				@dblclick=${(event: MouseEvent) => {
					if (!hasModifier(event) && !event.shiftKey) {
						this.open(file.id);
					}
				}}
			>
				<span class="caption row">${shortenedName(file.name, tailLength)}</span>
				<span class="hidden">${details.join('\n')}</span>
				<span class="picture" aria-hidden="true">
					${
						picture === undefined
							? nothing
							: (thumbnail(this.store, picture.thumbnail) ??
								html`<span class="none column"
									>${codicon('circle-slash')}<small>Cannot be shown</small></span
								>`)
					}
				</span>
				<span class="check" aria-hidden="true"></span>
			</div>
		`;
	}

	protected look(_pages: readonly FilePage[], ids: readonly string[]): void {
		this.store.look({ files: ids });
	}

	// --- What the user does

	protected open(id: string): void {
		runSheetAction(this.store, [id], 'open');
	}

	/** For what is selected; where this one is not, for this one alone. */
	protected openMenu(id: string, at: Point, cell: HTMLElement): void {
		const { store } = this;
		if (!store.sheetSelection.ids.has(id)) {
			store.selectFiles(selectOnly(id));
		}
		const menu = sheetMenu(store, store.selectedFiles);
		if (menu.groups.length > 0) {
			openMenu(cell, at, menu);
		}
	}

	protected act(): boolean {
		return false;
	}
}

customElements.define('easel-sheet-grid', FileGrid);

function detailsOf(picture: SheetPicture | undefined): string[] {
	return [picture?.details ?? '', picture?.problem ?? ''].filter((words) => words !== '');
}
