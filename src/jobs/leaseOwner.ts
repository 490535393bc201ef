import * as z from 'zod';

/** A process that can have a lease, as the lease's file has it. */
export const leaseOwnerSchema = z.object({
	/** Made anew for each process. */
	id: z.uuid(),
	/** Address at which it listens as long as it lives. */
	address: z.string(),
	pid: z.number().int(),
	/** When the process was started, in the system's own count; only on Linux. */
	started: z.string().optional(),
	/** The machine's name, and an identifier of its last start where the system has one. */
	machine: z.string(),
	boot: z.string().optional(),
	/** On Linux, which processes it sees: `pid:[4026531836]`. */
	pidNamespace: z.string().optional(),
	/** When it is expected to have ended at the latest, wall-clock time, ISO 8601. */
	endsBy: z.iso.datetime(),
	/** The job that a worker works on. */
	job: z.uuid().optional(),
});
