import { wordsOf } from '../../editor/errorTexts.js';
import { log } from '../../log.js';
import { ImageError } from '../../images/inspect.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import type { KnownRounds } from '../../generation/knownRounds.js';
import type { Slot } from '../../generation/rounds.js';
import type { Reference } from '../../protocol/studio.js';
import { nearestSize } from '../../service/contract.js';
import type { SentDraft } from './composing.js';
import { updateDetached, type StudioContext } from './deps.js';
import type { DraftReference } from './draftReference.js';

/** Shows the page the reference images of the draft. */
export class ShownReferences {
	/** How many drafts are being filled: they show the reference images then. */
	#filling = 0;
	/** Where the page loads their thumbnails from, by the identifier of the reference. */
	readonly #thumbnails = new Map<string, string>();

	constructor(private readonly context: StudioContext) {}

	/** Resolves when the page has been sent them; their thumbnails come later. */
	async show(): Promise<void> {
		const known = await this.#known();
		const references = await this.context.references.list();
		if (this.#filling === 0) {
			this.context.send({ type: 'references', references: this.#shown(references, known) });
			updateDetached(this.#makeThumbnails(references));
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
			const references = await this.context.references.list();
			this.context.send({ ...draft, references: this.#shown(references, known) });
		} finally {
			this.#filling--;
			// What else has changed meanwhile, and what has changed before it failed.
			await this.show();
		}
	}

	/** Without it they have no labels. */
	async #known(): Promise<KnownRounds | undefined> {
		try {
			return await this.context.rounds.read();
		} catch (error) {
			log.error('The images of the studio are not known', error);
			return undefined;
		}
	}

	/** Shows the references again where one has another thumbnail than before. */
	async #makeThumbnails(references: readonly DraftReference[]): Promise<void> {
		let isNew = false;
		await Promise.all(
			references.map(async ({ id, uri, facts }) => {
				const isUsable = !(facts instanceof ImageError);
				const thumbnail = isUsable ? await this.context.sources.ofThumbnail(uri) : undefined;
				if (thumbnail !== undefined && this.#thumbnails.get(id) !== thumbnail) {
					this.#thumbnails.set(id, thumbnail);
					isNew = true;
				}
			}),
		);
		if (isNew) {
			await this.show();
		}
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
