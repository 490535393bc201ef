import path from 'node:path';
import * as z from 'zod';
import { EaselError } from '../easelError.js';
import { extensibleObject } from '../files/fileFormat.js';
import { qualitySchema, sizeSchema } from '../service/contract.js';
import { worseCharge, type Charge } from '../service/errors.js';
import type { JobEntry } from './jobFolder.js';
import { JsonLines } from './jsonLines.js';
import { chargeOf, countCharges, countChargesOf, type Charges, type JobState } from './state.js';

const common = {
	/** Wall-clock time, ISO 8601. */
	time: z.iso.datetime(),
	/** Identifier of the request, which is that of its job; of a reservation, that of its batch. */
	request: z.uuid(),
};

const spendingSchema = extensibleObject({
	...common,
	kind: z.enum(['image', 'edit', 'words']),
	/** Size of an image. */
	size: sizeSchema.optional(),
	quality: qualitySchema.optional(),
	/** Who has asked for it: `user`, or the door that an agent has come through. */
	origin: z.string(),
	/** Number of attempts that may have reached the service. */
	sent: z.number().int(),
	/** `charged`: the service has probably charged for an image that never arrived. */
	outcome: z.enum(['made', 'rejected', 'unknown', 'charged']),
	/** Attempts beside the one with this outcome that have probably been charged; missing: none. */
	alsoCharged: z.number().int().optional(),
	/** Attempts beside it that may have been charged; missing: none. */
	alsoUnknown: z.number().int().optional(),
	/** The batch of an image and its place in it, from 0. Missing for `words`. */
	batch: z.uuid().optional(),
	place: z.number().int().optional(),
	/** HTTP status of the last answer, where there was no image. */
	status: z.number().int().optional(),
	/** Wall-clock time at which the line was appended, ISO 8601, where `time` may be long before. */
	notedAt: z.iso.datetime().optional(),
});

/** Images that may be requested without a question to the user: see {@link Ledger.reserve}. */
const reservationSchema = extensibleObject({
	...common,
	kind: z.literal('reservation'),
	/** As many as a call may ask for at most. */
	count: z.number().int().min(1).max(4),
	/** The limit as it was then, so that each window knows whether it was granted. */
	perDay: z.number().int(),
});

/** Nothing of the batch is sent. */
const releaseSchema = extensibleObject({ ...common, kind: z.literal('release') });

const lineSchema = z.discriminatedUnion('kind', [spendingSchema, reservationSchema, releaseSchema]);

type Line = z.infer<typeof lineSchema>;
/** A request that has come to its end, as the ledger has it. */
export type SpendingLine = z.infer<typeof spendingSchema>;

/** Used part of a budget. */
export interface BudgetUse {
	readonly today: number;
	/** Attempts of today's images that may have been charged without an image. */
	readonly unknown: number;
}

/** Part of the ledger cannot be read, so it is not known how much is reserved. */
export class LedgerError extends EaselError {
	override readonly name = 'LedgerError';
}

/**
 * Records of what may have cost money, when nothing else is left of a job: a line for each that has
 * come to its end, without its prompt, key or paths, and what agents have reserved. Lines stay for
 * five years. Methods throw the system's error.
 */
export class Ledger {
	readonly #file: JsonLines<Line>;

	/** @param folder that of our storage; all windows write the files in it */
	constructor(folder: string) {
		this.#file = new JsonLines({
			file: path.join(folder, 'ledger.jsonl'),
			schema: lineSchema,
			keyOf,
			maxAgeMonths: 61,
		});
	}

	/**
	 * Notes jobs that have ended; one that is noted already only where its outcome is another one by
	 * now, as of an image that has come late. Resolves when that is flushed.
	 */
	async add(entries: readonly JobEntry[]): Promise<void> {
		await this.#file.change((known) =>
			entries.map(spendingLine).filter((line) => {
				const before = known.get(keyOf(line));
				return before === undefined || !('outcome' in before) || before.outcome !== line.outcome;
			}),
		);
	}

	/**
	 * Notes a call of a language model that has ended. Resolves when that is flushed.
	 *
	 * @param attempts what each of them has come to, in their order
	 * @param status of the last answer, where there were no words
	 */
	async addWords(attempts: readonly (Charge | 'made')[], status?: number): Promise<void> {
		const time = new Date().toISOString();
		const request = crypto.randomUUID();
		const sent = attempts.filter((end) => end !== 'notSent').length;
		const charges = attempts.map((end) => (end === 'made' ? 'charged' : end));
		const worst = charges.reduce(worseCharge, 'notSent');
		const isMade = attempts.includes('made');
		const outcome = isMade ? 'made' : worst === 'notSent' ? 'rejected' : worst;
		const line = {
			...({ time, request, kind: 'words', origin: 'user', sent, outcome } as const),
			...chargesBeside(outcome, countCharges(charges, worst)),
		};
		await this.#file.append([{ ...line, ...(status === undefined ? {} : { status }) }]);
	}

	/** Returns the requests that have come to their ends, in the order in which they were noted. */
	async spending(): Promise<SpendingLine[]> {
		return [...(await this.#file.lines()).values()].filter(isSpending);
	}

	/**
	 * Reserves images of a batch, so that they may be requested without a question. It needs no lock: the
	 * reservation is appended, and holds if it fits the limit with those that were granted before it
	 * in the file. What stands behind it counts it. A line that cannot be read may be a reservation.
	 *
	 * @param batch a batch that is reserved already stays so; one that was released is not reserved again
	 * @param perDay limit of images that are requested without a question in a day
	 * @returns whether it was granted
	 * @throws {LedgerError} where it cannot be known how much is reserved already
	 */
	async reserve(batch: string, count: number, perDay: number): Promise<boolean> {
		const time = new Date().toISOString();
		const line: Reservation = { time, request: batch, kind: 'reservation', count, perDay };
		const key = keyOf(line);
		let lines = await this.#file.lines();
		if (!lines.has(key)) {
			if (!readGrants(lines).fits(line)) {
				// It spares the file a line, however often an agent asks.
				return false;
			}
			this.#assertReadable(line);
			await this.#file.append([line]);
			lines = await this.#file.lines();
			if (!lines.has(key)) {
				// A read that was under way already may have ended before this line.
				lines = await this.#file.lines();
			}
		}
		this.#assertReadable(line);
		if (!lines.has(key)) {
			throw new LedgerError({ code: 'ledger.unreadable' });
		}
		return readGrants(lines).holds(batch);
	}

	/** @throws {LedgerError} where a reservation of the same day cannot be read */
	#assertReadable(line: Reservation): void {
		const { unreadable } = this.#file;
		const newest = unreadable && appendedAt(unreadable.before ?? line);
		if (newest !== undefined && newest >= new Date(line.time).setHours(0, 0, 0, 0)) {
			throw new LedgerError({ code: 'ledger.unreadable' });
		}
	}

	/** Gives back what was reserved for a batch of which nothing is sent. */
	async release(batch: string): Promise<void> {
		const time = new Date().toISOString();
		await this.#file.append([{ time, request: batch, kind: 'release' }]);
	}

	/** Returns whether images of a batch were requested by a reservation. */
	async isReserved(batch: string): Promise<boolean> {
		return readGrants(await this.#file.lines()).holds(batch);
	}

	/** Returns how much of the budget is used today. */
	async budgetUse(now = new Date()): Promise<BudgetUse> {
		const lines = await this.#file.lines();
		const grants = readGrants(lines);
		const day = dayOf(now);
		const lost = [...lines.values()].map((line) => {
			if (!isSpending(line) || !grants.isOfDay(line.batch ?? '', day)) {
				return 0;
			}
			const { charged, unknown } = chargesOfLine(line);
			return charged + unknown - (line.outcome === 'made' ? 1 : 0);
		});
		return {
			today: grants.usedOn(day),
			unknown: lost.reduce((sum, attempts) => sum + attempts, 0),
		};
	}
}

/** Returns how many attempts of a line have probably been charged, and how many others may have been. */
export function chargesOfLine({
	outcome,
	alsoCharged = 0,
	alsoUnknown = 0,
}: Pick<SpendingLine, 'outcome' | 'alsoCharged' | 'alsoUnknown'>): Charges {
	const isCharged = outcome === 'made' || outcome === 'charged';
	return {
		charged: alsoCharged + (isCharged ? 1 : 0),
		unknown: alsoUnknown + (outcome === 'unknown' ? 1 : 0),
	};
}

type Reservation = z.infer<typeof reservationSchema>;

/** The reservations that were granted, by their batches. */
class Grants {
	readonly #granted = new Map<
		string,
		{ readonly line: Reservation; readonly places: Set<number> }
	>();
	/** Number of reserved images that count, by day. */
	readonly #used = new Map<string, number>();

	usedOn(day: string): number {
		return this.#used.get(day) ?? 0;
	}

	fits({ time, count, perDay }: Reservation): boolean {
		return this.usedOn(dayOf(new Date(time))) + count <= perDay;
	}

	grant(line: Reservation): void {
		this.#granted.set(line.request, { line, places: new Set(new Array(line.count).keys()) });
		this.#count(line, line.count);
	}

	/** Gives back one place of a batch, or all. */
	giveBack(batch: string, place?: number): void {
		const { line, places } = this.#granted.get(batch) ?? {};
		if (line !== undefined && places !== undefined) {
			const before = places.size;
			if (place === undefined) {
				places.clear();
			} else {
				places.delete(place);
			}
			this.#count(line, places.size - before);
		}
	}

	/** Returns whether a batch was granted, and not given back. */
	holds(batch: string): boolean {
		return (this.#granted.get(batch)?.places.size ?? 0) > 0;
	}

	isOfDay(batch: string, day: string): boolean {
		const { line } = this.#granted.get(batch) ?? {};
		return line !== undefined && dayOf(new Date(line.time)) === day;
	}

	#count({ time }: Reservation, change: number): void {
		const day = dayOf(new Date(time));
		this.#used.set(day, this.usedOn(day) + change);
	}
}

function keyOf({ kind, request }: Pick<Line, 'kind' | 'request'>): string {
	return `${kind} ${request}`;
}

function isSpending(line: Line): line is SpendingLine {
	return line.kind !== 'reservation' && line.kind !== 'release';
}

/**
 * Returns which reservations were granted. Each is decided by what stood before it alone, so that every
 * window and every later read comes to the same.
 */
function readGrants(lines: ReadonlyMap<string, Line>): Grants {
	const grants = new Grants();
	for (const line of lines.values()) {
		if (line.kind === 'reservation') {
			if (grants.fits(line)) {
				grants.grant(line);
			}
		} else if (line.kind === 'release') {
			grants.giveBack(line.request);
		} else if (line.outcome === 'rejected' && line.batch !== undefined) {
			// Another try of it is asked for by the user, whatever becomes of that.
			grants.giveBack(line.batch, line.place ?? 0);
		}
	}
	return grants;
}

/** Returns the wall-clock time at which a line was appended, in milliseconds. */
function appendedAt(line: Line): number {
	return Date.parse('notedAt' in line ? (line.notedAt ?? line.time) : line.time);
}

/** The day in local time, as the user counts days. */
function dayOf(time: Date): string {
	return time.toDateString();
}

/** Returns the line of a job that has ended. */
export function spendingLine({ request, state }: JobEntry): SpendingLine {
	const { id, operation, origin, round, size } = request;
	const outcome = outcomeOf(state);
	const status = state.state === 'failed' ? state.failure.status : undefined;
	return {
		time: state.changedAt,
		request: id,
		kind: operation === 'edit' ? 'edit' : 'image',
		size,
		quality: request.quality,
		origin: origin?.door ?? 'user',
		sent: state.attempts.filter(({ failure }) => failure?.charge !== 'notSent').length,
		outcome,
		batch: round.id,
		place: round.place,
		...chargesBeside(outcome, countChargesOf(state.attempts, chargeOf(state))),
		notedAt: new Date().toISOString(),
		...(status === undefined ? {} : { status }),
	};
}

/** Returns the attempts beside the one with this outcome, as a line has them. */
function chargesBeside(
	outcome: SpendingLine['outcome'],
	{ charged, unknown }: Charges,
): Pick<SpendingLine, 'alsoCharged' | 'alsoUnknown'> {
	const own = chargesOfLine({ outcome });
	const [alsoCharged, alsoUnknown] = [charged - own.charged, unknown - own.unknown];
	return {
		...(alsoCharged > 0 && { alsoCharged }),
		...(alsoUnknown > 0 && { alsoUnknown }),
	};
}

function outcomeOf(state: JobState): SpendingLine['outcome'] {
	if (state.state === 'saved' || state.state === 'discarded') {
		return 'made';
	}
	const charge = chargeOf(state);
	return charge === 'notSent' ? 'rejected' : charge;
}
