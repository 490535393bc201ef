import assert from 'node:assert/strict';
import {
	chargeOf,
	isBeingMade,
	isFinished,
	isListedFailure,
	isOver,
	isSettled,
	keepsImage,
	jobStateSchema,
	type Attempt,
	type JobState,
} from '../../../src/jobs/state.js';
import type { Charge } from '../../../src/service/errors.js';
import { resultOf } from './results.js';
import { failureOf } from './support.js';

const changedAt = '2026-01-01T00:00:00.000Z';
const common = { attempts: [], changedAt };
const failure = failureOf({ kind: 'connection' });

function attempt(number: number, charge?: Charge): Attempt {
	return {
		number,
		startedAt: changedAt,
		status: 200,
		requestId: 'r1',
		...(charge === undefined ? {} : { failure: { ...failure, charge } }),
	};
}

/** Every state, with what it means for the money and whether it is over. */
const table: readonly (readonly [state: JobState, charge: Charge, over: boolean])[] = [
	[{ ...common, state: 'queued' }, 'notSent', false],
	[{ ...common, state: 'sending', attempts: [attempt(1)] }, 'unknown', false],
	[{ ...common, state: 'waiting', attempts: [attempt(1, 'rejected')] }, 'unknown', false],
	[{ ...common, state: 'receiving' }, 'charged', false],
	[{ ...common, state: 'pausing' }, 'unknown', false],
	[{ ...common, state: 'pausing', attempts: [attempt(1)] }, 'unknown', false],
	[
		{ ...common, state: 'pausing', until: changedAt, attempts: [attempt(1, 'rejected')] },
		'rejected',
		false,
	],
	[
		{ ...common, state: 'received', result: resultOf(), saving: 'file:///a', problem: 'full' },
		'charged',
		false,
	],
	[{ ...common, state: 'saved', result: resultOf(), target: 'file:///a' }, 'charged', true],
	...([{ where: 'inImage' }, { where: 'besideImage', isSigned: true }] as const).map(
		(recipe) =>
			[
				{ ...common, state: 'saved', result: resultOf(), target: 'file:///a', recipe },
				'charged',
				true,
			] as const,
	),
	[{ ...common, state: 'failed', failure, dismissed: true }, 'rejected', true],
	[{ ...common, state: 'cancelled', charge: 'notSent' }, 'notSent', true],
	[{ ...common, state: 'cancelled', charge: 'rejected' }, 'rejected', true],
	[{ ...common, state: 'cancelled', charge: 'charged' }, 'charged', true],
	[{ ...common, state: 'interrupted', charge: 'unknown', reason: 'SIGTERM' }, 'unknown', true],
	[{ ...common, state: 'discarded' }, 'charged', true],
];

suite('jobs › state', () => {
	test('of every kind says what it means for the money, and whether it is over', () => {
		for (const [state, charge, over] of table) {
			assert.equal(chargeOf(state), charge, state.state);
			assert.equal(isOver(state), over, state.state);
			assert.ok(!isSettled(state));
			assert.equal(isSettled({ ...state, notified: true }), over, state.state);
		}
	});

	const day = 24 * 60 * 60 * 1000;
	const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

	test('is finished when the user was notified, and of a failure when it was dismissed or is a week old', () => {
		for (const [state, , over] of table) {
			const isFailure = state.state === 'failed' || state.state === 'interrupted';
			for (const dismissed of [undefined, false, true]) {
				for (const age of [7 * day - 60_000, 7 * day + 60_000]) {
					const one = { ...state, dismissed, changedAt: ago(age) };
					const isListed = isFailure && dismissed !== true && age < 7 * day;
					assert.equal(isListedFailure(one), isListed, state.state);
					assert.equal(isFinished(one), false, state.state);
					assert.equal(isFinished({ ...one, notified: true }), over && !isListed, state.state);
				}
			}
		}
	});

	test('is not finished for a day where its image was saved to a virtual file system', () => {
		for (const [target, age, isKept] of [
			['vscode-vfs://github/a.png', day - 60_000, true],
			['vscode-vfs://github/a.png', 60_000 - day, true],
			['vscode-vfs://github/a.png', day + 60_000, false],
			['file:///a.png', 0, false],
		] as const) {
			const saved = { ...common, state: 'saved', result: resultOf(), target } as const;
			const state: JobState = { ...saved, notified: true, changedAt: ago(age) };
			assert.equal(keepsImage(state), isKept);
			assert.equal(isFinished(state), !isKept);
		}
	});

	test('says whether an attempt is under way', () => {
		for (const [state] of table) {
			assert.equal(isBeingMade(state), /ing$/.test(state.state) && state.state !== 'pausing');
		}
	});

	test('is read as it was written', () => {
		for (const [state] of table) {
			for (const one of [state, { ...state, notified: true }]) {
				assert.deepEqual(jobStateSchema.parse(JSON.parse(JSON.stringify(one))), one);
			}
		}
	});
});
