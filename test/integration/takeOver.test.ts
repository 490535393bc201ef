import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { offerTakeOver } from '../../src/features/recovery/index.js';
import { windowLease } from '../../src/jobs/jobFolder.js';
import { readLease, writeNextLease } from '../../src/jobs/leaseFiles.js';
import { Leases } from '../../src/jobs/windowLeases.js';
import { until } from '../host/until.js';
import { atEnd } from './atEnd.js';
import { ShownMessages } from './shownMessages.js';

/** It need not be unclear for half a minute. */
class HurriedLeases extends Leases {
	override unreachableHosts(): ReadonlyMap<string, number> {
		return super.unreachableHosts(0);
	}
}

suite('An image that waits for a window of another machine', () => {
	test('is reported once, and taken over where the user agrees', async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'easel-take-over-'));
		const shown = new ShownMessages(['showWarningMessage'], () => 'Take Over');
		const leases = new HurriedLeases();
		await writeNextLease(folder, windowLease, 0, {
			id: crypto.randomUUID(),
			address: '/nowhere/easel-gone00/s',
			pid: 1,
			machine: 'login1 0123',
			endsBy: new Date(Date.now() + 3_600_000).toISOString(),
		});
		const taking = leases.acquireWhenFree(folder, windowLease);
		await until(() => leases.unreachableHosts().size === 1, 'the lease to be unclear');
		const offering = offerTakeOver(leases, 10);
		atEnd(() => rm(folder, { recursive: true, maxRetries: 10 }));
		atEnd(() => leases.dispose());
		atEnd(() => clearInterval(offering));
		assert.equal(await taking, true);
		assert.equal((await readLease(folder, windowLease))?.number, 3);
		assert.deepEqual(shown.reported, [
			'1 image waits for a window on login1 that Easel cannot reach. Take over if that window is closed or that machine is off. | Take Over',
		]);
	});
});
