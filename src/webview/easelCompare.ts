import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { defaultView, type Mode, type Picture, type Side, type View } from '../protocol/compare.js';
import { styles } from './easelCompare.styles.js';
import { EventfulElement } from './eventfulElement.js';
import {
	between,
	commonBox,
	containIn,
	sliderPosition,
	sliderTrack,
	type Point,
} from './geometry.js';
import { icon } from './icon.js';
import { shortenedName } from './shortenedName.js';
import { hasModifier, rectangleStyle, ZoomAndPan } from './zoomAndPan.js';

declare global {
	interface HTMLElementTagNameMap {
		'easel-compare': EaselCompare;
	}
}

export interface EaselCompareEvents {
	/** The user looks at the images in another way; `view` has it already. */
	'easel-view-change': CustomEvent<View>;
	/** The browser could not decode an image. A new `source` is tried anew. */
	'easel-undecodable': CustomEvent<Side>;
}

const modeNames: Record<Mode, string> = {
	slider: 'Slider',
	side: 'Side by Side',
	overlay: 'Overlay',
};

/** Of the slider, in percent. */
const smallStep = 1;
const largeStep = 10;

/**
 * Two images, to be looked at with a slider between them, side by side, or one over the other,
 * always at the same zoom and place. It fills its container and takes the colors of VS Code.
 *
 * Everything that the user decides is in `view`, so that a page can keep it.
 */
export class EaselCompare extends EventfulElement<EaselCompareEvents> {
	static override readonly styles = styles;

	@property({ attribute: false }) accessor left: Picture | undefined;
	@property({ attribute: false }) accessor right: Picture | undefined;
	@property({ attribute: false }) accessor view: View = defaultView;

	/** Sources that the browser could not decode. */
	@state() private accessor undecodable: ReadonlySet<string> = new Set();

	@query('.stage') private accessor stage!: HTMLElement;
	@query('.pane.left') private accessor leftPane!: HTMLElement;

	readonly #zoom = new ZoomAndPan(this, {
		// Both panes have the same size.
		pane: () => this.leftPane,
		box: () => commonBox(this.#imageOf('left'), this.#imageOf('right')),
		look: () => this.view,
		change: (look) => this.#change(look),
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
			${this.#toolbar(mode)}
			<div class="captions">
				${this.#caption('left')}
				<p class="note">${this.#differ ? 'Different dimensions, scaled to match' : nothing}</p>
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
				${mode === 'slider' ? this.#handle() : nothing}
			</div>
		`;
	}

	#toolbar(mode: Mode): TemplateResult {
		// Without both images there is nothing to choose from.
		const disabled = this.#imageOf('left') === undefined || this.#imageOf('right') === undefined;
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

	#handle(): TemplateResult {
		const value = Math.round(this.view.position);
		return html`
			<div
				class="handle"
				role="slider"
				tabindex="0"
				aria-orientation="horizontal"
				aria-label="Slider between ${this.left?.name ?? ''} and ${this.right?.name ?? ''}"
				aria-valuemin="0"
				aria-valuemax="100"
				aria-valuenow=${value}
				aria-valuetext="${value} % left image, ${100 - value} % right image"
				.style="left: ${this.#handlePlace}px"
				@keydown=${this.#onHandleKey}
				@pointerdown=${this.#onSlideStart}
			>
				<span class="grip">${grip}</span>
			</div>
		`;
	}

	// --- What follows from the view, the images and the room there is

	/** Without two images there is nothing to put over each other; each side says what it has. */
	get #mode(): Mode {
		const both = this.#imageOf('left') !== undefined && this.#imageOf('right') !== undefined;
		return both ? this.view.mode : 'side';
	}

	#imageOf(side: Side): Extract<Picture, { type: 'image' }> | undefined {
		const picture = this[side];
		return picture?.type === 'image' && !this.undecodable.has(picture.source) ? picture : undefined;
	}

	get #differ(): boolean {
		const [left, right] = [this.#imageOf('left'), this.#imageOf('right')];
		return (
			left !== undefined &&
			right !== undefined &&
			(left.width !== right.width || left.height !== right.height)
		);
	}

	get #track(): { start: number; end: number } {
		return sliderTrack(this.#zoom.rectangle, this.#zoom.pane);
	}

	/** In pixels from the left edge of the stage. */
	get #handlePlace(): number {
		const { start, end } = this.#track;
		return start + ((end - start) * this.view.position) / 100;
	}

	#paneStyle(side: Side, mode: Mode): string {
		// Both are cut, so that the left one does not shine through where the right is transparent.
		const cut = this.#handlePlace;
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
		this.send('easel-view-change', this.view);
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

	readonly #onHandleKey = (event: KeyboardEvent): void => {
		const position = hasModifier(event) ? undefined : this.#positionFor(event);
		if (position !== undefined) {
			event.preventDefault();
			this.#change({ position: between(0, position, 100) });
		}
	};

	/** Where a key sends the slider; `undefined` for any other key. */
	#positionFor({ key, shiftKey }: KeyboardEvent): number | undefined {
		const { position } = this.view;
		const step = shiftKey ? largeStep : smallStep;
		switch (key) {
			case 'ArrowLeft':
			case 'ArrowDown':
				return position - step;
			case 'ArrowRight':
			case 'ArrowUp':
				return position + step;
			case 'PageDown':
				return position - largeStep;
			case 'PageUp':
				return position + largeStep;
			case 'Home':
				return 0;
			case 'End':
				return 100;
			default:
				return undefined;
		}
	}

	readonly #onSlideStart = (event: PointerEvent): void => {
		if (event.button !== 0) {
			return;
		}
		// Where the handle was taken, so that it does not jump under the pointer.
		const offset = this.#handlePlace - event.clientX;
		event.stopPropagation();
		this.#zoom.drag(event, ({ clientX }) => {
			this.#change({ position: sliderPosition(clientX + offset, this.#track) });
		});
	};

	#onUndecodable(side: Side, source: string): void {
		this.undecodable = new Set([...this.undecodable, source]);
		this.send('easel-undecodable', side);
	}
}

customElements.define('easel-compare', EaselCompare);

function sourceOf(picture: Picture | undefined): string {
	return picture?.type === 'image' ? picture.source : '';
}

function problemOf(picture: Picture | undefined): string {
	switch (picture?.type) {
		case undefined:
			return '';
		case 'problem':
			return picture.message;
		case 'image':
			return `“${picture.name}” cannot be shown: its content is damaged.`;
	}
}

const grip = icon('M6 4L2 8L6 12M10 4L14 8L10 12');
