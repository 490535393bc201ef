import type * as vscode from 'vscode';
import { describeImage, describeRound, type DescribedImage } from './images.js';
import { updateDetached, type Asked, type StudioContext } from './deps.js';

type Looked = Pick<Asked<'look'>, 'rounds' | 'images'>;

/** Says what the rounds and images on the screen are, now and whenever they change. */
export class Describer implements vscode.Disposable {
	/** Ends what the page does not want to see any more. */
	#looking = new AbortController();
	#looked: Looked = { rounds: [], images: [] };

	constructor(private readonly context: StudioContext) {}

	dispose(): void {
		this.#looking.abort();
	}

	/** Says what is on the screen now. Thumbnails of what was there before are given up. */
	async describe(looked: Looked): Promise<void> {
		this.#looking.abort();
		this.#looking = new AbortController();
		this.#looked = looked;
		await this.update();
	}

	/** Says what these are now, by default all on the screen; their thumbnails follow as they come. */
	async update({ rounds, images }: Looked = this.#looked): Promise<void> {
		const { signal } = this.#looking;
		const known = await this.context.rounds.read();
		const described = await Promise.all(
			images.flatMap((id) => {
				const slot = known.slot(id);
				// A job has no picture yet.
				return slot?.image === undefined
					? []
					: [describeImage({ ...slot, image: slot.image }, known, this.context.sources)];
			}),
		);
		if (signal.aborted || rounds.length + images.length === 0) {
			return;
		}
		this.context.send({
			type: 'described',
			rounds: rounds.flatMap((id) => {
				const round = known.round(id);
				return round === undefined ? [] : [describeRound(round, known)];
			}),
			images: described.map(({ shown }) => shown),
			files: [],
		});
		for (const image of described) {
			updateDetached(this.#sendThumbnail(image, signal));
		}
	}

	async #sendThumbnail({ uri, shown }: DescribedImage, signal: AbortSignal): Promise<void> {
		const thumbnail = shown.exists
			? await this.context.sources.ofThumbnail(uri, signal)
			: undefined;
		if (thumbnail !== undefined && !signal.aborted) {
			const images = [{ ...shown, thumbnail }];
			this.context.send({ type: 'described', rounds: [], images, files: [] });
		}
	}
}
