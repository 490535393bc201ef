import { html, nothing, type TemplateResult } from 'lit';
import { query } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import type { Sheet } from '../../protocol/studio.js';
import { codicon } from '../codicon.js';
import { isWriting } from '../keys.js';
import { hints, labels, messages } from '../messages.js';
import { openMenuBelow } from './easelMenu.js';
import type { FileGrid } from './fileGrid.js';
import './fileGrid.js';
import { backButton, iconButton, segments } from './parts.js';
import { nothingSelected } from './selection.js';
import { buttonsOf, runSheetAction, sheetEntries, sheetMenu } from './sheetActions.js';
import type { SheetState } from './store.js';
import { StudioElement } from './studioElement.js';
import type { SheetAction } from '../../protocol/studio.js';

/** All images of a folder side by side, so that one sees what falls out, and what can be done then. */
export class ContactSheet extends StudioElement {
	/** Whether the images get the focus as soon as they are read. */
	#isAwaited = false;

	@query('.back') private accessor back!: HTMLElement;
	@query('easel-sheet-grid') private accessor grid!: FileGrid | null;

	protected override updated(): void {
		const { store } = this;
		if (this.grid === null && store.takeFocus('sheet') !== undefined) {
			this.#isAwaited = true;
			this.back.focus({ preventScroll: true });
		}
		if (this.#isAwaited && store.sheet?.state === 'read') {
			this.#isAwaited = false;
			// Who has gone on meanwhile is not called back.
			if (document.activeElement === this.back) {
				this.grid?.focusOn(undefined);
			}
		}
	}

	protected override render(): TemplateResult {
		const { sheet, saved } = this.store;
		const leftOut = leftOutWords(sheet);
		return html`
			<div class="sheet column" @keydown=${this.#onKey}>
				<div class="top toolbar row">
					${backButton(this.#goBack)}
					<h2 class="cut">
						${labels.contactSheet}${sheet === undefined ? nothing : html` · <bdi title=${sheet.folder}>${sheet.folder}</bdi>`}
					</h2>
					${iconButton(labels.showAnotherFolder, 'folder-opened', this.#choose)}
					<span class="quiet count" role="status">${countWords(sheet)}</span>
					${segments<SheetState['cells']>({
						name: 'cells',
						legend: 'Size of the Images',
						value: saved.sheet?.cells ?? 'medium',
						choose: (cells) => this.store.keepSheet({ cells }),
						options: [
							{ value: 'small', label: 'S', name: labels.small },
							{ value: 'medium', label: 'M', name: labels.medium },
							{ value: 'large', label: 'L', name: labels.large },
						],
					})}
				</div>
				${leftOut === '' ? nothing : html`<p class="left row quiet">${codicon('info')} ${leftOut}</p>`}
				<div class="region">${this.#images()} ${this.#bar()}</div>
			</div>
		`;
	}

	#images(): TemplateResult {
		const { sheet } = this.store;
		if (sheet === undefined || sheet.state === 'reading') {
			return html`<div class="empty column"><p>${hints.loading}</p></div>`;
		}
		if (sheet.files.length === 0) {
			return html`
				<div class="empty column" role="status">
					${codicon(sheet.problem === undefined ? 'file-media' : 'warning', 32)}
					<p>
						${
							sheet.problem ??
							html`No images in <bdi>${sheet.folder}</bdi>. Each subfolder has its own contact
								sheet.`
						}
					</p>
					<button @click=${this.#choose}>${labels.showAnotherFolder}</button>
				</div>
			`;
		}
		return html`${keyed(sheet.id, html`<easel-sheet-grid .store=${this.store}></easel-sheet-grid>`)}`;
	}

	/** What can be done with what is selected. */
	#bar(): TemplateResult | typeof nothing {
		const files = this.store.selectedFiles;
		if (files.length === 0) {
			return nothing;
		}
		const menu = sheetMenu(this.store, files);
		return html`
			<div class="selection row" role="group" aria-label="Selection">
				<span class="words">${hints.selected(files.length)}</span>
				${buttonsOf(files).map(
					(action, index) => html`
						<button class=${index === 0 ? 'primary' : 'minor'} @click=${() => this.#run(action)}>
							${sheetEntries[action].label}
						</button>
					`,
				)}
				${
					menu.groups.length === 0
						? nothing
						: iconButton(labels.more, 'ellipsis', (event) => openMenuBelow(event, menu))
				}
				${iconButton(labels.clearSelection, 'close', this.#unselect, {
					title: `${labels.clearSelection} (Escape)`,
				})}
			</div>
		`;
	}

	// --- What the user does

	#run(action: SheetAction): void {
		runSheetAction(this.store, [...this.store.sheetSelection.ids], action);
	}

	readonly #choose = (): void => void this.store.ask({ type: 'sheet', action: 'choose' });

	readonly #unselect = (): void => {
		this.store.selectFiles(nothingSelected);
		this.store.focus('sheet');
	};

	readonly #goBack = (): void => {
		this.store.leaveSheet();
		this.store.focus('grid');
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		if (event.key === 'Escape' && !event.defaultPrevented && !isWriting(event)) {
			event.preventDefault();
			if (this.store.sheetSelection.ids.size > 0) {
				this.#unselect();
			} else {
				this.#goBack();
			}
		}
	};
}

customElements.define('easel-style-sheet', ContactSheet);

function countWords(sheet: Sheet | undefined): string {
	if (sheet?.state !== 'read') {
		return '';
	}
	const { length } = sheet.files;
	return sheet.more > 0 ? hints.of(length, length + sheet.more, 'image') : hints.images(length);
}

/** What of the folder is not shown, and why; empty where all is. */
function leftOutWords(sheet: Sheet | undefined): string {
	const { files = [], more = 0, elsewhere = 0 } = sheet ?? {};
	const parts = [
		...(more > 0 ? [messages.sheetTruncated(files.length, more)] : []),
		...(elsewhere > 0 ? [messages.linksSkipped(elsewhere)] : []),
	];
	return parts.join(' ');
}
