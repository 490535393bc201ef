import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import {
	defaultView,
	type Decision,
	type Mode,
	type Picture,
	type Side,
	type View,
} from '../protocol/compare.js';
import { decisionBar } from './decisionBar.js';
import { CompareSlider } from './compareSlider.js';
import { dispatch } from './dispatch.js';
import { styles } from './easelCompare.styles.js';
import { problemOf, sourceOf } from './comparedPicture.js';
import { commonBox, containIn, rectangleStyle, type Point, type Size } from './geometry.js';
import { shortenedName } from './shortenedName.js';
import { ZoomAndPan } from './zoomAndPan.js';
import { hints, labels } from './messages.js';

declare global {
	interface HTMLElementEventMap {
		/** The user looks at the images in another way; `view` has it already. */
		'easel-compare-change': CustomEvent<undefined>;
		/** The browser could not decode an image. A new `source` is tried anew. */
		'easel-compare-undecodable': CustomEvent<Side>;
		/** The user has decided about the image that was made from the other one. */
		'easel-compare-decide': CustomEvent<Decision>;
	}
}

const modeNames: Record<Mode, string> = {
	slider: labels.slider,
	side: labels.sideBySide,
	overlay: labels.overlay,
};

/**
 * Two images, to be looked at with a slider between them, side by side, or one over the other,
 * always at the same zoom and place. It fills its container and takes the colors of VS Code.
 *
 * Everything that the user decides is in `view`, so that a page can keep it.
 */
export class EaselCompare extends LitElement {
	static override readonly styles = styles;

	@property({ attribute: false }) accessor left: Picture | undefined;
	@property({ attribute: false }) accessor right: Picture | undefined;
	/** The one that was made from the other, where that is to be decided about. */
	@property({ attribute: false }) accessor made: Side | undefined;
	@property({ attribute: false }) accessor view: View = defaultView;

	/** Sources that the browser could not decode. */
	@state() private accessor undecodable: ReadonlySet<string> = new Set();

	@query('.stage') private accessor stage!: HTMLElement;
	@query('.pane.left') private accessor leftPane!: HTMLElement;

	readonly #zoom = new ZoomAndPan(this, {
		// Both panes have the same size.
		pane: () => this.leftPane,
		box: () => commonBox([this.#imageOf('left'), this.#imageOf('right')]),
		look: () => this.view,
		change: (look) => this.#change(look),
	});

	readonly #slider = new CompareSlider(this.#zoom, {
		position: () => this.view.position,
		change: (position) => this.#change({ position }),
	});

	protected override willUpdate(changed: PropertyValues): void {
		if (changed.has('left') || changed.has('right')) {
			// Only what is still shown needs to be remembered.
			const sources = [this.left, this.right].map((picture) => sourceOf(picture));
			this.undecodable = new Set(sources.filter((source) => this.undecodable.has(source)));
		}
	}

	protected override render(): TemplateResult {
		const mode = this.#mode;
		return html`
			${decisionBar(this, (decision) => dispatch(this, 'easel-compare-decide', decision))}
			${this.#toolbar(mode)}
			<div class="captions">
				${this.#caption('left')}
				<p class="note">${this.#differ ? hints.differentSizes : nothing}</p>
				${this.#caption('right')}
			</div>
			<div
				class="stage ${mode} ${this.#zoom.dragging ? 'dragging' : ''}"
				role="group"
				aria-label="Images. Arrow keys move, plus and minus zoom, 0 fits, 1 shows actual pixels."
				tabindex="0"
				@keydown=${this.#zoom.onKey}
				@wheel=${this.#onWheel}
				@pointerdown=${this.#zoom.onPointerDown}
			>
				${this.#picture('left', mode)} ${this.#picture('right', mode)}
				${
					mode === 'slider'
						? this.#slider.handle(this.left?.name ?? '', this.right?.name ?? '')
						: nothing
				}
			</div>
		`;
	}

	#toolbar(mode: Mode): TemplateResult {
		// Without both images there is nothing to choose from.
		const disabled = this.#both === undefined;
		return html`
			<div class="toolbar">
				<div class="buttons" role="group" aria-label="Comparison">
					${Object.entries(modeNames).map(
						([value, name]) => html`
							<button
								aria-pressed=${value === mode ? 'true' : 'false'}
								?disabled=${disabled}
								@click=${() => this.#change({ mode: value as Mode })}
							>
								${name}
							</button>
						`,
					)}
				</div>
				${
					mode === 'overlay'
						? html`
								<input
									class="opacity"
									type="range"
									min="0"
									max="100"
									aria-label="Opacity of ${this.right?.name ?? ''}"
									aria-valuetext="${Math.round(this.view.opacity)} %"
									title="Opacity of ${this.right?.name ?? ''}"
									.value=${String(this.view.opacity)}
									@input=${(event: InputEvent) =>
										this.#change({ opacity: (event.target as HTMLInputElement).valueAsNumber })}
								/>
							`
						: nothing
				}
				${this.#zoom.buttons()}
			</div>
		`;
	}

	#caption(side: Side): TemplateResult {
		const picture = this[side];
		return html`
			<div class="caption ${side}">
				${shortenedName(picture?.name ?? '')}
				<span class="details">${picture?.type === 'image' ? picture.details : nothing}</span>
			</div>
		`;
	}

	#picture(side: Side, mode: Mode): TemplateResult {
		const picture = this[side];
		const image = this.#imageOf(side);
		// Set as properties: the page's policy allows no style attributes.
		return html`
			<div class="pane ${side}" .style=${this.#paneStyle(side, mode)}>
				${
					image === undefined
						? html`<p class="problem" role="status">${problemOf(picture)}</p>`
						: html`
								<img
									class=${this.#zoom.pixelated ? 'pixelated' : ''}
									src=${image.source}
									alt=${image.name}
									draggable="false"
									.style=${rectangleStyle(containIn(image, this.#zoom.rectangle))}
									@error=${() => this.#onUndecodable(side, image.source)}
								/>
							`
				}
			</div>
		`;
	}

	// --- What follows from the view, the images and the room there is

	/** Without two images there is nothing to put over each other; each side says what it has. */
	get #mode(): Mode {
		return this.#both === undefined ? 'side' : this.view.mode;
	}

	#imageOf(side: Side): Extract<Picture, { type: 'image' }> | undefined {
		const picture = this[side];
		return picture?.type === 'image' && !this.undecodable.has(picture.source) ? picture : undefined;
	}

	/** Missing unless both can be shown. */
	get #both(): { readonly left: Size; readonly right: Size } | undefined {
		const [left, right] = [this.#imageOf('left'), this.#imageOf('right')];
		return left && right && { left, right };
	}

	get #differ(): boolean {
		const { left, right } = this.#both ?? {};
		return left?.width !== right?.width || left?.height !== right?.height;
	}

	#paneStyle(side: Side, mode: Mode): string {
		// Both are cut, so that the left one does not shine through where the right is transparent.
		const cut = this.#slider.place;
		switch (mode) {
			case 'slider':
				return side === 'left'
					? `clip-path: inset(0 calc(100% - ${cut}px) 0 0)`
					: `clip-path: inset(0 0 0 ${cut}px)`;
			case 'overlay':
				return `opacity: ${side === 'left' ? 100 - this.view.opacity : this.view.opacity}%`;
			case 'side':
				return '';
		}
	}

	// --- What the user does

	#change(part: Partial<View>): void {
		this.view = { ...this.view, ...part };
		dispatch(this, 'easel-compare-change', undefined);
	}

	readonly #onWheel = (event: WheelEvent): void => {
		this.#zoom.zoomByWheel(event, this.#pointIn(event));
	};

	/** Where the pointer is in the pane under it. */
	#pointIn({ clientX, clientY }: MouseEvent): Point {
		const { left, top } = this.stage.getBoundingClientRect();
		const x = clientX - left;
		const second = this.stage.clientWidth - this.#zoom.pane.width;
		return { x: this.#mode === 'side' && x >= second ? x - second : x, y: clientY - top };
	}

	#onUndecodable(side: Side, source: string): void {
		this.undecodable = new Set([...this.undecodable, source]);
		dispatch(this, 'easel-compare-undecodable', side);
	}
}

customElements.define('easel-compare', EaselCompare);
