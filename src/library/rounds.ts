import type { GalleryImage } from '../jobs/gallery.js';
import type { GenerationRequest } from '../jobs/request.js';

/** A place in a round: an image that was saved, or a request that has not come as far. */
export interface RoundSlot {
	/** The job’s identifier, which the image has as well. */
	readonly id: string;
	/** `3a`: the first of the third round. */
	readonly label: string;
	/** Missing where there is only the request. */
	readonly image: GalleryImage | undefined;
	/** Missing where the image is there. */
	readonly request: GenerationRequest | undefined;
	/** Identifier of the answer in the round that it is with the rest of its original. */
	readonly restores?: string | undefined;
}

/** Images that were asked for at once. */
export interface Round {
	/** Identifier of the batch; of an image whose recipe names none, that of the image. */
	readonly id: string;
	/** From 1, unique; as long as the others exist it stays the same. */
	readonly number: number;
	/** In the order in which they were asked for; never empty. */
	readonly slots: readonly RoundSlot[];
}

/**
 * The rounds of a workspace, newest first. Each has the number that it was asked for with; where an older
 * one has that, and where an image's recipe names no round, the next number that is free.
 *
 * @param images of the workspace, newest first
 * @param requests of its jobs that run or have failed, or whose images are not saved
 */
export function roundsOf(
	images: readonly GalleryImage[],
	requests: readonly GenerationRequest[],
): Round[] {
	const members: Member[] = [];
	for (const image of [...images].reverse()) {
		const { id, savedAt: at } = image;
		// One that names none comes before all that were asked for in rounds.
		const { round = { id, number: 0, place: 0, askedAt: '' } } = image;
		members.push({ ...round, slotId: id, at, image, request: undefined });
	}
	const saved = new Set(images.map(({ id }) => id));
	for (const request of requests.filter(({ id }) => !saved.has(id))) {
		const { id, createdAt: at, round } = request;
		members.push({ ...round, slotId: id, at, image: undefined, request });
	}
	const batches = [...Map.groupBy(members, ({ id }) => id).values()].sort(byTime);
	const numbers = uniqueNumbers(batches.map(([first]) => first!));
	return batches.map((batch, index) => roundOf(batch, numbers[index]!)).reverse();
}

/**
 * Returns the number of each round, in their order; one of 0 has none yet. New rounds begin behind the
 * highest, so that none changes by them.
 */
function uniqueNumbers(rounds: readonly Pick<Member, 'number'>[]): number[] {
	const owners = new Map<number, Pick<Member, 'number'>>();
	for (const round of rounds.filter(({ number }) => number > 0)) {
		owners.set(round.number, owners.get(round.number) ?? round);
	}
	let free = 1;
	return rounds.map((round) => {
		if (owners.get(round.number) === round) {
			return round.number;
		}
		while (owners.has(free)) {
			free += 1;
		}
		owners.set(free, round);
		return free;
	});
}

export function nextNumber(rounds: readonly Round[]): number {
	return rounds.reduce((highest, { number }) => Math.max(highest, number), 0) + 1;
}

/** Sources of an image or a request. */
export interface Made {
	/** URI of the edited image. */
	readonly edited: string | undefined;
	/** SHA-256 of its bytes, hexadecimal. */
	readonly sha256: string | undefined;
	/** Wall-clock time before which it was there, ISO 8601. */
	readonly before: string;
}

export function madeFrom({
	image,
	request,
}: Pick<RoundSlot, 'image' | 'request'>): Made | undefined {
	if (image?.operation === 'edit') {
		const { references, referenceHashes, savedAt } = image;
		return { edited: references[0], sha256: referenceHashes[0], before: savedAt };
	}
	if (request?.operation === 'edit') {
		const [edited] = request.references;
		return { edited: edited?.source, sha256: edited?.sha256, before: request.createdAt };
	}
	return undefined;
}

/** Finds what images were made from, also where the files have other names and places now. */
export class Lineage {
	readonly #byHash: ReadonlyMap<string | undefined, readonly RoundSlot[]>;
	readonly #byPlace: ReadonlyMap<string | undefined, readonly RoundSlot[]>;

	/** @param rounds those of {@link roundsOf} */
	constructor(rounds: readonly Round[]) {
		const slots = rounds.flatMap((round) => round.slots);
		this.#byHash = Map.groupBy(slots, ({ image }) => image?.sha256);
		this.#byPlace = Map.groupBy(slots, ({ image }) => image?.target);
	}

	/** The image that an edit was made from; `undefined` where it is none of the rounds'. */
	parentOf(slot: Pick<RoundSlot, 'image' | 'request'>): RoundSlot | undefined {
		const made = madeFrom(slot);
		if (made?.edited === undefined) {
			return undefined;
		}
		const { edited, sha256, before } = made;
		const isOlder = ({ image }: RoundSlot) => image !== undefined && image.savedAt < before;
		const sameBytes = (sha256 ? (this.#byHash.get(sha256) ?? []) : []).filter(isOlder);
		const samePlace = (this.#byPlace.get(edited) ?? []).filter(isOlder);
		// What has been put there in the place of another one is known by its bytes.
		return sameBytes.find(({ image }) => image?.target === edited) ?? sameBytes[0] ?? samePlace[0];
	}

	/** The images that lead to this one, the first one first, without itself. */
	chainOf(slot: Pick<RoundSlot, 'image' | 'request'>): readonly RoundSlot[] {
		const chain: RoundSlot[] = [];
		// Each is older than the one before, so this comes to an end.
		let parent = this.parentOf(slot);
		while (parent !== undefined && chain.length < maxChainLength) {
			chain.unshift(parent);
			parent = this.parentOf(parent);
		}
		return chain;
	}
}

/** More steps are not shown. */
const maxChainLength = 99;

interface Member extends Pick<RoundSlot, 'image' | 'request'> {
	readonly id: string;
	readonly number: number;
	readonly place: number;
	readonly slotId: string;
	readonly at: string;
	readonly askedAt: string;
}

function byTime(a: readonly Member[], b: readonly Member[]): number {
	const [one, other] = [a[0]!.askedAt, b[0]!.askedAt];
	return one === other ? 0 : one < other ? -1 : 1;
}

function roundOf(members: readonly Member[], number: number): Round {
	const { id } = members[0]!;
	const sorted = [...members].sort((a, b) => a.place - b.place || (a.at < b.at ? -1 : 1));
	let next = sorted.at(-1)!.place + 1;
	const slots = sorted.map(({ slotId, place, image, request }, index) => {
		// What was asked for twice in one place is there twice, too.
		const own = sorted[index - 1]?.place === place ? next++ : place;
		const answer = image?.keptRest && image.references[0];
		const restores = answer && members.find((one) => one.image?.target === answer)?.slotId;
		return { id: slotId, label: labelOf(number, own), image, request, restores };
	});
	return { id, number, slots };
}

/** @param place from 0 */
function labelOf(number: number, place: number): string {
	let letters = '';
	for (let rest = place + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
		letters = String.fromCharCode(97 + ((rest - 1) % 26)) + letters;
	}
	return `${String(number)}${letters}`;
}
