import { html, nothing, type TemplateResult } from 'lit';
import { query } from 'lit/decorators.js';
import type {
	BackgroundChoice,
	ModelTaskName,
	QualityChoice,
	StudioReference,
	SetupProblem,
	SizeOption,
} from '../../protocol/studioModel.js';
import { maxImages, qualityNames, sizeRow, type Size } from '../../service/sizes.js';
import { codicon } from '../codicon.js';
import { hasModifier, isMac, isSendKey } from '../keys.js';
import { hints, pageLabels, pageMessages } from '../messages.js';
import * as drafts from './draft.js';
import type { StudioDraft, Setup } from './draft.js';
import './easelPrompt.js';
import type { EaselPrompt } from './easelPrompt.js';
import './easelReferences.js';
import { ReferenceDrops } from './referenceDrops.js';
import { iconButton, segmentedControl } from './parts.js';
import { StudioElement } from './studioElement.js';

/** Name of the key that sends the prompt. */
const sendKeyName = isMac ? '⌘Enter' : 'Ctrl+Enter';

/** Problems that keep everything from being sent, each with the button that mends it. */
const setupWords: Record<SetupProblem, readonly [words: string, button: string]> = {
	address: [pageMessages.noAddress, pageLabels.setUp],
	key: [pageMessages.noKey, pageLabels.setApiKey],
};

const backgroundNames: Record<BackgroundChoice, string> = {
	auto: pageLabels.automaticBackground,
	transparent: pageLabels.transparentBackground,
};
/** Value of the option that has a size entered. */
const ownSize = 'own';

const generateIcon = codicon('sparkle');
const editIcon = codicon('edit');

/** The composer: reference images, the prompt, size, quality, and how many images. */
export class EaselCompose extends StudioElement {
	@query('easel-prompt') private accessor promptField!: EaselPrompt;

	readonly #drops = new ReferenceDrops(this);
	/** Last announcement for screen readers of the image that is edited and the one in view. */
	#announced: string | undefined;

	constructor() {
		super();
		this.addEventListener('keydown', this.#onKey);
	}

	protected override updated(): void {
		if (this.store.focus.take('prompt') !== undefined) {
			this.promptField.focus({ preventScroll: true });
		}
		const words = this.#notViewedWords;
		if (words !== this.#announced) {
			this.#announced = words;
			if (words !== undefined) {
				this.store.notices.announce(`${words}.`);
			}
		}
	}

	protected override render(): TemplateResult {
		const { store } = this;
		const { setup } = store.composer;
		return html`
			<div class="box column">
				<div class="fields column">
					${this.#missingSetup()}
					<div class="head row">
						<easel-references .store=${store}></easel-references>
						${this.#style()} ${this.#modelTasks()}
					</div>
					${this.#notViewed()}
					<easel-prompt .store=${store}></easel-prompt>
				</div>
				<div class="line row">
					${setup === undefined ? nothing : this.#choices(setup)} ${this.#send()}
				</div>
			</div>
			${this.#drops.target()}
		`;
	}

	get #draft(): StudioDraft {
		return this.store.composer.draft;
	}

	get #references(): readonly StudioReference[] {
		return this.store.composer.references ?? [];
	}

	// --- What is said above the prompt

	#missingSetup(): TemplateResult | typeof nothing {
		const missing = this.store.composer.setup?.missing ?? [];
		return missing.length === 0
			? nothing
			: html`
					<div class="missing row" role="group" aria-label="Setup">
						${missing.map((problem) => html`<p>${codicon('info')}${setupWords[problem][0]}</p>`)}
						<div class="buttons">
							${missing.map(
								(problem, index) => html`
									<button
										class=${index === 0 ? 'primary' : ''}
										@click=${() => void this.store.ask({ type: 'setUp', problem })}
									>
										${setupWords[problem][1]}
									</button>
								`,
							)}
						</div>
					</div>
				`;
	}

	/** The style that goes with the prompt, what is sent in the end, and how to leave the style out. */
	#style(): TemplateResult {
		const { store } = this;
		const style = store.composer.setup?.style;
		const isLeftOut = this.#draft.withoutStyle === true;
		const setLeftOut = (withoutStyle: boolean) => store.composer.write({ withoutStyle });
		const showSent = iconButton(pageLabels.showWhatIsSent, 'eye', () => this.#showSent());
		if (style === undefined) {
			return html`<div class="style row">${showSent}</div>`;
		}
		const { name, references, problem } = style;
		const words = isLeftOut ? hints.withoutStyle : hints.style(name, references);
		const isProblem = problem !== undefined && !isLeftOut;
		return html`
			<div class="style row" role="group" aria-label="Style guide">
				<div class=${['chip row', isLeftOut ? 'out' : '', isProblem ? 'problem' : ''].join(' ')}>
					<button
						class="guide plain"
						title=${isProblem ? problem : pageLabels.openName(name)}
						aria-label="${words}${isProblem ? `. ${problem}` : ''}"
						@click=${() => void store.ask({ type: 'openStyle' })}
					>
						${codicon(isProblem ? 'warning' : isLeftOut ? 'circle-slash' : 'symbol-color')}
						<span class="cut">${words}</span>
					</button>
					${
						isLeftOut
							? iconButton(pageLabels.useName(name), 'add', () => setLeftOut(false))
							: iconButton(pageLabels.withoutStyle, 'close', () => setLeftOut(true))
					}
				</div>
				${isProblem ? nothing : showSent}
			</div>
		`;
	}

	/** Renders the tasks of a language model; nothing is sent before its question is answered. */
	#modelTasks(): TemplateResult | typeof nothing {
		const { store } = this;
		const { prompt } = this.#draft;
		const { modelTasks } = store.composer;
		const tasks = modelTasks.filter((task) => task === 'draft' || /\S/.test(prompt));
		const ask = (task: ModelTaskName) => void store.ask({ type: 'askModel', task, prompt });
		return tasks.length === 0
			? nothing
			: html`
					<div class="style row" role="group" aria-label="Language model">
						${tasks.map((task) =>
							task === 'draft'
								? iconButton(pageLabels.draftPrompt, 'book', () => ask(task))
								: iconButton(pageLabels.improvePrompt, 'wand', () => ask(task)),
						)}
					</div>
				`;
	}

	// --- Size, quality, and how many

	#choices(setup: Setup): TemplateResult {
		const { composer } = this.store;
		const edited = drafts.editedOf(this.#references);
		const size = drafts.sizeOf(this.#draft, setup, edited);
		const option = sizeRow(size as Size);
		const options = setup.sizes.some((one) => one.size === size)
			? setup.sizes
			: [option, ...setup.sizes];
		const quality = drafts.draftQuality(this.#draft, setup);
		const hasQuality = drafts.sendsQuality(this.#references, this.#draft, setup);
		return html`
			<select
				aria-label="Size"
				title=${`Size: ${option.use}`}
				@change=${(event: Event) => this.#chooseSize(event, size)}
			>
				${options.map(
					(one) => html`
						<option value=${one.size} .selected=${one.size === size}>${sizeName(one)}</option>
					`,
				)}
				${
					setup.sizeRule === undefined
						? nothing
						: html`<option value=${ownSize}>${pageLabels.ownSize}</option>`
				}
			</select>
			${
				hasQuality
					? html`
							<select
								aria-label="Quality"
								title="Quality: ${qualityNames[quality].description}"
								@change=${(event: Event) =>
									composer.write(drafts.chosenQuality(valueOf(event) as QualityChoice, setup))}
							>
								${Object.entries(qualityNames)
									.filter(([value]) => setup.qualities.includes(value as QualityChoice))
									.map(
										([value, { label }]) => html`
											<option value=${value} .selected=${value === quality}>
												${pageLabels.qualityOf(label)}
											</option>
										`,
									)}
							</select>
						`
					: nothing
			}
			${
				setup.offersTransparency === true
					? html`
							<select
								aria-label=${pageLabels.background}
								title=${pageLabels.background}
								@change=${(event: Event) =>
									composer.write({ background: valueOf(event) as BackgroundChoice })}
							>
								${Object.entries(backgroundNames).map(
									([value, label]) => html`
										<option
											value=${value}
											.selected=${value === (this.#draft.background ?? 'auto')}
										>
											${label}
										</option>
									`,
								)}
							</select>
						`
					: nothing
			}
			<div class="count" @keydown=${this.#onDigit}>
				${segmentedControl({
					name: 'count',
					legend: 'Number of images',
					value: String(this.#count),
					choose: (count) => this.#setCount(Number(count)),
					options: Array.from({ length: maxImages }, (_, index) => {
						const number = String(index + 1);
						return { value: number, label: number, title: hints.images(index + 1) };
					}),
				})}
			</div>
		`;
	}

	#chooseSize({ currentTarget }: Event, size: string): void {
		const select = currentTarget as HTMLSelectElement;
		if (select.value !== ownSize) {
			this.store.composer.chooseSize(select.value);
			return;
		}
		// The size stays until another one is entered.
		select.value = size;
		void this.store.ask({ type: 'askSize', size });
	}

	/** The arrow keys are the browser's own. */
	readonly #onDigit = (event: KeyboardEvent): void => {
		const count = /^[1-9]$/.test(event.key) ? Math.min(Number(event.key), maxImages) : 0;
		if (count > 0 && !hasModifier(event)) {
			event.preventDefault();
			// The tab stop goes with the choice.
			this.querySelectorAll<HTMLElement>('.count input')[count - 1]?.focus();
			this.#setCount(count);
		}
	};

	get #count(): number {
		return drafts.countOf(this.#draft, drafts.editedOf(this.#references));
	}

	#setCount(count: number): void {
		const { composer } = this.store;
		composer.write(drafts.chosenCount(count, drafts.editedOf(this.#references)));
	}

	// --- What is edited, and what it costs

	get #notViewedWords(): string | undefined {
		const { library, view } = this.store;
		return drafts.notViewed(this.#references, library.images.get(view.shown ?? ''));
	}

	/** Says that another image than the one in view is edited, and offers to edit that one. */
	#notViewed(): TemplateResult | typeof nothing {
		const { store } = this;
		const viewed = store.library.images.get(store.view.shown ?? '');
		const words = this.#notViewedWords;
		if (viewed === undefined || words === undefined) {
			return nothing;
		}
		const { id, label, name, exists } = viewed;
		return html`
			<div class="not-viewed row">
				${codicon('info')}
				<p id="not-viewed">${words}</p>
				${
					exists
						? html`<button
								@click=${() => {
									void store.ask({ type: 'edit', id, how: 'instead' });
									store.focus.request('prompt');
								}}
							>
								${pageLabels.editImage(label || name)}
							</button>`
						: nothing
				}
			</div>
		`;
	}

	#send(): TemplateResult {
		const { setup } = this.store.composer;
		const count = this.#count;
		const ofStyle = drafts.styleOf(this.#draft, setup)?.references;
		const label = drafts.generateLabel(count, this.#references, ofStyle);
		const { reason } = this.store.composer;
		const money = drafts.draftCost(this.#draft, this.#references, setup);
		return html`
			<p id="about" class="quiet cut">
				${reason ?? drafts.costWords(count, setup?.concurrency ?? count, money)}
			</p>
			<button
				class="send primary"
				aria-disabled=${reason === undefined ? 'false' : 'true'}
				aria-describedby="about not-viewed"
				title="${label} (${sendKeyName})"
				@click=${(event: MouseEvent) => {
					// A double click is not meant to be paid for twice.
					if (event.detail <= 1) {
						void this.store.composer.send();
					}
				}}
			>
				${drafts.editedOf(this.#references) === undefined ? generateIcon : editIcon}
				<span>${label}</span>
			</button>
		`;
	}

	// --- What the user does

	#showSent(): void {
		const { setup } = this.store.composer;
		if (setup !== undefined) {
			const asked = drafts.askedFor(this.#draft, this.#references, setup);
			void this.store.ask({ type: 'showSent', ...asked });
		}
	}

	readonly #onKey = (event: KeyboardEvent): void => {
		if (isSendKey(event)) {
			event.preventDefault();
			// The workbench may have its own meaning for it.
			event.stopPropagation();
			// A key that is held down is not meant to buy one image after another.
			if (!event.repeat) {
				void this.store.composer.send();
			}
		}
	};
}

customElements.define('easel-compose', EaselCompose);

function sizeName({ size, ratio, experimental }: SizeOption): string {
	const name = size === 'auto' ? hints.automatic : `${ratio} · ${size.replace('x', ' × ')}`;
	return experimental ? `${name} (${hints.experimental})` : name;
}

function valueOf({ currentTarget }: Event): string {
	return (currentTarget as HTMLSelectElement).value;
}
