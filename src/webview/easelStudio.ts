import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, LitElement, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import type { ChannelError } from '../protocol/pageEnd.js';
import {
	mostDescribed,
	type Ask,
	type Image,
	type Job,
	type Reference,
	type SavedState,
	type StudioEvent,
	type StudioRequest,
} from '../protocol/studio.js';
import { dispatch } from './dispatch.js';
import { styles } from './easelStudio.styles.js';
import { Arrivals } from './studio/arrivals.js';
import { buttonStyles, pageStyles } from './studio/page.styles.js';
import { draftWith, emptyDraft, type Composed, type Draft, type Setup } from './studio/draft.js';
import './studio/easelCompose.js';
import type { EaselCompose } from './studio/easelCompose.js';
import './studio/easelGallery.js';
import './studio/easelJobs.js';
import type { EaselJobs } from './studio/easelJobs.js';
import type { Announcement } from './studio/events.js';
import type { Gallery, GalleryView } from './studio/galleryView.js';
import { withImages } from './studio/knownImages.js';
import { announceIn } from './studio/liveRegion.js';
import { noticeList } from './studio/noticeList.js';
import { withNotice, type Notice } from './studio/notices.js';
import { moved } from './studio/reorder.js';

declare global {
	interface HTMLElementEventMap {
		/** The user has changed what is kept with the editor; `saved` has it already. */
		'easel-save': CustomEvent<undefined>;
	}
}

/**
 * The page of the image studio: what is asked for, what is being made, and all images. It knows
 * what the extension has told it, and asks it for what the user wants.
 */
export class EaselStudio extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles];

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

	readonly #arrivals = new Arrivals();
	/** Whether something was sent whose request is not to be seen yet. */
	#hasRequested = false;

	constructor(private readonly extension: Ask) {
		super();
	}

	/** Takes what the extension says. */
	receive(message: StudioEvent): void {
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
				this.#arrivals.watch(message.jobs);
				void this.#showRequested();
				return;
			case 'gallery':
				this.gallery = message;
				for (const text of this.#arrivals.arrived(message.ids)) {
					this.#announce({ text, urgent: false });
				}
				return;
			case 'images':
				this.images = withImages(this.images, message.images);
				return;
			case 'notice':
				this.notices = withNotice(this.notices, message);
		}
	}

	protected override firstUpdated(): void {
		this.#ask({ type: 'ready' });
	}

	protected override render(): TemplateResult {
		const { draft, ...view } = this.saved;
		return html`
			<main
				@easel-ask=${({ detail }: CustomEvent<StudioRequest>) => this.#ask(detail)}
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
								void this.#describe(detail)}
							@easel-view-change=${({ detail }: CustomEvent<GalleryView>) => this.#save(detail)}
						></easel-gallery>
					</div>
					${noticeList(this.notices, {
						undo: (notice) => this.#undo(notice),
						dismiss: (notice) => this.#dismiss(notice),
					})}
				</div>
			</main>
			<div class="hidden status" role="status"></div>
			<div class="hidden alert" role="alert"></div>
		`;
	}

	// --- What the extension says

	async #replaceDraft(composed: Composed): Promise<void> {
		const { draft } = this.saved;
		const { prompt } = composed;
		if (prompt !== undefined && /\S/.test(draft.prompt) && prompt !== draft.prompt) {
			// Nobody has to write it again: it is the first that the arrow key brings.
			this.replaced = [draft.prompt, ...this.replaced].slice(0, 10);
		}
		this.#save({ draft: draftWith(draft, composed) });
		await this.updateComplete;
		this.compose.tell(composed.words);
		this.compose.focus();
	}

	// --- What the user does

	#ask(request: StudioRequest): void {
		this.#foresee(request);
		this.extension(request).catch((error: ChannelError) => this.#onFailed(error));
	}

	async #describe(ids: readonly string[]): Promise<void> {
		try {
			const described = await this.extension({
				type: 'describe',
				ids: ids.slice(0, mostDescribed),
			});
			this.images = withImages(this.images, described);
		} catch (error) {
			this.#onFailed(error as ChannelError);
		}
	}

	#onFailed({ message: text }: ChannelError): void {
		this.notices = withNotice(this.notices, { severity: 'error', text });
	}

	/** Shows at once what the extension will say in a moment, so that the next key finds it. */
	#foresee(request: StudioRequest): void {
		this.#hasRequested ||= request.type === 'generate';
		if (request.type === 'moveReference' && this.references !== undefined) {
			const from = this.references.findIndex(({ id }) => id === request.id);
			this.references = from < 0 ? this.references : moved(this.references, from, request.to);
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
			this.#ask({ type: 'image', id: notice.undo, action: 'undoRemove' });
		}
		this.#dismiss(notice);
	}

	#dismiss(notice: Notice): void {
		this.notices = this.notices.filter((other) => other !== notice);
		this.compose.focus({ preventScroll: true });
	}

	#save(part: Partial<SavedState>): void {
		this.saved = { ...this.saved, ...part };
		dispatch(this, 'easel-save', undefined);
	}

	#announce({ text, urgent }: Announcement): void {
		announceIn(urgent ? this.alert : this.status, text);
	}
}

customElements.define('easel-studio', EaselStudio);

/** A button that is held down does not do again what it does: it may be paid for. */
function onHeldKey(event: KeyboardEvent): void {
	const [target] = event.composedPath();
	if (event.repeat && event.key === 'Enter' && target instanceof HTMLButtonElement) {
		event.preventDefault();
	}
}
