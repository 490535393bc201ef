import type { LitElement } from 'lit';
import { maxDescribed, type Slot } from '../../protocol/studio.js';
import { dispatch } from '../dispatch.js';
import type { OnScreen } from './onScreen.js';
import { around, type StreamView } from './streamView.js';

/** What is looked at; each is asked whenever it is needed. */
interface Looked {
	readonly view: StreamView;
	/** All images that are found, as they stand in the stream. */
	readonly ids: readonly string[];
	/** The places of the round in which an image is. */
	slotsBeside(id: string): readonly Slot[];
}

/** Asks for what has to be known of what is looked at: of one thing at a time, and once. */
export class Describing {
	/** What `easel-describe` has named last. */
	#described = '';

	constructor(
		private readonly host: LitElement,
		private readonly looked: Looked,
	) {}

	/** What the rounds show, while nothing lies over them. */
	onSeen(seen: OnScreen): void {
		const { shown, compared } = this.looked.view;
		if (shown === undefined && compared === undefined) {
			this.#describe(seen);
		}
	}

	/** What lies over the rounds. */
	shown(): void {
		const { shown, compared } = this.looked.view;
		if (compared !== undefined) {
			this.#describe({ rounds: [], images: compared });
		} else if (shown !== undefined) {
			const ids = this.looked.ids;
			const beside = this.looked
				.slotsBeside(shown)
				.flatMap(({ id, kind }) => (kind === 'image' ? [id] : []));
			this.#describe({ rounds: [], images: [...new Set([...around(shown, ids), ...beside])] });
		}
	}

	#describe({ rounds, images }: OnScreen): void {
		const named = {
			rounds: rounds.slice(0, maxDescribed),
			images: images.slice(0, maxDescribed),
		};
		const described = JSON.stringify(named);
		if (described !== this.#described) {
			this.#described = described;
			dispatch(this.host, 'easel-describe', named);
		}
	}
}
