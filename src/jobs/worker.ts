// The process that requests one image. It outlives the window that started it, because the one open
// connection is the only way to the result. Entry of its own bundle.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { StartErrors } from '../easelError.js';
import { retryTransient } from '../files/retryTransient.js';
import { becomePresent, type LeaseOwner } from './processIdentity.js';
import { readEntry, workerLease } from './jobFolder.js';
import { leaseStatus, ownerOf, readLease, writeNextLease } from './leaseFiles.js';
import { removeSocket } from './localSocket.js';
import { describe } from './interruption.js';
import type { Slot } from './slots.js';
import { OutputRedactor } from './outputRedactor.js';
import { WorkerJob, maxLifeMs } from './workerJob.js';
import { toMessageLine } from './messageLines.js';
import { workerInputSchema, type StartMessage, type WorkerInput } from './workerProtocol.js';

/** Until the order is here, there is no key. */
let redactor = new OutputRedactor();

async function main(): Promise<void> {
	// Without a listener, Node opens its inspector, and with it the key, to all users of the machine.
	process.on('SIGUSR1', () => undefined);
	for (const stream of [process.stdout, process.stderr]) {
		// The window listens only until this process is ready; that writing fails later is no harm.
		stream.on('error', () => undefined);
	}
	say({ type: 'hello', node: process.versions.node });
	const [line] = (await once(createInterface({ input: process.stdin }), 'line')) as [string];
	process.stdin.destroy();
	const input = workerInputSchema.parse(order(line));
	redactor = new OutputRedactor(input);
	redactor.guard(process.stderr);
	const entry = await readEntry(input.folder);
	const maxMs = maxLifeMs(input);
	const job = new WorkerJob(entry, input, redactor);
	// Whatever may hang, no worker that holds nothing runs for ever.
	setInterval(() => {
		if (!job.isHolding) {
			process.exit(1);
		}
	}, maxMs).unref();
	const { owner, socket } = await becomePresent((window) => job.clients.add(window), {
		endsBy: new Date(Date.now() + maxMs).toISOString(),
		job: entry.request.id,
	});
	/** The one that this process has by now. */
	let slot: Slot | undefined;
	try {
		const refusal = await takeLeases(input, owner);
		if (refusal !== undefined) {
			say({ type: 'refused', error: refusal });
			return;
		}
		({ slot } = input);
		say({ type: 'ready' });
		await job.run(owner);
	} finally {
		job.clients.disconnect();
		await socket.close();
		if (slot !== undefined) {
			await releaseSlot(slot);
		}
	}
}

/**
 * Takes the leases of the job and of its slot.
 *
 * @returns why this process must not request the image; `undefined` where it may
 * @throws the system's error
 */
async function takeLeases(
	{ folder, slot }: WorkerInput,
	owner: LeaseOwner,
): Promise<StartErrors | undefined> {
	const last = await readLease(folder, workerLease);
	if (last?.owner === 'unreadable') {
		return { code: 'start.unchecked' };
	}
	const isFree = (await leaseStatus(last)) === 'free';
	if (!isFree || !(await writeNextLease(folder, workerLease, last?.number ?? 0, owner))) {
		return { code: 'start.requested' };
	}
	await removeSocket(ownerOf(last)?.address ?? '');
	// Read only now: the process that had the lease before may have changed it until then.
	const { state } = await readEntry(folder);
	if (state.state !== 'queued') {
		return { code: 'start.requestedBefore', state: state.state };
	}
	if (slot !== undefined && !(await writeNextLease(slot.folder, slot.name, slot.number, owner))) {
		return { code: 'start.slotTaken' };
	}
	return undefined;
}

/**
 * Releases the slot for processes that cannot see that this one has ended, as on a machine of another
 * name. One that has it by now keeps it. Never throws: what cannot be released is left as by a crash.
 */
async function releaseSlot({ folder, name, number }: Slot): Promise<void> {
	// A disk that hangs must not keep this process: `exit` would wait for it, too.
	const timer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), releaseTimeoutMs);
	try {
		await retryTransient(() => writeNextLease(folder, name, number + 1, undefined));
	} catch {
		// The image has its end, which a slot does not change.
	} finally {
		clearTimeout(timer);
	}
}

/** A disk that refuses is tried for 2 s. */
const releaseTimeoutMs = 5_000;

function say(message: StartMessage): void {
	process.stdout.write(toMessageLine(redactor.clean(message)));
}

function order(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		// Its own words would repeat some of the order, and with it the key.
		throw new Error('the order is no JSON');
	}
}

main().catch((error: unknown) => {
	// A window that waits for the start hears of it; later it is found in the worker's output.
	say({ type: 'refused', error: redactor.facts(error) });
	process.stderr.write(`${describe(error)}\n`);
	process.exitCode = 1;
});
