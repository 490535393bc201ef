import type { JobEntry } from '../jobs/jobFolder.js';
import type { ImageRequest } from '../jobs/request.js';
import type { StateNamed } from '../jobs/state.js';
import type { Charge } from '../service/errors.js';
import type { FailedJob } from './failures.js';
import type { FollowUp } from './linkImage.js';
import type { SavedImage } from './savedImage.js';

/** An image that is saved, and what the message about it adds. */
export interface ArrivedJob {
	readonly entry: JobEntry;
	readonly state: StateNamed<'saved'>;
	readonly saved: SavedImage;
	readonly followUp: FollowUp;
}

/** A request that is not in the journal; nothing was sent. */
export interface NotJournaled {
	readonly type: 'notJournaled';
	readonly request: ImageRequest;
	readonly error: unknown;
}

/** How a request of a batch has ended. */
export type Outcome =
	| ({ readonly type: 'arrived' } & ArrivedJob)
	| ({ readonly type: 'failed' } & FailedJob)
	| { readonly type: 'cancelled'; readonly charge: Charge }
	| NotJournaled
	/** The user has seen it already, or the next window shows it. */
	| { readonly type: 'shown' };

/** What has become of the requests of a batch. */
export interface BatchEnds {
	/** How many were asked for. */
	readonly asked: number;
	readonly arrived: readonly ArrivedJob[];
	readonly failures: readonly FailedJob[];
	/** What those that were cancelled mean for the user's money. */
	readonly cancelled: readonly Charge[];
}

/** Sorts the outcomes of a batch by their kind. */
export function sortOutcomes(outcomes: readonly Outcome[]): BatchEnds {
	return {
		asked: outcomes.length,
		arrived: outcomes.filter((outcome) => outcome.type === 'arrived'),
		failures: outcomes.filter((outcome) => outcome.type === 'failed'),
		cancelled: outcomes.flatMap((outcome) => (outcome.type === 'cancelled' ? outcome.charge : [])),
	};
}
