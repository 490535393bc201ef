import { savedFileLookup } from '../../src/generation/destination.js';
import { FinishedJobs } from '../../src/jobs/finishedJobs.js';
import type { Gallery } from '../../src/jobs/gallery.js';
import { windowLease } from '../../src/jobs/jobFolder.js';
import { Ledger } from '../../src/jobs/ledger.js';
import type { Leases } from '../../src/jobs/windowLeases.js';

/** Returns the part of the extension that removes jobs at their end, with a storage of its own. */
export function finishedJobs(storage: string, gallery: Gallery, leases: Leases): FinishedJobs {
	return new FinishedJobs({
		gallery,
		ledger: new Ledger(storage),
		images: savedFileLookup,
		onRemoved: (folder) => {
			leases.release(folder, windowLease).catch(() => undefined);
		},
	});
}
