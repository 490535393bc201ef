import type { Log } from '../../editor/log.js';
import { ImageError } from '../../images/inspect.js';
import { readableDimensions, readableSize } from '../../images/readableSize.js';
import type { Reference, StudioEvent } from '../../protocol/studio.js';
import type { DraftReference } from './draftReference.js';
import type { KnownRounds, RoundReader } from './knownRounds.js';
import type { DraftReferences } from './references.js';
import type { Sources } from './sources.js';

interface Options {
	readonly references: DraftReferences;
	readonly rounds: RoundReader;
	readonly sources: Sources;
	readonly log: Pick<Log, 'error'>;
	/** Tells the page something. */
	readonly tell: (event: StudioEvent) => void;
	readonly inBackground: (task: PromiseLike<unknown>) => void;
}

/** The reference images of the draft as the page is told of them. */
export class ShownReferences {
	#told = Promise.resolve();

	constructor(private readonly options: Options) {}

	/** Resolves when the page knows which they are now. */
	get told(): Promise<void> {
		return this.#told;
	}

	/** Resolves when the page knows which they are; their thumbnails come later. */
	async show(): Promise<void> {
		const showing = this.#show();
		this.#told = showing.catch(() => undefined);
		await showing;
	}

	async #show(): Promise<void> {
		const references = await this.options.references.list();
		const known = await this.#known();
		if (await this.#areNow(references)) {
			this.#tell(references, new Map(), known);
			this.options.inBackground(this.#showThumbnails(references, known));
		}
	}

	/** Without it they have no labels. */
	async #known(): Promise<KnownRounds | undefined> {
		try {
			return await this.options.rounds.read();
		} catch (error) {
			this.options.log.error('The images of the studio are not known', error);
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
		if (thumbnails.size > 0 && (await this.#areNow(references))) {
			this.#tell(references, thumbnails, known);
		}
	}

	/** @param thumbnails where the page loads them from, by the identifier of the reference */
	#tell(
		references: readonly DraftReference[],
		thumbnails: ReadonlyMap<string, string>,
		known: KnownRounds | undefined,
	): void {
		this.options.tell({
			type: 'references',
			references: references.map((reference) =>
				shown(reference, thumbnails.get(reference.id), known?.imageAt(reference.uri)?.label),
			),
		});
	}
}

function shown(
	{ id, name, edited, facts }: DraftReference,
	thumbnail: string | undefined,
	label: string | undefined,
): Reference {
	const isUsable = !(facts instanceof ImageError);
	return {
		id,
		name: name.slice(0, 300),
		details: isUsable
			? `${readableDimensions(facts)} · ${readableSize(facts.bytes)}`
			: facts.message,
		problem: !isUsable,
		edited,
		...(thumbnail === undefined ? {} : { thumbnail }),
		...(label === undefined ? {} : { label }),
	};
}
