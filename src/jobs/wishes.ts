import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { isBelow } from '../files/containment.js';
import { extensibleObject } from '../files/fileFormat.js';
import { JsonLines } from './jsonLines.js';
import { originSchema } from './request.js';

const time = z.iso.datetime();

/** The last change of a wish. */
const progressSchema = extensibleObject({
	/** Wall-clock time of the change, ISO 8601. */
	time,
	/**
	 * - `accepted`: the user or the budget has allowed it; from then on its requests may be in the
	 *   journal, and it is never begun again;
	 * - `ended`: its requests have come to their ends;
	 * - `declined`, `cancelled`: nothing was sent;
	 * - `failed`: neither, for the reason in `failures`; its key is free for another claim.
	 */
	state: z.enum(['accepted', 'ended', 'declined', 'cancelled', 'failed']),
	/** Reasons for missing images, in the words that the user has read; of an end or a failure. */
	failures: z.array(z.string()).optional(),
	/** Number of its requests that were cancelled; of an end. */
	cancelled: z.number().int().optional(),
	/** True if no link of its images could be written where it was wanted; of an end. */
	isLinkMissing: z.literal(true).optional(),
	/** The job whose image has the link, where several came; of an end. */
	linked: z.uuid().optional(),
});

const wishSchema = extensibleObject({
	/** Id of the wish, and of the batch of its requests. */
	id: z.uuid(),
	/** Wall-clock time of the call, ISO 8601. */
	time,
	/** Absolute paths without links of the folders that its key counts in; URIs of those on no disk. */
	scope: z.array(z.string()),
	/** Key of the caller; missing where the arguments stand for it. */
	key: z.string().optional(),
	tool: z.string(),
	/** SHA-256 of the tool and its arguments without the key, hexadecimal. */
	argumentsHash: z.string(),
	/** The beginning of the arguments as JSON, to show them. */
	arguments: z.string(),
	caller: originSchema,
	/** Number of images that are wished for. */
	count: z.number().int().min(1),
	/** The place of its file, the same for all of its names; missing where the prompt names the file. */
	target: z.string().optional(),
	/** SHA-256 of everything that identifies its image, hexadecimal. */
	imageHash: z.string(),
	/** Missing until the budget or the user has decided. */
	progress: progressSchema.optional(),
});

/** A call of an agent for images, its claim on a key and a target, and its progress as last noted. */
export type Wish = Readonly<z.infer<typeof wishSchema>>;
/** Progress of a wish, as it is noted. */
export type WishChange = Omit<z.infer<typeof progressSchema>, 'time'>;

/** Call that is not claimed yet. */
export type NewWish = Pick<Wish, 'id' | 'scope' | 'key' | 'tool' | 'caller' | 'count'> & {
	/** Its arguments, without the key. */
	readonly input: unknown;
};

/** Call with what identifies its image, as it is claimed. */
export type IdentifiedWish = NewWish &
	Pick<Wish, 'target'> & {
		/** Everything that makes two images the same; its hash is saved. */
		readonly identity: unknown;
	};

/** Outcome of a claim: it is the first of its key, or another one is, of the same arguments or not. */
export interface Claimed {
	readonly type: 'won' | 'known' | 'conflict';
	readonly wish: Wish;
}

/** Age up to which a key counts, in milliseconds. */
const keyAgeMs = 30 * 24 * 60 * 60 * 1000;
/** Age up to which the same arguments without a key are the same wish, in milliseconds. */
export const keylessAgeMs = 30 * 60 * 1000;
/** Length of the arguments that are stored, in UTF-16 code units: an agent compares two calls by them. */
const maxArgumentsLength = 1000;

/**
 * The wishes of agents: a call that is repeated, by whatever client and in whatever window, finds the
 * batch of the first one. The call whose claim comes first in the file has the key, for all processes;
 * targets are compared by {@link rivals}. No lock orders the claims: a lease, taken before the claim, says
 * whether the claimer is still alive. Methods throw the system's error.
 */
export class Wishes {
	readonly #file: JsonLines<Wish>;

	/**
	 * @param folder that of our storage; all windows write the files in it
	 * @param now the wall clock, in milliseconds
	 */
	constructor(
		folder: string,
		private readonly now: () => number = Date.now,
	) {
		this.#file = new JsonLines({
			file: path.join(folder, wishesFile),
			schema: wishSchema,
			// A wish keeps the place of its first line among the others: the order of the claims.
			keyOf: ({ id }) => id,
			// A key is known for thirty days.
			maxAgeMonths: 2,
			now,
		});
	}

	/** Returns the wish of a key, or of the same arguments, if there is one. */
	async find(wanted: NewWish): Promise<Claimed | undefined> {
		return firstOf(await this.#file.lines(), wanted, this.now());
	}

	/** Claims a key, or the arguments where there is none. Resolves when the claim is flushed. */
	async claim({ identity, ...wanted }: IdentifiedWish): Promise<Claimed> {
		const { input, ...wish } = wanted;
		await this.#file.change((known) =>
			firstOf(known, wanted, this.now()) === undefined
				? [
						{
							...wish,
							time: new Date(this.now()).toISOString(),
							argumentsHash: hashOf(wanted),
							imageHash: hash(identity),
							arguments: (JSON.stringify(input) ?? '').slice(0, maxArgumentsLength),
						},
					]
				: [],
		);
		const look = async () => firstOf(await this.#file.lines(), wanted, this.now());
		// A read that was under way already may have ended before this line.
		const first = (await look()) ?? (await look());
		if (first === undefined) {
			throw new Error(missingClaim);
		}
		return first;
	}

	/** Returns the wish of an id; `undefined` where there is none. */
	async get(id: string): Promise<Wish | undefined> {
		return (await this.#file.lines()).get(id);
	}

	/**
	 * Returns wishes for the same target or the same image that were claimed before this one, and that have
	 * no noted end, or have ended no longer ago than a call without a key counts; oldest first.
	 *
	 * @param areLaterIncluded whether those that were claimed after it are returned as well
	 * @throws where the claim is gone, so that this cannot be known; the system's error
	 */
	async rivals(wish: Wish, areLaterIncluded = false): Promise<Wish[]> {
		const lines = await this.#file.lines();
		const claims = [...lines.values()];
		const at = claims.findIndex(({ id }) => id === wish.id);
		if (at === -1) {
			throw new Error(missingClaim);
		}
		return claims
			.filter((_claim, index) => index < at || (areLaterIncluded && index > at))
			.filter(
				({ target, imageHash, scope }) =>
					(target !== undefined && target === wish.target) ||
					(imageHash === wish.imageHash && overlaps(scope, wish.scope)),
			)
			.filter(
				({ progress }) =>
					progress === undefined ||
					progress.state === 'accepted' ||
					(progress.state === 'ended' && this.now() - Date.parse(progress.time) < keylessAgeMs),
			);
	}

	/** Appends the wish with a change, which supersedes its line. Resolves when that is flushed. */
	async note(wish: Wish, change: WishChange): Promise<void> {
		const time = new Date(this.now()).toISOString();
		await this.#file.append([{ ...wish, progress: { time, ...change } }]);
	}
}

const missingClaim = 'the claim is not in the file that it was appended to';

/**
 * Returns where keys of a call count.
 *
 * @param folders absolute paths of the caller's folders in any order, and URIs of those on no disk
 */
export function keyScope(folders: readonly string[]): Promise<string[]> {
	return Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
}

/** Name of the files in our storage, which have the month in it. All windows write them. */
export const wishesFile = 'wishes.jsonl';

/** Returns a hash that is the same for the same tool and arguments, in whatever order these are. */
function hashOf({ tool, input }: Pick<NewWish, 'tool' | 'input'>): string {
	return hash([tool, input]);
}

function hash(value: unknown): string {
	return createHash('sha256').update(canonical(value)).digest('hex');
}

/**
 * Returns whether two scopes have a folder in common, or one a folder that lies in one of the other: a project
 * is the same in a window of a folder around it, and in one with further folders.
 */
function overlaps(one: readonly string[], other: readonly string[]): boolean {
	const isAround = (a: string, b: string) => isBelow(a, b, process.platform);
	return one.some((a) => other.some((b) => isAround(a, b) || isAround(b, a)));
}

function canonical(value: unknown): string {
	return JSON.stringify(value, (_name, part: unknown) =>
		typeof part === 'object' && part !== null && !Array.isArray(part)
			? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
			: part,
	);
}

function firstOf(
	wishes: ReadonlyMap<string, Wish>,
	{ id, scope, key, ...call }: NewWish,
	now: number,
): Claimed | undefined {
	const argumentsHash = hashOf(call);
	for (const wish of wishes.values()) {
		const isSame = wish.argumentsHash === argumentsHash;
		if (
			wish.key === key &&
			(key !== undefined || isSame) &&
			wish.progress?.state !== 'failed' &&
			now - Date.parse(wish.time) <= ageOf(wish) &&
			overlaps(wish.scope, scope)
		) {
			return { type: wish.id === id ? 'won' : isSame ? 'known' : 'conflict', wish };
		}
	}
	return undefined;
}

function ageOf({ key }: Pick<Wish, 'key'>): number {
	return key === undefined ? keylessAgeMs : keyAgeMs;
}
