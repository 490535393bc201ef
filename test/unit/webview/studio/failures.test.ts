import assert from 'node:assert/strict';
import type { Job, Slot } from '../../../../src/protocol/studio';
import { causesOf, failureOf, tallyOf } from '../../../../src/webview/studio/failures';

const jobOf = (id: string, state: Job['state'], cause?: string) =>
	({ id, state, ...(cause === undefined ? {} : { cause }) }) as Job;
const all = [
	jobOf('a', 'failed', '402'),
	jobOf('b', 'failed', '400'),
	jobOf('c', 'failed', '402'),
	jobOf('d', 'running'),
	jobOf('e', 'failed'),
	jobOf('f', 'asking', '402'),
	jobOf('g', 'failed', '402'),
];
const jobs = new Map(all.map((job) => [job.id, job]));
/** `g` is in another round. */
const slots = [...'abcdef'].map((id): Slot => ({ id, kind: 'job', ratio: 1 }));

suite('failures', () => {
	test('have a cause only where they say one, and where it is a failure', () => {
		assert.deepEqual(
			[...causesOf(all)],
			[
				['a', '402'],
				['b', '400'],
				['c', '402'],
				['g', '402'],
			],
		);
	});

	test('of one cause are told by the first of them in the round, wherever they stand in it', () => {
		const reported = (id: string) => {
			const { ids, job } = failureOf(jobs.get(id)!, slots, jobs);
			return `${job.id}: ${ids.join()}`;
		};
		assert.equal(reported('c'), 'a: a,c');
		assert.equal(reported('a'), 'a: a,c');
		assert.equal(reported('b'), 'b: b');
		assert.equal(reported('e'), 'e: e');
		assert.equal(reported('f'), 'f: f');
	});

	test('an image that has come meanwhile is none any more', () => {
		const came = slots.map((slot): Slot => (slot.id === 'a' ? { ...slot, kind: 'image' } : slot));
		assert.deepEqual(failureOf(jobs.get('c')!, came, jobs).ids, ['c']);
	});

	test('what runs, waits and has failed is counted; what there is none of is not named', () => {
		assert.deepEqual(
			tallyOf(all).map(({ words }) => words),
			['1 running', '1 undecided', '5 failed'],
		);
		assert.deepEqual(tallyOf([]), []);
	});
});
