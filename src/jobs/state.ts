import * as z from 'zod';
import { extensibleObject } from '../files/fileFormat.js';
import { worseCharge, type Charge } from '../service/errors.js';
import {
	chargeSchema,
	errorFactsSchema,
	failureFactsSchema,
	type FailureFacts,
} from './failure.js';

/** One try of a job: recorded before its first byte is sent, completed when it has ended. */
const attemptSchema = extensibleObject({
	number: z.number().int().min(1),
	startedAt: z.iso.datetime(),
	/** HTTP status and the service's own identifier of the request, as soon as it has answered. */
	status: z.number().int().optional(),
	requestId: z.string().optional(),
	failure: failureFactsSchema.optional(),
});

const resultSchema = extensibleObject({
	/** Absolute path of the image in the job's folder, whole and flushed. */
	file: z.string(),
	format: z.enum(['png', 'jpeg', 'webp']),
	contentType: z.enum(['image/png', 'image/jpeg', 'image/webp']),
	extension: z.enum(['.png', '.jpg', '.webp']),
	width: z.number().int(),
	height: z.number().int(),
	bytes: z.number().int(),
	/** SHA-256 of the bytes, hexadecimal. */
	sha256: z.string(),
	requestId: z.string().optional(),
	revisedPrompt: z.string().optional(),
	/** From the start of the attempt that succeeded to the image on disk, in ms; 0 where unknown. */
	elapsedMs: z.number(),
});

/** Place of the image's recipe; missing where it stands nowhere. */
const recipePlaceSchema = extensibleObject({
	where: z.enum(['inImage', 'besideImage']),
	/** True where it lies beside the image because a credential has signed the image. */
	isSigned: z.boolean().optional(),
});

const common = {
	attempts: z.array(attemptSchema),
	changedAt: z.iso.datetime(),
	/**
	 * True where the user was notified of this end: a window can end before it could show anything.
	 */
	notified: z.boolean().optional(),
	/** True where the user has dismissed this failure. */
	dismissed: z.boolean().optional(),
};

/**
 * The life of a job: queued → sending → waiting → receiving → received → saved, with pausing
 * between two attempts, or failed, cancelled, interrupted, discarded. The worker writes it while it
 * lives, the extension before and after, and also to cancel a worker that it cannot reach.
 */
export const jobStateSchema = z.discriminatedUnion('state', [
	extensibleObject({ ...common, state: z.enum(['queued', 'sending', 'waiting', 'receiving']) }),
	/** Between two attempts; `until` is missing where the user has to decide. */
	extensibleObject({ ...common, state: z.literal('pausing'), until: z.iso.datetime().optional() }),
	extensibleObject({
		...common,
		state: z.literal('received'),
		result: resultSchema,
		/** The URI that a window was about to fill, where the file cannot be recognized otherwise. */
		saving: z.string().optional(),
		/** Why it could not be saved: in words, and as data where Easel words it; see `FailureFacts`. */
		problem: z.string().optional(),
		error: errorFactsSchema.optional(),
	}),
	/** `target` is the URI of the image. */
	extensibleObject({
		...common,
		state: z.literal('saved'),
		result: resultSchema,
		target: z.string(),
		recipe: recipePlaceSchema.optional(),
	}),
	extensibleObject({ ...common, state: z.literal('failed'), failure: failureFactsSchema }),
	extensibleObject({ ...common, state: z.literal('cancelled'), charge: chargeSchema }),
	/** The process that asked has ended before it had a whole image or an error. */
	extensibleObject({
		...common,
		state: z.literal('interrupted'),
		charge: chargeSchema,
		/** Cause of its end, as far as that is known: as of `problem` above. */
		reason: z.string().optional(),
		error: errorFactsSchema.optional(),
	}),
	/** The image could not be saved, and the user did not want it any more. */
	extensibleObject({ ...common, state: z.literal('discarded') }),
]);
export type JobState = z.infer<typeof jobStateSchema>;
export type JobResult = z.infer<typeof resultSchema>;
export type RecipePlace = z.infer<typeof recipePlaceSchema>;
export type Attempt = z.infer<typeof attemptSchema>;

/** The states of these names. */
export type StateNamed<Name extends JobState['state']> = Extract<JobState, { state: Name }>;

/** A state without what is the same for all: the attempts and the time of the change. */
export type StateChange<S = JobState> = S extends unknown
	? Omit<S, 'attempts' | 'changedAt'>
	: never;

/** An end. Only an `interrupted` that the user was not notified of may still turn out to be `received`. */
export type FinalState = StateNamed<'saved' | 'failed' | 'cancelled' | 'interrupted' | 'discarded'>;

/** An end without an image. */
export type FailureState = StateNamed<'failed' | 'interrupted'>;

/** Returns whether an attempt is under way: the service may be making the image. */
export function isBeingMade({ state }: JobState): boolean {
	return ['sending', 'waiting', 'receiving'].includes(state);
}

/** Returns whether it is an end. Each of the four below implies this one. */
export function isOver(state: JobState): state is FinalState {
	return ['saved', 'failed', 'cancelled', 'interrupted', 'discarded'].includes(state.state);
}

/** Returns whether a look at what lies in the job's folder cannot change an end any more. */
export function isCertain(end: FinalState): boolean {
	return end.state !== 'interrupted' || end.notified === true;
}

/** Returns whether it is an end that the user knows of. */
export function isSettled(state: JobState): boolean {
	return isOver(state) && state.notified === true;
}

/**
 * Returns whether it is a failure that is listed: for a week, and with a kept answer until that is
 * dealt with.
 */
export function isListedFailure(state: JobState): state is FailureState {
	return (
		(state.state === 'failed' || state.state === 'interrupted') &&
		state.dismissed !== true &&
		(Date.now() - Date.parse(state.changedAt) < 7 * dayMs ||
			(state.state === 'failed' && state.failure.answerFile !== undefined))
	);
}

/**
 * Returns whether the folder of a saved job keeps its image for now. A virtual file system says
 * nothing of when the bytes are on a disk: for a day they may be lost there.
 */
export function keepsImage(state: JobState): boolean {
	return (
		state.state === 'saved' &&
		!state.target.startsWith('file:') &&
		Math.abs(Date.now() - Date.parse(state.changedAt)) < dayMs
	);
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns whether nothing of the job is needed any more, but what may have arrived after this end.
 */
export function isFinished(state: JobState): boolean {
	return isSettled(state) && !isListedFailure(state) && !keepsImage(state);
}

/** Returns the charge of a job that ends in this state. */
export function chargeOf(state: JobState): Charge {
	switch (state.state) {
		case 'queued':
			return 'notSent';
		case 'failed':
			return state.failure.charge;
		case 'cancelled':
		case 'interrupted':
			return state.charge;
		case 'sending':
		case 'waiting':
		case 'pausing': {
			// An attempt without a failure may have made an image, and so may the one under way.
			const failed = state.attempts.map(({ failure }) => failure?.charge ?? 'unknown');
			return worstCharge(state.state === 'pausing' ? failed : [...failed, 'unknown']);
		}
		case 'receiving':
		case 'received':
		case 'saved':
		case 'discarded':
			return 'charged';
	}
}

/**
 * The failure that a job ends with: the last one, with what all attempts may have cost. Where the
 * network goes while an image is made, the first one has left, and the last ones reach no service.
 */
export function failureOfAll(
	last: FailureFacts,
	attempts: readonly Pick<Attempt, 'number' | 'failure'>[],
): FailureFacts {
	const all = [...attempts.flatMap(({ failure }) => failure ?? []), last];
	const charge = worstCharge(all.map((failure) => failure.charge));
	// What an earlier attempt has brought is not lost with a later one.
	const answerFile = all.findLast((failure) => failure.answerFile !== undefined)?.answerFile;
	return {
		...withTimesSent(last, attempts),
		...(answerFile === undefined ? {} : { answerFile }),
		charge,
		unknownOutcome: all.some(({ unknownOutcome }) => unknownOutcome),
		...(charge === last.charge ? {} : { earlier: true }),
	};
}

/** Returns the failure of the last attempt with how often the service may have charged by now. */
export function withTimesSent(
	last: FailureFacts,
	attempts: readonly Pick<Attempt, 'number' | 'failure'>[],
): FailureFacts {
	const charges = attempts.flatMap(({ failure }) => failure?.charge ?? []);
	const { charged, unknown } = countCharges(charges, worstCharge(charges));
	const sentTimes = charged + unknown;
	return sentTimes > 1 ? { ...last, sentTimes, chargedTimes: charged } : last;
}

/** Attempts of a request that have probably been charged, and others that may have been. */
export interface Charges {
	readonly charged: number;
	readonly unknown: number;
}

/**
 * Counts the attempts of a job that may have cost money, the one that brought the image among them.
 *
 * @param end the worst charge of all of them, as the job's end has it
 */
export function countChargesOf(attempts: readonly Attempt[], end: Charge): Charges {
	const charges = attempts.map(({ failure, status = 0 }): Charge => {
		const isSuccess = status >= 200 && status < 300;
		return failure?.charge ?? (isSuccess ? 'charged' : 'unknown');
	});
	return countCharges(charges, end);
}

/**
 * The same of what each attempt may have cost. One at the least is what the end is: a window that could
 * not reach the worker has noted it without the attempts.
 */
export function countCharges(charges: readonly Charge[], end: Charge): Charges {
	if (end === 'notSent' || end === 'rejected') {
		return { charged: 0, unknown: 0 };
	}
	const timesOf = (charge: Charge) => charges.filter((one) => one === charge).length;
	const charged = Math.max(timesOf('charged'), end === 'charged' ? 1 : 0);
	const sent = Math.max(timesOf('charged') + timesOf('unknown'), 1);
	return { charged, unknown: sent - charged };
}

/** Returns the worst charge; `unknown` of none, because nothing is known. */
function worstCharge([first = 'unknown', ...others]: readonly Charge[]): Charge {
	return others.reduce(worseCharge, first);
}
