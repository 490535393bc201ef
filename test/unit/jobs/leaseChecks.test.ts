import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { LeaseOwner } from '../../../src/jobs/processIdentity.js';
import { now, workerLease, writeState } from '../../../src/jobs/jobFolder.js';
import { leaseFile, writeNextLease } from '../../../src/jobs/leaseFiles.js';
import { assertHeld, assertWanted } from '../../../src/jobs/workerJob.js';
import type { JobState, StateChange } from '../../../src/jobs/state.js';
import { CancelledError } from '../../../src/service/errors.js';
import { scratch as folder, useScratch } from '../scratch.js';

const owner = (): LeaseOwner => ({
	id: crypto.randomUUID(),
	address: '/nowhere',
	pid: process.pid,
	machine: 'here',
	endsBy: now(),
});

suite('jobs › lease checks', () => {
	useScratch();
	suite('a process', () => {
		const taken = /^LeaseLostError: another process requests this image now$/;

		test('has a job as long as the last lease is its own', async () => {
			const self = owner();
			await assert.rejects(assertHeld(folder, self), taken, 'before it has taken it');
			await writeNextLease(folder, workerLease, 0, self);
			await assertHeld(folder, self);
			await writeNextLease(folder, workerLease, 1, owner());
			await assert.rejects(assertHeld(folder, self), taken);
			await writeNextLease(folder, workerLease, 2, undefined);
			await assert.rejects(assertHeld(folder, self), taken, 'it is free');
		});

		test('is not overtaken where the owner of the job is unknown', async () => {
			await writeFile(leaseFile(folder, workerLease, 1), '{');
			await assert.rejects(assertHeld(folder, owner()), /^Error: the lease cannot be read$/);
			const nowhere = path.join(leaseFile(folder, workerLease, 1), 'below');
			await assert.rejects(assertHeld(nowhere, owner()), { code: 'ENOTDIR' });
		});
	});

	suite('an image', () => {
		const common = { attempts: [], changedAt: now() };
		const note = (change: StateChange) => writeState(folder, { ...common, ...change });
		const receiving: JobState = { ...common, state: 'receiving' };

		test('is wanted as long as no end of its job is noted', async () => {
			await assertWanted(folder, receiving);
			await note({ state: 'pausing' });
			await assertWanted(folder, receiving);
			await rm(path.join(folder, 'state.json'));
			await mkdir(path.join(folder, 'state.json'));
			await assertWanted(folder, receiving);
		});

		test('is not wanted where a window has cancelled it, with what this process knows of the money', async () => {
			await note({ state: 'cancelled', charge: 'notSent' });
			await assert.rejects(assertWanted(folder, receiving), (error: unknown) => {
				assert.ok(error instanceof CancelledError);
				assert.equal(error.charge, 'charged');
				return true;
			});
		});

		test('is another one’s where another end was noted', async () => {
			await note({ state: 'interrupted', charge: 'unknown' });
			const ended = /^LeaseLostError: it counts as interrupted already$/;
			await assert.rejects(assertWanted(folder, receiving), ended);
		});
	});
});
