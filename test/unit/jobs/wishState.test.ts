import assert from 'node:assert/strict';
import type { WishChange } from '../../../src/jobs/wishes.js';
import { stateOfWish, type WishFacts } from '../../../src/jobs/wishState.js';

const accepted: WishChange = { state: 'accepted' };
const ended: WishChange = { state: 'ended', failures: [], cancelled: 0 };
const failures = ['The balance is used up.'];

/** Facts that differ from those of a wish for two images, of which nothing is known, and its state. */
const table: readonly (readonly [string, Partial<WishFacts>, string])[] = [
	// Before anything is in the journal.
	['waits for the budget or the user', { isAtWork: true }, 'confirming'],
	['was left by its window', {}, 'failed notSent'],
	['was declined', { progress: { state: 'declined' } }, 'declined'],
	[
		'was declined, and its lease is still there',
		{ progress: { state: 'declined' }, isAtWork: true },
		'declined',
	],
	['was taken back', { progress: { state: 'cancelled' } }, 'cancelled'],
	[
		'failed before anything was sent',
		{ progress: { state: 'failed', failures } },
		'failed notBegun',
	],
	['is on its way into the journal', { progress: accepted, isAtWork: true }, 'running'],
	['was left on its way into the journal', { progress: accepted }, 'failed interrupted'],
	// With jobs in the journal.
	['has an open job', { progress: accepted, jobs: ['open'] }, 'running'],
	['has an open job in a window that notes nothing', { jobs: ['open'] }, 'running'],
	['has an open job beside a failed one', { jobs: ['failed', 'open'] }, 'running'],
	['has an open job beside a saved image', { jobs: ['over', 'open'], saved: 1 }, 'running'],
	[
		'has its images, and writes their link',
		{ progress: accepted, isAtWork: true, jobs: ['over'], saved: 2 },
		'running',
	],
	['has failed jobs', { progress: accepted, jobs: ['failed', 'failed'] }, 'failed noImage'],
	['has an image that is not saved', { jobs: ['unsaved', 'failed'] }, 'failed unsaved'],
	[
		'has an unsaved image beside a saved one',
		{ jobs: ['unsaved', 'over'], saved: 1 },
		'done partly',
	],
	['has a failed job beside a saved one', { jobs: ['failed', 'over'], saved: 1 }, 'done partly'],
	[
		'has jobs that are over, and no image',
		{ progress: accepted, jobs: ['over'] },
		'failed interrupted',
	],
	// With images in the gallery.
	['has all of its images', { progress: ended, saved: 2 }, 'done whole'],
	['has more images than were wished for', { progress: ended, saved: 3 }, 'done whole'],
	['has some of its images', { progress: { ...ended, failures }, saved: 1 }, 'done partly'],
	['has images, and an end by another window', { progress: accepted, saved: 2 }, 'done whole'],
	[
		'has images, and some were cancelled',
		{ progress: { ...ended, cancelled: 1 }, saved: 1 },
		'done partly',
	],
	// By its noted end alone.
	['was made, and deleted since', { progress: ended }, 'done deleted'],
	[
		'was made, and deleted, by a line without numbers',
		{ progress: { state: 'ended' } },
		'done deleted',
	],
	['failed, and its jobs are gone', { progress: { ...ended, failures } }, 'failed noImage'],
	['was cancelled', { progress: { ...ended, cancelled: 2 } }, 'cancelled'],
	['was cancelled in part', { progress: { ...ended, failures, cancelled: 1 } }, 'cancelled'],
];

suite('jobs › state of a wish', () => {
	for (const [name, facts, expected] of table) {
		test(`a wish that ${name} is ${expected}`, () => {
			const found = stateOfWish({
				...{ count: 2, progress: undefined, isAtWork: false, jobs: [], saved: 0 },
				...facts,
			});
			assert.equal(Object.values(found).join(' '), expected);
		});
	}
});
