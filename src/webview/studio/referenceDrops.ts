import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { codicon } from '../codicon.js';
import { maxReferenceBytes } from '../../protocol/studioModel.js';
import { contentsOf, mayHaveImages, readDropped } from '../drops.js';
import { ownImageType } from './tiles.js';
import type { StudioElement } from './studioElement.js';

/** As many addresses as one message may have. */
const maxUris = 100;

/**
 * Takes what is dropped anywhere in the page, or pasted into the element, as reference images. The
 * extension looks what it is, and a notice says why something is refused.
 */
export class ReferenceDrops implements ReactiveController {
	/** True where something is dragged over the page that may be images. */
	#dragging = false;
	#ended = new AbortController();

	constructor(private readonly host: StudioElement) {
		host.addController(this);
	}

	hostConnected(): void {
		this.#ended = new AbortController();
		const { signal } = this.#ended;
		// Of the whole page: a drag that comes in elsewhere would belong to the workbench, which then
		// keeps it from the page until Shift is pressed.
		window.addEventListener('dragenter', this.#onDragOver, { signal });
		window.addEventListener('dragover', this.#onDragOver, { signal });
		window.addEventListener('dragleave', this.#onDragLeave, { signal });
		window.addEventListener('drop', this.#onDrop, { signal });
		this.host.addEventListener('paste', this.#onPaste, { signal });
	}

	hostDisconnected(): void {
		this.#ended.abort();
	}

	/** Renders the drop target while something is dragged. */
	target(): TemplateResult | typeof nothing {
		return this.#dragging ? dropTarget : nothing;
	}

	readonly #onPaste = (event: ClipboardEvent): void => {
		const { clipboardData } = event;
		const files = Array.from(clipboardData?.files ?? []);
		const inField = event.composedPath()[0] instanceof HTMLTextAreaElement;
		// Text that was copied together with a picture of it is meant where text is written.
		if (files.length > 0 && !(inField && clipboardData?.types.includes('text/plain'))) {
			event.preventDefault();
			void this.#addFiles(files);
		}
	};

	readonly #onDragOver = (event: DragEvent): void => {
		const { dataTransfer } = event;
		if (isOwnElsewhere(event, this.host)) {
			this.#setDragging(false);
		} else if (dataTransfer !== null && mayHaveImages(dataTransfer)) {
			// Taken: the workbench would open it otherwise.
			event.preventDefault();
			dataTransfer.dropEffect = 'copy';
			this.#setDragging(true);
		}
	};

	readonly #onDragLeave = (event: DragEvent): void => {
		if (event.relatedTarget === null) {
			this.#setDragging(false);
		}
	};

	readonly #onDrop = (event: DragEvent): void => {
		const { dataTransfer } = event;
		this.#setDragging(false);
		if (dataTransfer === null || !mayHaveImages(dataTransfer) || isOwnElsewhere(event, this.host)) {
			return;
		}
		event.preventDefault();
		const { uris, files } = contentsOf(dataTransfer);
		for (let at = 0; at < uris.length; at += maxUris) {
			void this.host.store.ask({ type: 'dropReferences', uris: uris.slice(at, at + maxUris) });
		}
		void this.#addFiles(files);
	};

	/** One after another, so that they come in this order and not all lie in memory at once. */
	async #addFiles(files: readonly File[]): Promise<void> {
		const { store } = this.host;
		for (const file of files) {
			const bytes = await readDropped(file, maxReferenceBytes);
			if (typeof bytes === 'string') {
				store.notices.showError(bytes);
			} else {
				await store.ask({ type: 'addReference', name: file.name, bytes });
			}
		}
	}

	#setDragging(dragging: boolean): void {
		if (dragging !== this.#dragging) {
			this.#dragging = dragging;
			this.host.requestUpdate();
		}
	}
}

const dropTarget = html`
	<div class="drop" aria-hidden="true">
		<div class="row">
			${codicon('file-media', 32)}
			<span>Drop to use as reference images</span>
			<span class="quiet">Hold Shift to drop from the Explorer.</span>
		</div>
	</div>
`;

/**
 * Returns whether it is a tile of this page that is not over the prompt: a click that slipped
 * attaches nothing.
 */
function isOwnElsewhere({ dataTransfer, target }: DragEvent, prompt: HTMLElement): boolean {
	const isOwn = dataTransfer?.types.includes(ownImageType) === true;
	return isOwn && !(target instanceof Node && prompt.contains(target));
}
