import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { codicon } from '../codicon.js';
import type { Image, Reference } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import { observeSize } from '../observeSize.js';
import * as drafts from './draft.js';
import { emptyDraft, type Draft, type Setup } from './draft.js';
import './draftChoices.js';
import { styles } from './easelCompose.styles.js';
import './easelPrompt.js';
import type { EaselPrompt } from './easelPrompt.js';
import './easelReferences.js';
import { announce, ask, asked, type AskEvent } from './events.js';
import { missingSetup } from './missingSetup.js';
import { buttonStyles, pageStyles } from './page.styles.js';
import { ReferenceDrops } from './referenceDrops.js';
import { isSendKey, sendKeyName } from './sendKey.js';
import { styleChip } from './styleChip.js';
import { notice } from './notice.js';
import { messages } from '../messages.js';

declare global {
	interface HTMLElementEventMap {
		/** The user has changed the draft; whoever keeps it gives it back. */
		'easel-draft-change': CustomEvent<Draft>;
	}
}

/** From this width on, in pixels, the choices stand beside each other. */
const roomForChoices = 520;
/** From this width on, the cost stands beside them too. */
const roomForCost = 720;

const generateIcon = codicon('sparkle');
const editIcon = codicon('edit');

/** What is asked for: reference images, the prompt, size, quality, and how many images. */
export class EaselCompose extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, styles];

	/** Missing until the extension has said what there is. */
	@property({ attribute: false }) accessor setup: Setup | undefined;
	@property({ attribute: false }) accessor references: readonly Reference[] | undefined;
	@property({ attribute: false }) accessor draft: Draft = emptyDraft;
	/** Prompts that have been here since the page was loaded, newest first. */
	@property({ attribute: false }) accessor recent: readonly string[] = [];
	/** The image that is open large. */
	@property({ attribute: false }) accessor viewed: Image | undefined;

	/** Whether there is little room. */
	@property({ type: Boolean, reflect: true }) accessor narrow = false;
	/** Whether there is room beside the button for what it costs. */
	@state() private accessor hasWideLine = true;
	/** What a person should know about what has been put into it. */
	@state() private accessor words: string | undefined;
	/** What is on its way: until it is in the journal it can still be refused. */
	@state() private accessor sending: Draft | undefined;

	@query('easel-prompt') private accessor promptField!: EaselPrompt;

	readonly #drops = new ReferenceDrops(this);
	/** What a screen reader was told last of the image that is edited and the one in view. */
	#announced: string | undefined;

	constructor() {
		super();
		this.addEventListener('keydown', this.#onKey);
		const measure = () => {
			this.narrow = this.clientWidth < roomForChoices;
			this.hasWideLine = this.clientWidth >= roomForCost;
		};
		observeSize(this, () => this, measure);
	}

	override focus(options?: FocusOptions): void {
		this.promptField.focus(options);
	}

	/** Says something about what has been put into it, until it is changed. */
	inform(words: string | undefined): void {
		this.words = words;
		if (words !== undefined) {
			announce(this, words);
		}
	}

	/** What was sent last is in the journal, or will not be. */
	asked(accepted: boolean): void {
		// A page that was hidden meanwhile is a new one, whose draft is what was sent.
		const { sending = this.draft } = this;
		this.sending = undefined;
		if (!accepted) {
			return;
		}
		const { count } = sending;
		this.words = undefined;
		dispatch(this, 'easel-draft-change', drafts.draftAfter(this.draft, sending));
		announce(this, messages.requested(count));
		if (this.shadowRoot?.activeElement != null) {
			// Whoever has pressed the button writes on.
			this.focus({ preventScroll: true });
		}
	}

	protected override updated(changed: PropertyValues<this>): void {
		if (changed.has('viewed') || changed.has('references')) {
			const words = drafts.notViewed(this.#references, this.viewed);
			if (words !== undefined && words !== this.#announced) {
				announce(this, `${words}.`);
			}
			this.#announced = words;
		}
	}

	protected override render(): TemplateResult {
		const { setup, draft } = this;
		return html`
			<div class="box">
				<div class="fields">
					${missingSetup(this, setup?.missing ?? [])}
					<div role="alert">${this.#drops.refused()}</div>
					<div class="head">
						<easel-references
							.references=${this.#references}
							@easel-ask=${this.#onReferencesAsk}
						></easel-references>
						${styleChip(this.setup?.style, draft.withoutStyle === true, {
							show: () => this.#showSent(),
							openGuide: () => ask(this, { type: 'openStyle' }),
							setLeftOut: (withoutStyle) => this.#change({ withoutStyle }),
						})}
						${this.#isAboutBeside ? nothing : this.#about()}
					</div>
					${this.#notViewed()}
					${notice(this.words, () => {
						this.words = undefined;
						this.focus();
					})}
					<easel-prompt
						.value=${draft.prompt}
						.placeholder=${drafts.placeholderFor(this.#references)}
						.history=${[...new Set([...this.recent, ...(setup?.history ?? [])])]}
						@easel-prompt-change=${({ detail: prompt }: CustomEvent<string>) =>
							this.#change({ prompt })}
					></easel-prompt>
				</div>
				<div class="line">
					${
						setup === undefined
							? nothing
							: html`<easel-draft-choices
									.draft=${draft}
									.setup=${setup}
									.references=${this.#references}
									.narrow=${this.narrow}
									@easel-choices-choose=${({ detail }: CustomEvent<Partial<Draft>>) =>
										this.#change(detail)}
								></easel-draft-choices>`
					}
					${this.#send()}
				</div>
			</div>
			${this.#drops.target()}
		`;
	}

	/** Says that another image than the one in view is edited, and offers to edit that one. */
	#notViewed(): TemplateResult | typeof nothing {
		const { viewed } = this;
		const words = drafts.notViewed(this.#references, viewed);
		if (viewed === undefined || words === undefined) {
			return nothing;
		}
		const { id, label, exists } = viewed;
		return html`
			<div class="notice not-viewed">
				${codicon('info')}
				<p id="not-viewed">${words}</p>
				${
					exists
						? html`<button @click=${() => ask(this, { type: 'image', id, action: 'editInstead' })}>
								Edit ${label}
							</button>`
						: nothing
				}
			</div>
		`;
	}

	/** Whether what it costs stands beside the button, not above the prompt beside the references. */
	get #isAboutBeside(): boolean {
		const references = this.#references;
		const isShort = !references.some(({ problem }) => problem);
		return this.hasWideLine || (references.length > 0 && isShort);
	}

	/** Why nothing can be sent, else what it costs. */
	#about(): TemplateResult {
		const { count } = this.draft;
		// How many run at a time is not worth the place where there is little.
		const together = this.hasWideLine ? (this.setup?.concurrency ?? count) : count;
		return html`<p id="about" class="quiet">
			${this.#reason ?? drafts.costWords(count, together)}
		</p>`;
	}

	#send(): TemplateResult {
		const ofStyle = drafts.styleOf(this.draft, this.setup)?.references;
		const label = drafts.generateLabel(this.draft.count, this.#references, ofStyle);
		return html`
			<div class="send">
				${this.#isAboutBeside ? this.#about() : nothing}
				<button
					class="primary"
					aria-disabled=${this.#reason === undefined ? 'false' : 'true'}
					aria-describedby="about not-viewed"
					title="${label} (${sendKeyName})"
					@click=${(event: MouseEvent) => {
						// A double click is not meant to be paid for twice.
						if (event.detail <= 1) {
							void this.#generate();
						}
					}}
				>
					${drafts.editedOf(this.#references) === undefined ? generateIcon : editIcon}
					<span>${label}</span>
				</button>
			</div>
		`;
	}

	get #references(): readonly Reference[] {
		return this.references ?? [];
	}

	get #reason(): string | undefined {
		return this.sending !== undefined
			? messages.onTheWay
			: drafts.whyNot(this.draft, this.setup, this.references);
	}

	// --- What the user does

	#change(part: Partial<Draft>): void {
		this.words = undefined;
		dispatch(this, 'easel-draft-change', { ...this.draft, ...part });
	}

	async #generate(): Promise<void> {
		const { setup, draft } = this;
		const references = this.#references;
		const reason = this.#reason;
		if (reason !== undefined || setup === undefined) {
			announce(this, reason ?? '');
			if (!/\S/.test(draft.prompt)) {
				this.focus();
			}
			return;
		}
		const edited = drafts.editedOf(references)?.id;
		const style = drafts.styleOf(draft, setup)?.sha256;
		this.sending = draft;
		const isBegun = await asked(this, {
			type: 'generate',
			references: references.map(({ id }) => id),
			...(edited === undefined ? {} : { edited }),
			...drafts.askedFor(draft, references, setup),
			...(style === undefined ? {} : { style }),
		});
		if (!isBegun) {
			this.sending = undefined;
		}
	}

	#showSent(): void {
		if (this.setup !== undefined) {
			ask(this, {
				type: 'showSent',
				...drafts.askedFor(this.draft, this.#references, this.setup),
			});
		}
	}

	/** Without the image that was edited, what came with it is of no use either. */
	readonly #onReferencesAsk = ({ detail }: AskEvent): void => {
		const edited = drafts.editedOf(this.#references)?.id;
		if (detail.type === 'removeReference' && detail.id === edited) {
			this.words = undefined;
			dispatch(this, 'easel-draft-change', drafts.withoutBrought(this.draft));
		}
	};

	readonly #onKey = (event: KeyboardEvent): void => {
		if (!isSendKey(event)) {
			return;
		}
		event.preventDefault();
		// The workbench may have its own meaning for it.
		event.stopPropagation();
		// A key that is held down is not meant to buy one image after another.
		if (!event.repeat) {
			void this.#generate();
		}
	};
}

customElements.define('easel-compose', EaselCompose);
