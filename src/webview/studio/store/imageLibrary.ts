import type { StudioRequest } from '../../../protocol/studio.js';
import type { Description, Image, StudioRound, StudioSlot } from '../../../protocol/studioModel.js';
import { imageIdsIn, type RoundPlaces, type Rounds } from '../rounds.js';

/** Number of descriptions; one that is needed again is described again. */
const maxDescriptions = 2000;

type Asked<Type extends StudioRequest['type']> = Extract<StudioRequest, { type: Type }>;

/** The rounds and images that the extension has found, and what it has said about them. */
export class ImageLibrary {
	rounds: Rounds | undefined;
	/** Rounds that have been described. */
	known: ReadonlyMap<string, StudioRound> = new Map();
	/** Images that have been described. */
	images: ReadonlyMap<string, Image> = new Map();
	/** All images that are found, as they stand in the stream. */
	imageIds: readonly string[] = [];
	/** Sources of images and thumbnails that could not be loaded. */
	readonly broken = new Set<string>();

	#roundOf: ReadonlyMap<string, RoundPlaces> = new Map();
	/** The same as `imageIds`: a round may have thousands. */
	#imageIds: ReadonlySet<string> = new Set();

	constructor(private readonly changed: () => void) {}

	/** Returns true while all images of a folder are shown, by name, in the place of the rounds. */
	get showsFolder(): boolean {
		return this.rounds?.query.among === 'files';
	}

	/** Returns the round with this id, or with the image or job of this id. */
	roundOf(id: string): RoundPlaces | undefined {
		return this.#roundOf.get(id);
	}

	/** Returns the places of the round in which an image is. */
	slotsBeside(id: string): readonly StudioSlot[] {
		return this.#roundOf.get(id)?.slots ?? [];
	}

	isImage(id: string): boolean {
		return this.#imageIds.has(id);
	}

	isCollapsed({ id, collapsed = false }: RoundPlaces): boolean {
		return this.known.get(id)?.collapsed ?? collapsed;
	}

	takeRounds(now: Rounds): void {
		this.rounds = now;
		this.imageIds = imageIdsIn(now.rounds);
		this.#imageIds = new Set(this.imageIds);
		this.#roundOf = new Map(
			now.rounds.flatMap((round) => [
				[round.id, round] as const,
				...round.slots.map(({ id }) => [id, round] as const),
			]),
		);
		this.changed();
	}

	describe({ rounds, images }: Description): void {
		this.known = withAll(this.known, rounds);
		this.images = withAll(
			this.images,
			// A thumbnail comes later than the rest. Until then that of the same file stays.
			images.map((image) => {
				const before = this.images.get(image.id);
				return image.source !== undefined && image.source === before?.source
					? { thumbnail: before.thumbnail, ...image }
					: image;
			}),
		);
		this.changed();
	}

	/** Shows at once what the extension will say of these images. */
	annotateImages({ ids, isFavorite, title, note }: Asked<'annotateImages'>): void {
		const images = ids.flatMap((id) => this.images.get(id) ?? []);
		this.images = withAll(
			this.images,
			images.map((image) => ({
				...image,
				isFavorite: isFavorite ?? image.isFavorite,
				title: named(image.title, title),
				note: named(image.note, note),
			})),
		);
		this.changed();
	}

	/** Shows at once what the extension will say of this round. */
	annotateRound({ id, name, collapsed }: Asked<'annotateRound'>): void {
		const round = this.known.get(id);
		if (round !== undefined) {
			const now = { collapsed: collapsed ?? round.collapsed, name: named(round.name, name) };
			this.known = withAll(this.known, [{ ...round, ...now }]);
		}
		this.changed();
	}

	/** Notes the source of an image or a thumbnail that cannot be loaded. */
	noteBroken(source: string): void {
		this.broken.add(source);
		this.changed();
	}
}

/** Returns a map with things in the place of those before them; those that came first go first. */
function withAll<Thing extends { readonly id: string }>(
	before: ReadonlyMap<string, Thing>,
	things: readonly Thing[],
): ReadonlyMap<string, Thing> {
	if (things.length === 0) {
		return before;
	}
	const now = new Map(before);
	for (const thing of things) {
		const old = now.get(thing.id);
		now.delete(thing.id);
		// What is the same stays the same object: it is not drawn anew.
		now.set(thing.id, JSON.stringify(old) === JSON.stringify(thing) ? old! : thing);
	}
	for (const id of [...now.keys()].slice(0, Math.max(now.size - maxDescriptions, 0))) {
		now.delete(id);
	}
	return now;
}

/** An empty text takes a name away; what is not given stays. */
function named(before: string | undefined, now: string | undefined): string | undefined {
	return now === '' ? undefined : (now ?? before);
}
