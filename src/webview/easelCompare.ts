import { html, LitElement, nothing, svg, type PropertyValues, type TemplateResult } from 'lit';
import { property, query, state } from 'lit/decorators.js';
import { defaultView, type Mode, type Picture, type Side, type View } from '../protocol/compare.js';
import { styles } from './easelCompare.styles.js';
import { divideName } from './fileName.js';
import {
	between,
	clamp,
	commonBox,
	containIn,
	fittingScale,
	pan,
	rectangleOf,
	sliderPosition,
	sliderTrack,
	zoomAt,
	type Placement,
	type Point,
	type Rectangle,
	type Size,
} from './geometry.js';

declare global {
	interface HTMLElementTagNameMap {
		'easel-compare': EaselCompare;
	}
	interface HTMLElementEventMap {
		/** The user looks at the images in another way; `view` has it already. */
		'easel-view-change': CustomEvent<View>;
		/** The browser could not decode an image. A new `source` is tried anew. */
		'easel-undecodable': CustomEvent<Side>;
	}
}

const modeNames: Record<Mode, string> = {
	slider: 'Slider',
	side: 'Side by Side',
	overlay: 'Overlay',
};

const zoomStep = 1.25;
/** How far an arrow key moves the images, in pixels of the screen. */
const panStep = 40;
/** Of the slider, in percent. */
const smallStep = 1;
const largeStep = 10;

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
	@property({ attribute: false }) accessor view: View = defaultView;

	/** The size of the pane that an image is shown in; both panes have the same. */
	@state() private accessor pane: Size = { width: 0, height: 0 };
	/** Sources that the browser could not decode. */
	@state() private accessor undecodable: ReadonlySet<string> = new Set();
	@state() private accessor dragging = false;

	@query('.stage') private accessor stage!: HTMLElement;
	@query('.pane.left') private accessor leftPane!: HTMLElement;

	readonly #resized = new ResizeObserver(() => {
		const { clientWidth: width, clientHeight: height } = this.leftPane;
		if (width !== this.pane.width || height !== this.pane.height) {
			this.pane = { width, height };
		}
	});

	override disconnectedCallback(): void {
		super.disconnectedCallback();
		this.#resized.disconnect();
	}

	override connectedCallback(): void {
		super.connectedCallback();
		if (this.hasUpdated) {
			this.#resized.observe(this.leftPane);
		}
	}

	protected override firstUpdated(): void {
		this.#resized.observe(this.leftPane);
	}

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
				class="stage ${mode} ${this.dragging ? 'dragging' : ''}"
				role="group"
				aria-label="Images. Arrow keys move, plus and minus zoom, 0 fits, 1 shows actual pixels."
				tabindex="0"
				@keydown=${this.#onStageKey}
				@wheel=${this.#onWheel}
				@pointerdown=${this.#onPanStart}
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
				<div class="buttons zoom" role="group" aria-label="Zoom">
					${iconButton('Zoom Out (-)', minus, () => this.#zoomBy(1 / zoomStep))}
					<output aria-label="Zoom">${percent(this.#placement.scale)}</output>
					${iconButton('Zoom In (+)', plus, () => this.#zoomBy(zoomStep))}
					<button
						aria-pressed=${this.view.zoom === 'fit' ? 'true' : 'false'}
						title="Fit (0)"
						@click=${this.#fit}
					>
						Fit
					</button>
					<button aria-label="Actual Pixels" title="Actual Pixels (1)" @click=${this.#actualPixels}>
						1:1
					</button>
				</div>
			</div>
		`;
	}

	#caption(side: Side): TemplateResult {
		const picture = this[side];
		const [start, tail] = divideName(picture?.name ?? '');
		return html`
			<div class="caption ${side}">
				<bdi class="name" title=${picture?.name ?? ''}>
					<span class="whole">${picture?.name}</span>
					<span class="start" aria-hidden="true">${start}</span>
					<span class="tail" aria-hidden="true">${tail}</span>
				</bdi>
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
									class=${this.#placement.scale >= 3 ? 'pixelated' : ''}
									src=${image.source}
									alt=${image.name}
									draggable="false"
									.style=${rectangleStyle(containIn(image, this.#boxRectangle))}
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

	get #box(): Size {
		return commonBox(this.#imageOf('left'), this.#imageOf('right'));
	}

	get #placement(): Placement {
		const { zoom, center } = this.view;
		const scale = zoom === 'fit' ? fittingScale(this.#box, this.pane) : zoom;
		return clamp({ scale, center }, this.#box, this.pane);
	}

	get #boxRectangle(): Rectangle {
		return rectangleOf(this.#placement, this.#box, this.pane);
	}

	get #track(): { start: number; end: number } {
		return sliderTrack(this.#boxRectangle, this.pane);
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
		this.dispatchEvent(new CustomEvent('easel-view-change', { detail: this.view }));
	}

	#place({ scale, center }: Placement): void {
		this.#change({ zoom: scale, center });
	}

	/** Zooms around the middle. */
	#zoomBy(factor: number): void {
		const middle = { x: this.pane.width / 2, y: this.pane.height / 2 };
		const { scale } = this.#placement;
		this.#place(zoomAt(this.#placement, scale * factor, middle, this.#box, this.pane));
	}

	readonly #fit = (): void => {
		this.#change({ zoom: 'fit', center: defaultView.center });
	};

	readonly #actualPixels = (): void => {
		this.#place(clamp({ ...this.#placement, scale: 1 }, this.#box, this.pane));
	};

	#panBy(by: Point): void {
		const placement = pan(this.#placement, by, this.#box, this.pane);
		// What fits cannot be moved, and goes on to follow the panel.
		if (this.view.zoom !== 'fit') {
			this.#place(placement);
		}
	}

	readonly #onWheel = (event: WheelEvent): void => {
		event.preventDefault();
		const pixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 30;
		// A pinch comes as a wheel with the control key, in small steps.
		const factor = Math.exp(-event.deltaY * pixels * (event.ctrlKey ? 0.01 : 0.002));
		const { scale } = this.#placement;
		this.#place(
			zoomAt(this.#placement, scale * factor, this.#pointIn(event), this.#box, this.pane),
		);
	};

	/** Where the pointer is in the pane under it. */
	#pointIn({ clientX, clientY }: MouseEvent): Point {
		const { left, top } = this.stage.getBoundingClientRect();
		const x = clientX - left;
		const second = this.stage.clientWidth - this.pane.width;
		return { x: this.#mode === 'side' && x >= second ? x - second : x, y: clientY - top };
	}

	readonly #onStageKey = (event: KeyboardEvent): void => {
		const action = hasModifier(event) ? undefined : this.#stageActions[event.key];
		// The handle has taken its keys already.
		if (action !== undefined && !event.defaultPrevented) {
			event.preventDefault();
			action();
		}
	};

	readonly #stageActions: Readonly<Partial<Record<string, () => void>>> = {
		'+': () => this.#zoomBy(zoomStep),
		'=': () => this.#zoomBy(zoomStep),
		'-': () => this.#zoomBy(1 / zoomStep),
		'0': this.#fit,
		'1': this.#actualPixels,
		ArrowLeft: () => this.#panBy({ x: panStep, y: 0 }),
		ArrowRight: () => this.#panBy({ x: -panStep, y: 0 }),
		ArrowUp: () => this.#panBy({ x: 0, y: panStep }),
		ArrowDown: () => this.#panBy({ x: 0, y: -panStep }),
	};

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
		this.#drag(event, ({ clientX }) => {
			this.#change({ position: sliderPosition(clientX + offset, this.#track) });
		});
	};

	readonly #onPanStart = (event: PointerEvent): void => {
		if (event.button !== 0) {
			return;
		}
		// Not by `movementX`: some systems count it in other pixels.
		let { clientX: x, clientY: y } = event;
		this.#drag(event, ({ clientX, clientY }) => {
			this.#panBy({ x: clientX - x, y: clientY - y });
			[x, y] = [clientX, clientY];
		});
	};

	#drag(start: PointerEvent, move: (event: PointerEvent) => void): void {
		const target = start.currentTarget as HTMLElement;
		const ended = new AbortController();
		const end = () => {
			this.dragging = false;
			ended.abort();
		};
		const { signal } = ended;
		target.setPointerCapture(start.pointerId);
		this.dragging = true;
		target.addEventListener('pointermove', move, { signal });
		target.addEventListener('lostpointercapture', end, { signal });
	}

	#onUndecodable(side: Side, source: string): void {
		this.undecodable = new Set([...this.undecodable, source]);
		this.dispatchEvent(new CustomEvent('easel-undecodable', { detail: side }));
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

/** The workbench has its own meaning for these, in the page too. */
function hasModifier({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
	return ctrlKey || metaKey || altKey;
}

function rectangleStyle({ x, y, width, height }: Rectangle): string {
	return `left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px`;
}

function percent(scale: number): string {
	return `${Math.round(scale * 100)} %`;
}

function iconButton(name: string, icon: TemplateResult, action: () => void): TemplateResult {
	return html`<button
		class="icon"
		aria-label=${name.replace(/ \(.*/, '')}
		title=${name}
		@click=${action}
	>
		${icon}
	</button>`;
}

const icon = (path: string) => html`
	<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
		${svg`<path d=${path} />`}
	</svg>
`;
const minus = icon('M3 8H13');
const plus = icon('M3 8H13M8 3V13');
const grip = icon('M6 4L2 8L6 12M10 4L14 8L10 12');
