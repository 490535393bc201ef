import type { Job, Round, Slot } from '../../protocol/studio.js';
import { causesOf } from './failures.js';
import type { RoundShape } from './streamLayout.js';
import { differ, imagesIn, shapesOf, type RoundPlaces } from './streamRounds.js';

/** Who stands where, found by its id; and what the layout has to know of all. */
export class StreamPlaces {
	/** Another array whenever the layout is another. */
	shapes: readonly RoundShape[] = [];

	#rounds: readonly RoundPlaces[] = [];
	#slots: ReadonlyMap<string, readonly Slot[]> = new Map();
	#images: ReadonlySet<string> = new Set();
	#index: ReadonlyMap<string, number> = new Map();

	/** Takes which rounds there are, newest first. Returns whether the layout is another now. */
	take(
		rounds: readonly RoundPlaces[],
		known: ReadonlyMap<string, Round>,
		jobs: Iterable<Job>,
	): boolean {
		if (rounds !== this.#rounds) {
			this.#rounds = rounds;
			this.#slots = new Map(rounds.map(({ id, slots }) => [id, slots]));
			this.#images = new Set(imagesIn(rounds));
		}
		const shapes = shapesOf(rounds, known, causesOf(jobs));
		if (!differ(this.shapes, shapes)) {
			return false;
		}
		this.shapes = shapes;
		this.#index = new Map(
			shapes.flatMap(({ id, slots }, index) =>
				[id, ...slots.map((slot) => slot.id)].map((one) => [one, index] as const),
			),
		);
		return true;
	}

	/** Whether a round is known to be collapsed that was not before, or the other way round. */
	isFoldedOtherwise(known: ReadonlyMap<string, Round>): boolean {
		return this.shapes.some(
			({ id, collapsed }) => (known.get(id)?.collapsed ?? collapsed) !== collapsed,
		);
	}

	/** Of a round. */
	slots(round: string): readonly Slot[] {
		return this.#slots.get(round) ?? [];
	}

	/** Whether there is an image in a slot. */
	isImage(slot: string): boolean {
		return this.#images.has(slot);
	}

	isCollapsed(round: string): boolean {
		const shape = this.shapes[this.#index.get(round) ?? -1];
		return shape?.id === round && shape.collapsed;
	}

	/** The index of a round, by its own id or that of one of its slots; 0 where there is none such. */
	indexOf(id: string | undefined): number {
		return this.#index.get(id ?? '') ?? 0;
	}
}
