import '@vscode-elements/elements/dist/vscode-icon/index.js';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import type { Quality, Reference, SetupProblem, SizeOption } from '../../protocol/studio.js';
import { buttonStyles, choiceStyles, controlStyles } from './controls.styles.js';
import { contentsOf, mayHaveImages, readImage, Refusal, sortUris } from './drops.js';
import {
	costWords,
	counts,
	emptyDraft,
	generateLabel,
	sizeOf,
	whyNot,
	type Draft,
	type Setup,
} from './draft.js';
import { styles } from './easelCompose.styles.js';
import './easelPrompt.js';
import type { EaselPrompt } from './easelPrompt.js';
import './easelReferences.js';
import { namesOf, pictureOf } from './sizePicture.js';
import { announce, ask, dispatch } from './events.js';

declare global {
	interface HTMLElementTagNameMap {
		'easel-compose': EaselCompose;
	}
	interface HTMLElementEventMap {
		/** The user has changed the draft; whoever keeps it gives it back. */
		'easel-draft-change': CustomEvent<Draft>;
	}
}

const qualityNames: Record<Quality, readonly [name: string, words: string]> = {
	low: ['Draft', 'for previews'],
	unset: ['Default', 'service decides'],
	high: ['Final', 'slower, costs more'],
};
/** In the order of what they cost. */
const qualityOrder: readonly Quality[] = ['low', 'unset', 'high'];

const missingWords: Record<SetupProblem, readonly [words: string, button: string]> = {
	address: ['Easel does not know the address of an image service yet.', 'Set Up Image Service'],
	key: ['The image service needs an API key.', 'Set API Key'],
};

const isMac = /Mac/.test(navigator.userAgent);
const generateKey = isMac ? '⌘Enter' : 'Ctrl+Enter';

/** What is asked for: the prompt, reference images, size, quality, and how many images. */
export class EaselCompose extends LitElement {
	static override readonly styles = [buttonStyles, controlStyles, choiceStyles, styles];

	/** Missing until the extension has said what there is. */
	@property({ attribute: false }) accessor setup: Setup | undefined;
	@property({ attribute: false }) accessor references: readonly Reference[] | undefined;
	@property({ attribute: false }) accessor draft: Draft = emptyDraft;
	/** Prompts that are in no history yet, newest first. */
	@property({ attribute: false }) accessor replaced: readonly string[] = [];

	/** Whether something is dragged over the page that may be images. */
	@state() private accessor dragging = false;
	/** Why what was dropped or pasted last was not taken. */
	@state() private accessor refusals: readonly string[] = [];

	@query('easel-prompt') private accessor promptField!: EaselPrompt;

	#ended = new AbortController();

	override focus(options?: FocusOptions): void {
		this.promptField.focus(options);
	}

	override connectedCallback(): void {
		super.connectedCallback();
		this.#ended = new AbortController();
		const { signal } = this.#ended;
		// Of the whole page: a drag that comes in elsewhere would belong to the workbench, which then
		// keeps it from the page until Shift is pressed.
		window.addEventListener('dragenter', this.#onDragOver, { signal });
		window.addEventListener('dragover', this.#onDragOver, { signal });
		window.addEventListener('dragleave', this.#onDragLeave, { signal });
		window.addEventListener('drop', this.#onDrop, { signal });
		this.addEventListener('paste', this.#onPaste, { signal });
		this.addEventListener('keydown', this.#onKey, { signal });
	}

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#ended.abort();
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
					<div role="alert">${this.#refused()}</div>
					<easel-references .references=${references ?? []}></easel-references>
				</div>
				${setup === undefined ? nothing : this.#choices(setup)}
			</div>
			${this.#send()}
			${
				this.dragging
					? html`
							<div class="drop" aria-hidden="true">
								<div>
									<vscode-icon name="file-media" size="32"></vscode-icon>
									<span>Drop to use as reference images</span>
									<span class="quiet">Hold Shift to drop from the Explorer.</span>
								</div>
							</div>
						`
					: nothing
			}
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

	#refused(): TemplateResult | typeof nothing {
		return this.refusals.length === 0
			? nothing
			: html`
					<div class="refusals">
						<ul>
							${this.refusals.map((refusal) => html`<li>${refusal}</li>`)}
						</ul>
						<button
							class="icon"
							aria-label="Dismiss"
							title="Dismiss"
							@click=${() => {
								this.refusals = [];
								this.focus();
							}}
						>
							<vscode-icon name="close"></vscode-icon>
						</button>
					</div>
				`;
	}

	#choices(setup: Setup): TemplateResult {
		const { draft } = this;
		const size = sizeOf(draft, setup);
		const use = setup.sizes.find((option) => option.size === size)?.use ?? '';
		return html`
			<fieldset role="radiogroup" aria-labelledby="size">
				<legend id="size">Size</legend>
				<div class="choices sizes">
					${setup.sizes.map((option) => this.#size(option, option.size === size))}
				</div>
				<p class="use quiet">${capitalized(use)}</p>
			</fieldset>
			${this.#qualities(draft.quality ?? setup.defaults.quality)}
			<fieldset role="radiogroup" aria-labelledby="count">
				<legend id="count">Images</legend>
				<div class="choices counts">
					${counts.map((count) =>
						this.#choice(
							'count',
							String(count),
							count === draft.count,
							html`<span>${count}</span>`,
							() => this.#change({ count }),
						),
					)}
				</div>
			</fieldset>
		`;
	}

	#size(option: SizeOption, isChosen: boolean): TemplateResult {
		const { size, use, experimental } = option;
		const [name, kind] = namesOf(option);
		const picture = pictureOf(size);
		const content = html`
			<span class="picture" aria-hidden="true">
				${
					picture === undefined
						? html`<span class="box automatic">
								<vscode-icon name="sparkle" size="12"></vscode-icon>
							</span>`
						: html`<span
								class="box"
								.style="width: ${picture.width}px; height: ${picture.height}px"
							></span>`
				}
			</span>
			<span class="name">${name}</span>
			<span class="kind">${kind}</span>
			${
				experimental
					? html`<span class="kind experimental">Experimental</span>
							<vscode-icon class="beaker" name="beaker" size="12"></vscode-icon>`
					: nothing
			}
		`;
		return this.#choice('size', size, isChosen, content, () => this.#change({ size }), use);
	}

	#qualities(quality: Quality): TemplateResult {
		if ((this.references ?? []).length > 0) {
			return html`
				<div>
					<span class="label">Quality</span>
					<p class="use quiet">The service takes no quality together with reference images.</p>
				</div>
			`;
		}
		return html`
			<fieldset role="radiogroup" aria-labelledby="quality">
				<legend id="quality">Quality</legend>
				<div class="choices qualities">
					${qualityOrder.map((value) => {
						const [name, words] = qualityNames[value];
						const content = html`<span>${name}</span><span class="kind">${words}</span>`;
						return this.#choice('quality', value, value === quality, content, () =>
							this.#change({ quality: value }),
						);
					})}
				</div>
			</fieldset>
		`;
	}

	#choice(
		group: string,
		value: string,
		isChosen: boolean,
		content: TemplateResult,
		choose: () => void,
		title?: string,
	): TemplateResult {
		return html`
			<label class="choice">
				<input
					type="radio"
					name=${group}
					value=${value}
					title=${title ?? nothing}
					.checked=${live(isChosen)}
					@change=${choose}
				/>
				${content}
			</label>
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

	get #reason(): string | undefined {
		return whyNot(this.draft, this.setup, this.references);
	}

	// --- What the user does

	#change(part: Partial<Draft>): void {
		dispatch(this, 'easel-draft-change', { ...this.draft, ...part });
	}

	#generate(): void {
		const { setup, references, draft } = this;
		const reason = this.#reason;
		if (reason !== undefined || setup === undefined) {
			announce(this, reason ?? '');
			if (!/\S/.test(draft.prompt)) {
				this.focus();
			}
			return;
		}
		const hasReferences = references !== undefined && references.length > 0;
		ask(this, {
			type: 'generate',
			prompt: draft.prompt,
			size: sizeOf(draft, setup),
			// What is not shown is not sent.
			quality: hasReferences ? 'unset' : (draft.quality ?? setup.defaults.quality),
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
		if (dataTransfer !== null && mayHaveImages(dataTransfer)) {
			// Taken: the workbench would open it otherwise.
			event.preventDefault();
			dataTransfer.dropEffect = 'copy';
			this.dragging = true;
		}
	};

	readonly #onDragLeave = (event: DragEvent): void => {
		if (event.relatedTarget === null) {
			this.dragging = false;
		}
	};

	readonly #onDrop = (event: DragEvent): void => {
		const { dataTransfer } = event;
		this.dragging = false;
		if (dataTransfer === null || !mayHaveImages(dataTransfer)) {
			return;
		}
		event.preventDefault();
		const { uris, files } = contentsOf(dataTransfer);
		const { good, refusals } = sortUris(uris);
		this.refusals = refusals;
		if (good.length > 0) {
			ask(this, { type: 'dropReferences', uris: good });
		}
		if (files.length > 0) {
			void this.#addFiles(files);
		}
	};

	/** One after another, so that they come in this order and not all lie in memory at once. */
	async #addFiles(files: readonly File[]): Promise<void> {
		const refusals: string[] = [];
		for (const file of files) {
			try {
				ask(this, { type: 'addReference', ...(await readImage(file)) });
			} catch (error) {
				if (!(error instanceof Refusal)) {
					throw error;
				}
				refusals.push(error.message);
			}
		}
		this.refusals = refusals;
	}
}

customElements.define('easel-compose', EaselCompose);

function capitalized(words: string): string {
	return words.charAt(0).toUpperCase() + words.slice(1);
}
