import type * as vscode from 'vscode';
import type { Description, StudioEvent } from '../../protocol/studio.js';
import { describeImage, describeRound, type DescribedImage } from './images.js';
import type { RoundReader } from '../../generation/knownRounds.js';
import type { Sources } from './sources.js';

/** What the page has asked about. */
export interface Asked {
	readonly rounds: readonly string[];
	readonly images: readonly string[];
}

const nothing: Description = { rounds: [], images: [] };

interface Options {
	readonly rounds: RoundReader;
	readonly sources: Sources;
	readonly send: (event: StudioEvent) => void;
	/** What is shown again in a moment is not worth a message. */
	readonly runDetached: (task: PromiseLike<unknown>) => void;
}

/** Says what the rounds and images on the screen are, now and whenever they change. */
export class Describer implements vscode.Disposable {
	/** Ends what the page has asked for and does not want to see any more. */
	#describing = new AbortController();
	/** What is on the screen. */
	#asked: Asked = { rounds: [], images: [] };

	constructor(private readonly options: Options) {}

	dispose(): void {
		this.#describing.abort();
	}

	/**
	 * Returns what is on the screen, in that order, and has the page told of the thumbnails as they
	 * come. Nothing where something else is on the screen meanwhile.
	 */
	async describe(asked: Asked): Promise<Description> {
		this.#describing.abort();
		this.#asked = asked;
		const { signal } = (this.#describing = new AbortController());
		const { rounds, images } = await this.#read(asked);
		if (signal.aborted) {
			return nothing;
		}
		// When what is returned has been sent: it would take away thumbnails that came before it.
		setImmediate(() => {
			for (const image of images) {
				this.options.runDetached(this.#sendThumbnail(image, signal));
			}
		});
		return { rounds, images: images.map(({ shown }) => shown) };
	}

	/** Something of it has changed: files, names, what a person has decided. */
	async describeAgain(): Promise<void> {
		await this.send(this.#asked);
	}

	/** Tells what these are now, thumbnails and all. */
	async send(asked: Asked): Promise<void> {
		const { rounds, images } = await this.#read(asked);
		const described = await Promise.all(images.map((image) => this.#withThumbnail(image)));
		if (rounds.length + described.length > 0) {
			this.options.send({ type: 'described', rounds, images: described });
		}
	}

	async #read({ rounds, images }: Asked) {
		const known = await this.options.rounds.read();
		const described = images.flatMap((id) => {
			const slot = known.slot(id);
			// A job has no picture yet.
			return slot?.image === undefined
				? []
				: [describeImage({ ...slot, image: slot.image }, known, this.options.sources)];
		});
		return {
			rounds: rounds.flatMap((id) => {
				const round = known.round(id);
				return round === undefined ? [] : [describeRound(round, known)];
			}),
			images: await Promise.all(described),
		};
	}

	async #sendThumbnail(image: DescribedImage, signal: AbortSignal): Promise<void> {
		const shown = await this.#withThumbnail(image, signal);
		if (shown.thumbnail !== undefined && !signal.aborted) {
			this.options.send({ type: 'described', rounds: [], images: [shown] });
		}
	}

	async #withThumbnail({ uri, shown, sha256 }: DescribedImage, signal?: AbortSignal) {
		const thumbnail = shown.exists
			? await this.options.sources.ofThumbnail(uri, signal, sha256)
			: undefined;
		return thumbnail === undefined ? shown : { ...shown, thumbnail };
	}
}
