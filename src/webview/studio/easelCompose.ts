import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, query } from 'lit/decorators.js';
import type { Reference, SetupProblem } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import {
	costWords,
	emptyDraft,
	generateLabel,
	sizeOf,
	whyNot,
	type Draft,
	type Setup,
} from './draft.js';
import { draftChoices } from './draftChoices.js';
import { choiceStyles } from './draftChoices.styles.js';
import { styles } from './easelCompose.styles.js';
import './easelPrompt.js';
import type { EaselPrompt } from './easelPrompt.js';
import './easelReferences.js';
import { buttonStyles, pageStyles } from './page.styles.js';
import { ReferenceDrops } from './referenceDrops.js';
import { announce, ask } from './events.js';

declare global {
	interface HTMLElementEventMap {
		/** The user has changed the draft; whoever keeps it gives it back. */
		'easel-draft-change': CustomEvent<Draft>;
	}
}

const missingWords: Record<SetupProblem, readonly [words: string, button: string]> = {
	address: ['Easel does not know the address of an image service yet.', 'Set Up Image Service'],
	key: ['The image service needs an API key.', 'Set API Key'],
};

const isMac = /Mac/.test(navigator.userAgent);
const generateKey = isMac ? '⌘Enter' : 'Ctrl+Enter';

/** What is asked for: the prompt, reference images, size, quality, and how many images. */
export class EaselCompose extends LitElement {
	static override readonly styles = [pageStyles, buttonStyles, choiceStyles, styles];

	/** Missing until the extension has said what there is. */
	@property({ attribute: false }) accessor setup: Setup | undefined;
	@property({ attribute: false }) accessor references: readonly Reference[] | undefined;
	@property({ attribute: false }) accessor draft: Draft = emptyDraft;
	/** Prompts that are in no history yet, newest first. */
	@property({ attribute: false }) accessor replaced: readonly string[] = [];

	@query('easel-prompt') private accessor promptField!: EaselPrompt;

	readonly #drops = new ReferenceDrops(this);

	constructor() {
		super();
		this.addEventListener('keydown', this.#onKey);
	}

	override focus(options?: FocusOptions): void {
		this.promptField.focus(options);
	}

	protected override render(): TemplateResult {
		const { setup, references, draft } = this;
		return html`
			<div class="fields">
				${this.#missing(setup)}
				<easel-prompt
					.value=${draft.prompt}
					.history=${[...this.replaced, ...(setup?.history ?? [])]}
					@easel-prompt-change=${({ detail: prompt }: CustomEvent<string>) =>
						this.#change({ prompt })}
				></easel-prompt>
				<div>
					<div role="alert">${this.#drops.refused()}</div>
					<easel-references .references=${references ?? []}></easel-references>
				</div>
				${
					setup === undefined
						? nothing
						: draftChoices(draft, setup, {
								hasReferences: this.#hasReferences,
								change: (part) => this.#change(part),
							})
				}
			</div>
			${this.#send()} ${this.#drops.target()}
		`;
	}

	/** What keeps everything from being sent, each with the button that mends it. */
	#missing(setup: Setup | undefined): TemplateResult | typeof nothing {
		if (setup === undefined || setup.missing.length === 0) {
			return nothing;
		}
		return html`
			<div class="missing" role="group" aria-label="Setup">
				${setup.missing.map(
					(problem) => html`
						<p><vscode-icon name="info"></vscode-icon>${missingWords[problem][0]}</p>
					`,
				)}
				<div class="buttons">
					${setup.missing.map(
						(problem, index) => html`
							<button
								class=${index === 0 ? 'primary' : ''}
								@click=${() => ask(this, { type: 'setUp', problem })}
							>
								${missingWords[problem][1]}
							</button>
						`,
					)}
				</div>
			</div>
		`;
	}

	#send(): TemplateResult {
		const reason = this.#reason;
		const { count } = this.draft;
		return html`
			<div class="send">
				<button
					class="primary"
					aria-disabled=${reason === undefined ? 'false' : 'true'}
					aria-describedby="about"
					title="${generateLabel(count)} (${generateKey})"
					@click=${(event: MouseEvent) => {
						// A double click is not meant to be paid for twice.
						if (event.detail <= 1) {
							this.#generate();
						}
					}}
				>
					<vscode-icon name="sparkle"></vscode-icon>
					${generateLabel(count)}
				</button>
				<p id="about" class="quiet">
					${reason ?? costWords(count, this.setup?.concurrency ?? count)}
				</p>
			</div>
		`;
	}

	get #hasReferences(): boolean {
		return this.references !== undefined && this.references.length > 0;
	}

	get #reason(): string | undefined {
		return whyNot(this.draft, this.setup, this.references);
	}

	// --- What the user does

	#change(part: Partial<Draft>): void {
		dispatch(this, 'easel-draft-change', { ...this.draft, ...part });
	}

	#generate(): void {
		const { setup, draft } = this;
		const reason = this.#reason;
		if (reason !== undefined || setup === undefined) {
			announce(this, reason ?? '');
			if (!/\S/.test(draft.prompt)) {
				this.focus();
			}
			return;
		}
		ask(this, {
			type: 'generate',
			prompt: draft.prompt,
			size: sizeOf(draft, setup),
			// What is not shown is not sent.
			quality: this.#hasReferences ? 'unset' : (draft.quality ?? setup.defaults.quality),
			count: draft.count,
		});
		announce(this, draft.count === 1 ? 'Image requested.' : `${draft.count} images requested.`);
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		const { key, ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing } = event;
		const hasModifier = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
		if (key !== 'Enter' || !hasModifier || altKey || shiftKey || isComposing) {
			return;
		}
		event.preventDefault();
		// The workbench may have its own meaning for it.
		event.stopPropagation();
		// A key that is held down is not meant to buy one image after another.
		if (!repeat) {
			this.#generate();
		}
	};
}

customElements.define('easel-compose', EaselCompose);
