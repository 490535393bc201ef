import { html, LitElement, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import type { ChannelError } from '../protocol/pageEnd.js';
import {
	everything,
	type Ask,
	type Job,
	type Reference,
	type SavedState,
	type StudioEvent,
	type StudioRequest,
} from '../protocol/studio.js';
import { dispatch } from './dispatch.js';
import { styles } from './easelStudio.styles.js';
import { onHeldKey } from './keys.js';
import { Arrivals } from './studio/arrivals.js';
import {
	draftWith,
	editedOf,
	emptyDraft,
	type Composed,
	type Draft,
	type Setup,
} from './studio/draft.js';
import './studio/easelCompose.js';
import type { EaselCompose } from './studio/easelCompose.js';
import './studio/easelStream.js';
import type { EaselStream } from './studio/easelStream.js';
import type { Announcement, AskEvent } from './studio/events.js';
import { foreseen, foreseenReferences, takenBack } from './studio/foreseen.js';
import { announcementsOf } from './studio/jobAnnouncements.js';
import { nothingKnown, withDescribed, type Known } from './studio/known.js';
import { announceIn } from './studio/liveRegion.js';
import { noticeList } from './studio/noticeList.js';
import { withNotice, type Notice } from './studio/notices.js';
import type { OnScreen } from './studio/onScreen.js';
import { buttonStyles, pageStyles } from './studio/page.styles.js';
import { SheetOnPage } from './studio/sheetOnPage.js';
import type { Rounds } from './studio/streamRounds.js';
import type { StreamView } from './studio/streamView.js';

declare global {
	interface HTMLElementEventMap {
		/** The user has changed what is kept with the editor; `saved` has it already. */
		'easel-save': CustomEvent<undefined>;
	}
}

/**
 * The page of the image studio: the stream of rounds, and below it what is asked for next. It knows
 * what the extension has told it, and asks it for what the user wants.
 */
export class EaselStudio extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles];

	/** What is kept with the editor. */
	@property({ attribute: false }) accessor saved: SavedState = {
		draft: emptyDraft,
		query: everything,
	};

	@state() private accessor setup: Setup | undefined;
	@state() private accessor references: readonly Reference[] | undefined;
	/** Prompts that were sent or replaced, newest first. */
	@state() private accessor recent: readonly string[] = [];
	@state() private accessor jobs: readonly Job[] | undefined;
	@state() private accessor rounds: Rounds | undefined;
	@state() private accessor known: Known = nothingKnown;
	@state() private accessor notices: readonly Notice[] = [];

	@query('easel-compose') private accessor compose!: EaselCompose;
	@query('easel-stream') private accessor stream!: EaselStream;
	@query('.status') private accessor status!: HTMLElement;
	@query('.alert') private accessor alert!: HTMLElement;

	readonly #arrivals = new Arrivals();
	readonly #sheet = new SheetOnPage(this, {
		saved: () => this.saved.sheet,
		save: (sheet) => this.#save({ sheet }),
		ask: (request) => void this.#ask(request),
		left: () => void this.stream.focusImages(),
	});
	/** The image that is open large, as the extension was told last, with the prompt at that moment. */
	#view: { readonly id: string | undefined; readonly prompt: string } | undefined;
	/** Whether something was sent whose round is not to be seen yet. */
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
				this.references = message.references;
				void this.#replaceDraft(message);
				return;
			case 'jobs':
				this.#onJobs(message.jobs);
				return;
			case 'rounds':
				this.rounds = message;
				for (const text of this.#arrivals.arrived(message.rounds)) {
					this.#announce({ text, urgent: false });
				}
				return;
			case 'search':
				this.#lookFor(message);
				return;
			case 'sheet':
				this.#sheet.take(message.sheet);
				return;
			case 'sheetPictures':
				this.#sheet.learn(message.pictures);
				return;
			case 'described':
				this.known = withDescribed(this.known, message);
				return;
			case 'asked':
				this.#onAsked(message.accepted);
				return;
			case 'notice':
				this.notices = withNotice(this.notices, message);
		}
	}

	protected override firstUpdated(): void {
		void this.#ask({ type: 'ready' });
		this.#sheet.resume();
	}

	protected override updated(): void {
		this.#followView();
	}

	protected override render(): TemplateResult {
		const { draft, query, shown, compared } = this.saved;
		const isCovered = this.#sheet.isOpen;
		return html`
			<main
				@easel-ask=${(event: AskEvent) => {
					event.answer = this.#ask(event.detail);
				}}
				@easel-announce=${({ detail }: CustomEvent<Announcement>) => this.#announce(detail)}
				@easel-focus-lost=${() => this.compose.focus({ preventScroll: true })}
				@easel-show=${({ detail }: CustomEvent<string>) => this.#show(detail)}
				@keydown=${{ handleEvent: onHeldKey, capture: true }}
			>
				<h1 class="hidden">Image Studio</h1>
				<div class="region">
					<easel-stream
						class=${isCovered ? 'covered' : ''}
						?inert=${isCovered}
						.rounds=${this.rounds}
						.known=${this.known.rounds}
						.images=${this.known.images}
						.jobs=${this.jobs ?? []}
						.sizes=${this.setup?.sizes ?? []}
						.view=${{ query, shown, compared }}
						@easel-describe=${({ detail }: CustomEvent<OnScreen>) => void this.#describe(detail)}
						@easel-view-change=${({ detail }: CustomEvent<StreamView>) => this.#save(detail)}
					></easel-stream>
					${this.#sheet.render()}
				</div>
				${noticeList(this.notices, {
					undo: (notice) => this.#undo(notice),
					dismiss: (notice) => this.#dismiss(notice),
				})}
				<section class="compose" aria-label="Compose">
					<easel-compose
						.setup=${this.setup}
						.references=${this.references}
						.draft=${draft}
						.recent=${this.recent}
						.viewed=${this.known.images.get(this.#viewed ?? '')}
						@easel-draft-change=${({ detail }: CustomEvent<Draft>) => this.#save({ draft: detail })}
					></easel-compose>
				</section>
			</main>
			<div class="hidden status" role="status"></div>
			<div class="hidden alert" role="alert"></div>
		`;
	}

	// --- What the extension says

	#show(id: string): void {
		this.#sheet.leave();
		// When the rounds that were told before are those of the stream, and nothing lies over it.
		void this.updateComplete.then(() => this.stream.show(id));
	}

	#lookFor({ query, selected }: Extract<StudioEvent, { readonly type: 'search' }>): void {
		this.#sheet.leave();
		void this.updateComplete.then(() => this.stream.lookFor(query, selected));
	}

	async #replaceDraft(composed: Composed): Promise<void> {
		const { draft } = this.saved;
		this.#save({ draft: draftWith(draft, composed, editedOf(this.references ?? [])) });
		this.#remember(draft.prompt);
		await this.updateComplete;
		this.compose.inform(composed.words);
		this.compose.focus();
	}

	#onAsked(accepted: boolean): void {
		const { prompt } = this.saved.draft;
		this.compose.asked(accepted);
		this.#remember(prompt);
	}

	/** A prompt that has gone is the first that the arrow key brings: nobody has to write it again. */
	#remember(prompt: string): void {
		if (/\S/.test(prompt) && prompt !== this.saved.draft.prompt) {
			const others = this.recent.filter((other) => other !== prompt);
			this.recent = [prompt, ...others].slice(0, 10);
		}
	}

	#onJobs(jobs: readonly Job[]): void {
		const before = this.jobs;
		this.jobs = jobs;
		this.#arrivals.watch(jobs);
		if (before === undefined) {
			return;
		}
		for (const announcement of announcementsOf(before, jobs)) {
			this.#announce(announcement);
		}
		const isNew = ({ id }: Job) => !before.some((job) => job.id === id);
		if (this.#hasRequested && jobs.some(isNew)) {
			this.#hasRequested = false;
			// What was asked for would run out of sight.
			this.#sheet.leave();
			this.stream.showNewest();
		}
	}

	// --- What the user does

	/** Returns the answer, for who goes on after it. A failure has been shown when it is rejected. */
	#ask(request: StudioRequest): Promise<unknown> {
		const before = this.known;
		this.#foresee(request);
		const answer = this.extension(request);
		answer.catch((error: unknown) => {
			this.#hasRequested = false;
			this.known = takenBack(this.known, before, request);
			this.#onFailed(error);
		});
		return answer;
	}

	/** The image that is open large; `undefined` where none is, or the style sheet lies over it. */
	get #viewed(): string | undefined {
		return this.#sheet.isOpen ? undefined : this.saved.shown;
	}

	/** Has the composer edit the image that is open large, unless the user has chosen another one. */
	#followView(): void {
		const before = this.#view;
		const id = this.#viewed;
		const { prompt } = this.saved.draft;
		if (before !== undefined && before.id === id) {
			return;
		}
		if (before === undefined && id !== undefined) {
			// It was open before the page was loaded anew: the extension knows.
			this.#view = { id, prompt: '' };
			return;
		}
		this.#view = { id, prompt: before?.id === undefined ? prompt : before.prompt };
		const edited = editedOf(this.references ?? []);
		const isWrittenAbout = before?.prompt !== prompt && /\S/.test(prompt);
		if (id === undefined && edited?.fromView === true && isWrittenAbout) {
			// What was written while it was open is about it.
			void this.#ask({ type: 'editReference', id: edited.id });
		} else {
			void this.#ask({ type: 'followView', ...(id === undefined ? {} : { id }) });
		}
	}

	async #describe({ rounds, images }: OnScreen): Promise<void> {
		try {
			const described = await this.extension({
				type: 'describe',
				rounds: [...rounds],
				images: [...images],
			});
			this.known = withDescribed(this.known, described);
		} catch (error) {
			this.#onFailed(error);
		}
	}

	#onFailed(error: unknown): void {
		const { message: text } = error as ChannelError;
		this.notices = withNotice(this.notices, { severity: 'error', text });
	}

	/** Shows at once what the extension will say in a moment, so that the next key finds it. */
	#foresee(request: StudioRequest): void {
		this.#hasRequested ||= request.type === 'generate' || request.type === 'roundAgain';
		this.known = foreseen(this.known, request);
		this.references = this.references && foreseenReferences(this.references, request);
	}

	#undo(notice: Notice): void {
		if (notice.undo !== undefined) {
			void this.#ask({ type: 'image', id: notice.undo, action: 'undoRemove' });
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
