import { wordsOf } from '../../editor/errorTexts.js';
import { log } from '../../log.js';
import { ImageError } from '../../images/inspect.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import type { Slot } from '../../generation/rounds.js';
import type { Reference, StudioEvent } from '../../protocol/studio.js';
import type { SentDraft } from './composing.js';
import type { DraftReference } from './draftReference.js';
import type { KnownRounds, RoundReader } from '../../generation/knownRounds.js';
import { nearestSize } from '../../service/contract.js';
import type { DraftReferences } from './references.js';
import type { Sources } from './sources.js';

interface Options {
	readonly references: DraftReferences;
	readonly rounds: RoundReader;
	readonly sources: Sources;
	/** Tells the page something. */
	readonly send: (event: StudioEvent) => void;
	readonly runDetached: (task: PromiseLike<unknown>) => void;
}

/** The reference images of the draft as the page is told of them. */
export class ShownReferences {
	/** How many drafts are being filled: they show the reference images then. */
	#filling = 0;
	/** Where the page loads their thumbnails from, by the identifier of the reference. */
	#thumbnails: ReadonlyMap<string, string> = new Map();

	constructor(private readonly options: Options) {}

	/** Resolves when the page knows which they are; their thumbnails come later. */
	async show(): Promise<void> {
		const known = await this.#known();
		const references = await this.options.references.list();
		if (this.#filling === 0) {
			this.#send(references, known);
			this.options.runDetached(this.#showThumbnails(references, known));
		}
	}

	/**
	 * Shows a draft whose reference images change with the rest of it. Nobody ever sees, and sends,
	 * the ones with the other's prompt.
	 *
	 * @param fill changes the reference images
	 * @throws what it throws
	 */
	async showWith(fill: () => Promise<SentDraft>): Promise<void> {
		this.#filling++;
		try {
			const draft = await fill();
			const known = await this.#known();
			const references = await this.options.references.list();
			this.options.send({ ...draft, references: this.#shown(references, known) });
			this.options.runDetached(this.#showThumbnails(references, known));
		} finally {
			this.#filling--;
			// What else has changed meanwhile, and what has changed before it failed.
			await this.show();
		}
	}

	/** Without it they have no labels. */
	async #known(): Promise<KnownRounds | undefined> {
		try {
			return await this.options.rounds.read();
		} catch (error) {
			log.error('The images of the studio are not known', error);
			return undefined;
		}
	}

	/** Others may have come meanwhile, and the page was told of them. */
	async #areNow(references: readonly DraftReference[]): Promise<boolean> {
		return references === (await this.options.references.list());
	}

	async #showThumbnails(
		references: readonly DraftReference[],
		known: KnownRounds | undefined,
	): Promise<void> {
		const thumbnails = new Map<string, string>();
		await Promise.all(
			references.map(async ({ id, uri, facts }) => {
				const thumbnail =
					facts instanceof ImageError ? undefined : await this.options.sources.ofThumbnail(uri);
				if (thumbnail !== undefined) {
					thumbnails.set(id, thumbnail);
				}
			}),
		);
		const isNew = [...thumbnails].some(([id, source]) => this.#thumbnails.get(id) !== source);
		if (isNew && (await this.#areNow(references))) {
			this.#thumbnails = thumbnails;
			this.#send(references, known);
		}
	}

	#send(references: readonly DraftReference[], known: KnownRounds | undefined): void {
		this.options.send({ type: 'references', references: this.#shown(references, known) });
	}

	#shown(references: readonly DraftReference[], known: KnownRounds | undefined): Reference[] {
		return references.map((reference) =>
			shown(reference, this.#thumbnails.get(reference.id), known?.imageAt(reference.uri)),
		);
	}
}

function shown(
	{ id, name, edited, fromView, facts }: DraftReference,
	thumbnail: string | undefined,
	slot: Slot | undefined,
): Reference {
	const isUsable = !(facts instanceof ImageError);
	return {
		id,
		name: name.slice(0, 300),
		details: isUsable
			? `${readableDimensions(facts)} · ${readableSize(facts.bytes)}`
			: wordsOf(facts),
		problem: !isUsable,
		edited,
		...(fromView === undefined ? {} : { fromView: true }),
		...(edited && isUsable ? { size: nearestSize(facts) } : {}),
		...(thumbnail === undefined ? {} : { thumbnail }),
		...(slot === undefined ? {} : { label: slot.label, image: slot.id }),
	};
}
