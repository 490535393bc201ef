import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import {
	mostDescribed,
	type HostMessage,
	type Image,
	type ImageAction,
	type Job,
	type PageMessage,
	type Reference,
	type SavedState,
} from '../protocol/studio.js';
import { styles } from './easelStudio.styles.js';
import { buttonStyles, controlStyles } from './studio/controls.styles.js';
import { emptyDraft, type Draft, type Setup } from './studio/draft.js';
import './studio/easelCompose.js';
import type { EaselCompose } from './studio/easelCompose.js';
import './studio/easelGallery.js';
import type { Gallery, GalleryView } from './studio/easelGallery.js';
import './studio/easelJobs.js';
import type { EaselJobs } from './studio/easelJobs.js';
import { ImageNews } from './studio/imageNews.js';
import { withNotice, type Notice } from './studio/notices.js';
import { moved } from './studio/reorder.js';
import { dispatch, type Announcement } from './studio/talk.js';

declare global {
	interface HTMLElementTagNameMap {
		'easel-studio': EaselStudio;
	}
	interface HTMLElementEventMap {
		/** The user has changed what is kept with the editor; `saved` has it already. */
		'easel-save': CustomEvent<undefined>;
	}
}

/** More than anybody looks at; what is needed again is asked for again. */
const mostKnown = 2000;

const noticeIcons: Record<Notice['severity'], string> = {
	info: 'info',
	warning: 'warning',
	error: 'error',
};

/**
 * The page of the image studio: what is asked for, what is being made, and all images. It knows
 * what the extension has told it and says what the user does, in `easel-tell` events.
 */
export class EaselStudio extends LitElement {
	static override readonly styles = [buttonStyles, controlStyles, styles];

	/** What is kept with the editor. */
	@property({ attribute: false }) accessor saved: SavedState = {
		draft: emptyDraft,
		search: '',
	};

	@state() private accessor setup: Setup | undefined;
	@state() private accessor references: readonly Reference[] | undefined;
	/** Prompts that were replaced before they were sent, newest first. */
	@state() private accessor replaced: readonly string[] = [];
	@state() private accessor jobs: readonly Job[] | undefined;
	@state() private accessor gallery: Gallery | undefined;
	@state() private accessor images: ReadonlyMap<string, Image> = new Map();
	@state() private accessor notices: readonly Notice[] = [];

	@query('easel-compose') private accessor compose!: EaselCompose;
	@query('easel-jobs') private accessor requests!: EaselJobs;
	@query('.status') private accessor status!: HTMLElement;
	@query('.alert') private accessor alert!: HTMLElement;

	readonly #news = new ImageNews();
	/** Whether something was sent whose request is not to be seen yet. */
	#hasRequested = false;

	/** Takes what the extension says. */
	receive(message: HostMessage): void {
		switch (message.type) {
			case 'setup':
				this.setup = message;
				return;
			case 'references':
				this.references = message.references;
				return;
			case 'compose':
				void this.#replaceDraft(message);
				return;
			case 'jobs':
				this.jobs = message.jobs;
				this.#news.watch(message.jobs);
				void this.#showRequested();
				return;
			case 'gallery':
				this.gallery = message;
				for (const text of this.#news.arrived(message.ids)) {
					this.#announce({ text, urgent: false });
				}
				return;
			case 'images':
				this.#know(message.images);
				return;
			case 'notice':
				this.notices = withNotice(this.notices, message);
		}
	}

	protected override render(): TemplateResult {
		const { draft, search, shown, compared } = this.saved;
		const view: GalleryView = {
			search,
			...(shown === undefined ? {} : { shown }),
			...(compared === undefined ? {} : { compared }),
		};
		return html`
			<main
				@easel-tell=${({ detail }: CustomEvent<PageMessage>) => this.#foresee(detail)}
				@easel-announce=${({ detail }: CustomEvent<Announcement>) => this.#announce(detail)}
				@easel-focus-lost=${() => this.compose.focus({ preventScroll: true })}
				@keydown=${{ handleEvent: onHeldKey, capture: true }}
			>
				<h1 class="hidden">Image Studio</h1>
				<section class="compose" aria-label="Compose">
					<easel-compose
						.setup=${this.setup}
						.references=${this.references}
						.draft=${draft}
						.replaced=${this.replaced}
						@easel-draft-change=${({ detail }: CustomEvent<Draft>) => this.#save({ draft: detail })}
					></easel-compose>
				</section>
				<div class="beside">
					<div class="images">
						<easel-jobs .jobs=${this.jobs}></easel-jobs>
						<easel-gallery
							.gallery=${this.gallery}
							.images=${this.images}
							.view=${view}
							@easel-describe=${({ detail }: CustomEvent<readonly string[]>) =>
								this.#tell({ type: 'describe', ids: detail.slice(0, mostDescribed) })}
							@easel-search=${({ detail }: CustomEvent<string>) =>
								this.#tell({ type: 'search', text: detail })}
							@easel-image-action=${({
								detail,
							}: CustomEvent<{ id: string; action: ImageAction }>) =>
								this.#tell({ type: 'image', ...detail })}
							@easel-view-change=${({ detail }: CustomEvent<GalleryView>) =>
								this.#save({ shown: undefined, compared: undefined, ...detail })}
							@easel-undecodable=${({ detail }: CustomEvent<string>) =>
								this.#tell({ type: 'undecodable', id: detail })}
						></easel-gallery>
					</div>
					${this.#notices()}
				</div>
			</main>
			<div class="hidden status" role="status"></div>
			<div class="hidden alert" role="alert"></div>
		`;
	}

	#notices(): TemplateResult {
		const errors = this.notices.filter(({ severity }) => severity === 'error');
		const others = this.notices.filter(({ severity }) => severity !== 'error');
		return html`
			<div class="notices">
				<div role="alert">${this.#noticesIn(errors)}</div>
				<div role="status">${this.#noticesIn(others)}</div>
			</div>
		`;
	}

	#noticesIn(notices: readonly Notice[]): unknown {
		return repeat(
			notices,
			(notice) => notice,
			(notice) => html`
				<div class="notice ${notice.severity}">
					<vscode-icon name=${noticeIcons[notice.severity]}></vscode-icon>
					<p>${notice.text}</p>
					${
						notice.undo === undefined
							? nothing
							: html`<button @click=${() => this.#undo(notice)}>Undo</button>`
					}
					<button
						class="icon"
						aria-label="Dismiss"
						title="Dismiss"
						@click=${() => this.#dismiss(notice)}
					>
						<vscode-icon name="close"></vscode-icon>
					</button>
				</div>
			`,
		);
	}

	// --- What the extension says

	async #replaceDraft({
		prompt,
		size,
		quality,
	}: Extract<HostMessage, { type: 'compose' }>): Promise<void> {
		const { draft } = this.saved;
		if (prompt !== undefined && /\S/.test(draft.prompt) && prompt !== draft.prompt) {
			// Nobody has to write it again: it is the first that the arrow key brings.
			this.replaced = [draft.prompt, ...this.replaced].slice(0, 10);
		}
		this.#save({
			draft: {
				...draft,
				...(prompt === undefined ? {} : { prompt }),
				...(size === undefined ? {} : { size }),
				...(quality === undefined ? {} : { quality }),
			},
		});
		await this.updateComplete;
		this.compose.focus();
	}

	#know(images: readonly Image[]): void {
		const known = new Map(this.images);
		for (const image of images) {
			// To the end: the first ones are forgotten first.
			known.delete(image.id);
			known.set(image.id, image);
		}
		for (const id of [...known.keys()].slice(0, Math.max(known.size - mostKnown, 0))) {
			known.delete(id);
		}
		this.images = known;
	}

	// --- What the user does

	/** Shows at once what the extension will say in a moment, so that the next key finds it. */
	#foresee(message: PageMessage): void {
		this.#hasRequested ||= message.type === 'generate';
		if (message.type === 'moveReference' && this.references !== undefined) {
			const from = this.references.findIndex(({ id }) => id === message.id);
			this.references = from < 0 ? this.references : moved(this.references, from, message.to);
		}
	}

	/** In a narrow page what was asked for would appear out of sight, below Compose. */
	async #showRequested(): Promise<void> {
		if (this.#hasRequested && this.jobs?.some(({ state }) => state === 'running') === true) {
			this.#hasRequested = false;
			await this.updateComplete;
			await this.requests.updateComplete;
			this.requests.scrollIntoView({ block: 'nearest' });
		}
	}

	#undo(notice: Notice): void {
		if (notice.undo !== undefined) {
			this.#tell({ type: 'image', id: notice.undo, action: 'undoRemove' });
		}
		this.#dismiss(notice);
	}

	#dismiss(notice: Notice): void {
		this.notices = this.notices.filter((other) => other !== notice);
		this.compose.focus({ preventScroll: true });
	}

	#save(part: Partial<SavedState>): void {
		// What is not there any more must not stand there as `undefined`: it is checked strictly.
		const { draft, search, shown, compared } = { ...this.saved, ...part };
		this.saved = {
			draft,
			search,
			...(shown === undefined ? {} : { shown }),
			...(compared === undefined ? {} : { compared }),
		};
		dispatch(this, 'easel-save', undefined);
	}

	#tell(message: PageMessage): void {
		dispatch(this, 'easel-tell', message);
	}

	/** Adds a paragraph: what is said again is read again. */
	#announce({ text, urgent }: Announcement): void {
		const region = urgent ? this.alert : this.status;
		const paragraph = document.createElement('p');
		paragraph.textContent = text;
		region.append(paragraph);
		while (region.childElementCount > mostAnnounced) {
			region.firstElementChild?.remove();
		}
	}
}

customElements.define('easel-studio', EaselStudio);

/** What is older has been read. */
const mostAnnounced = 8;

/** A button that is held down does not do again what it does: it may be paid for. */
function onHeldKey(event: KeyboardEvent): void {
	const [target] = event.composedPath();
	if (event.repeat && event.key === 'Enter' && target instanceof HTMLButtonElement) {
		event.preventDefault();
	}
}
