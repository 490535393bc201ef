import type { FailedJob } from '../../../src/generation/failures.js';
import type { FailureFacts } from '../../../src/jobs/failure.js';
import type { StateNamed } from '../../../src/jobs/state.js';
import type { Charge } from '../../../src/service/errors.js';
import { failureOf, requestOf } from '../jobs/support.js';

const changedAt = '2026-01-01T00:00:00.000Z';

export function failed(change: Partial<FailureFacts> = {}): FailedJob {
	const base = { status: 500, message: 'out of order', repeatable: true };
	const failure = failureOf({ ...base, ...change });
	const state: StateNamed<'failed'> = { state: 'failed', failure, attempts: [], changedAt };
	return { entry: { folder: '/jobs/x', request: requestOf(), state }, state };
}

export function interrupted(charge: Charge = 'unknown', prompt = 'a harbor'): FailedJob {
	const attempts = charge === 'notSent' ? [] : [{ number: 1, startedAt: changedAt }];
	const state: StateNamed<'interrupted'> = { state: 'interrupted', charge, attempts, changedAt };
	return { entry: { folder: '/jobs/x', request: requestOf({ prompt }), state }, state };
}
