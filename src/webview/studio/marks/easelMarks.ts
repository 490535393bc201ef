import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { Mark } from '../../../images/marks.js';
import type { Point, Rectangle } from '../../geometry.js';
import { hints } from '../../messages.js';
import { drag } from '../../zoomAndPan.js';
import { marksOn } from '../draft.js';
import { removes } from '../imageActions.js';
import { StudioElement } from '../studioElement.js';
import {
	badgeOf,
	badgeRadius,
	defaultMark,
	drawnMark,
	fromPane,
	handlesOf,
	keyStep,
	markName,
	movedMark,
	outlineOf,
	pathOf,
	sizedMark,
	toPane,
	withHandle,
} from './markGeometry.js';

/** Points of a stroke from which it is drawn with fewer. */
const maxStroke = 1000;
/** Shortest step of a stroke, in pixels. */
const minStep = 2;

/** The marks over an image. While it is being marked, they are drawn, moved and sized here. */
export class EaselMarks extends StudioElement {
	/** The rectangle of the picture in the pane, which this fills. */
	@property({ attribute: false }) accessor picture!: Rectangle;
	/** Image that they are on. */
	@property({ attribute: false }) accessor image!: string;
	/** Marks that are shown and cannot be changed, in the place of those of the draft. */
	@property({ attribute: false }) accessor fixed: readonly Mark[] | undefined;

	/** A mark that the pointer draws, or the one that it changes, with its index. */
	@state() private accessor pending: { readonly index: number; readonly mark: Mark } | undefined;

	/** True where a mark had the focus before the last update. */
	#hadFocus = false;

	protected override willUpdate(): void {
		this.#hadFocus = this.hasFocus;
	}

	protected override updated(): void {
		const { tool, selected = 0 } = this.#marking;
		if (tool !== undefined && this.store.focus.take('mark') !== undefined) {
			this.querySelector<SVGElement>(`[data-index="${String(selected)}"]`)?.focus();
		} else if (this.#hadFocus && !this.hasFocus) {
			// The mark has gone, by undo for example.
			this.closest<HTMLElement>('.stage')?.focus({ preventScroll: true });
		}
	}

	protected override render(): TemplateResult {
		const { tool, selected } = this.#marking;
		const { pending } = this;
		const marks = [...this.#marks];
		if (pending !== undefined && (tool !== 'move' || pending.index < marks.length)) {
			marks[pending.index] = pending.mark;
		}
		return html`
			<svg class="marks ${tool ?? 'shown'}" @pointerdown=${this.#onPointerDown}>
				${marks.map((mark, index) => this.#mark(mark, index, index === selected))}
				${selected === undefined ? nothing : this.#handles(marks[selected]!)}
			</svg>
			<span class="hidden" id="mark-keys">${hints.markKeys}</span>
		`;
	}

	get #marking() {
		const { marking } = this.store;
		const isMarking = this.fixed === undefined && marking.image === this.image;
		return isMarking ? marking : { tool: undefined, selected: undefined };
	}

	get #marks(): readonly Mark[] {
		return this.fixed ?? marksOn(this.store.composer.draft, this.image);
	}

	/** Puts a mark in the middle of what is seen of the picture, and gives it the focus. */
	addInMiddle(): void {
		const { marking, focus } = this.store;
		const { tool = 'move' } = marking;
		const pane = { width: this.clientWidth, height: this.clientHeight };
		if (marking.add(defaultMark(tool === 'move' ? 'rectangle' : tool, this.picture, pane))) {
			focus.request('mark');
		}
	}

	#mark(mark: Mark, index: number, isSelected: boolean): SVGTemplateResult {
		const isMarking = this.#marking.tool !== undefined;
		const path = pathOf(mark, this.picture);
		const { x, y } = badgeOf(mark, this.picture, isSelected);
		const name = markName(mark, index + 1);
		return svg`
			<g
				class="mark ${mark.shape} ${isSelected ? 'selected' : ''}"
				role=${isMarking ? 'button' : 'img'}
				tabindex=${isMarking ? '0' : nothing}
				data-index=${index}
				aria-label=${name}
				aria-describedby=${isMarking ? 'mark-keys' : nothing}
				@focus=${() => this.store.marking.select(index)}
				@keydown=${(event: KeyboardEvent) => this.#onKey(event, index)}
			>
				<title>${mark.note === '' ? name : mark.note}</title>
				<path class="around" d=${path} />
				<path class="line" d=${path} />
				<circle class="badge" cx=${x} cy=${y} r=${badgeRadius} />
				<text x=${x} y=${y} aria-hidden="true">${index + 1}</text>
			</g>
		`;
	}

	#handles(mark: Mark): SVGTemplateResult {
		return svg`
			<g aria-hidden="true">
				${handlesOf(mark).map((point, handle) => {
					const { x, y } = toPane(point, this.picture);
					return svg`<rect class="handle" data-handle=${handle} x=${x - 6} y=${y - 6} width="12" height="12" />`;
				})}
			</g>
		`;
	}

	// --- The pointer

	readonly #onPointerDown = (event: PointerEvent): void => {
		const { tool, selected } = this.#marking;
		if (tool === undefined || event.button !== 0 || !event.isPrimary) {
			return;
		}
		const target = event.target as Element;
		const { handle } = target.closest<SVGElement>('[data-handle]')?.dataset ?? {};
		const { index } = target.closest<SVGElement>('[data-index]')?.dataset ?? {};
		if (handle !== undefined && selected !== undefined) {
			this.#change(event, selected, (mark, _, to) => withHandle(mark, Number(handle), to));
			// The mark keeps the focus.
			event.preventDefault();
		} else if (index !== undefined) {
			this.#change(event, Number(index), (mark, from, to) =>
				movedMark(mark, { x: to.x - from.x, y: to.y - from.y }),
			);
		} else if (tool === 'move') {
			this.store.marking.select(undefined);
			return;
		} else {
			this.#draw(event, tool);
		}
		// Else the image is moved with it.
		event.stopPropagation();
	};

	#draw(start: PointerEvent, shape: Mark['shape']): void {
		const at = this.#placing();
		let stroke: readonly Point[] = [at(start)];
		const index = this.#marks.length;
		// Escape leaves the tool, and what it was drawing.
		const isDrawing = () => this.#marking.tool === shape;
		this.store.marking.select(undefined);
		drag(
			start,
			(event) => {
				const steps = event.getCoalescedEvents();
				stroke = withSteps(stroke, (steps.length === 0 ? [event] : steps).map(at));
				const mark =
					shape === 'area'
						? { shape, note: '', points: stroke.map((point) => fromPane(point, this.picture)) }
						: drawnMark(shape, stroke, this.picture);
				this.pending = mark && isDrawing() ? { index, mark } : undefined;
			},
			() => {
				this.pending = undefined;
				const mark = drawnMark(shape, stroke, this.picture);
				if (mark !== undefined && isDrawing() && this.store.marking.add(mark)) {
					this.store.focus.request('markNote');
				}
			},
		);
	}

	/** @param changed gets the mark as it was, where the pointer went down and where it is */
	#change(
		start: PointerEvent,
		index: number,
		changed: (mark: Mark, from: Point, to: Point) => Mark,
	): void {
		const at = this.#placing();
		const mark = this.#marks[index]!;
		const from = fromPane(at(start), this.picture);
		this.store.marking.select(index);
		drag(
			start,
			(event) => {
				this.pending = { index, mark: changed(mark, from, fromPane(at(event), this.picture)) };
			},
			() => {
				const { pending } = this;
				this.pending = undefined;
				if (pending !== undefined) {
					this.store.marking.change(index, pending.mark);
				}
			},
		);
	}

	/** Returns what places the pointer in the pane; it is measured once. */
	#placing(): (event: PointerEvent) => Point {
		const { left, top } = this.getBoundingClientRect();
		return ({ clientX, clientY }) => ({ x: clientX - left, y: clientY - top });
	}

	// --- The keyboard

	#onKey(event: KeyboardEvent, index: number): void {
		const { marking, focus } = this.store;
		const mark = this.#marks[index]!;
		const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
		const by = steps[key];
		if (removes(event) || (key === 'Backspace' && !ctrlKey && !altKey)) {
			marking.remove(index);
		} else if (ctrlKey || metaKey || altKey) {
			return;
		} else if (by !== undefined) {
			const changed = shiftKey ? sizedMark(mark, by) : movedMark(mark, by);
			marking.change(index, changed, shiftKey ? 'size' : 'move');
		} else if (key === 'Enter' || key === ' ') {
			focus.request('markNote');
		} else {
			return;
		}
		event.preventDefault();
		event.stopPropagation();
	}
}

customElements.define('easel-marks', EaselMarks);

const steps: Readonly<Partial<Record<string, Point>>> = {
	ArrowLeft: { x: -keyStep, y: 0 },
	ArrowRight: { x: keyStep, y: 0 },
	ArrowUp: { x: 0, y: -keyStep },
	ArrowDown: { x: 0, y: keyStep },
};

/** Returns a stroke that goes on, without steps too short to be seen. */
function withSteps(stroke: readonly Point[], next: readonly Point[]): readonly Point[] {
	const longer = [...stroke];
	for (const { x, y } of next) {
		const last = longer.at(-1)!;
		if (Math.hypot(x - last.x, y - last.y) >= minStep) {
			longer.push({ x, y });
		}
	}
	return longer.length > maxStroke ? outlineOf(longer) : longer;
}
