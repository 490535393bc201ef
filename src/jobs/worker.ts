// The process that asks for one image. It outlives the window that started it, because the one
// open connection is the only way to the result. Entry of its own bundle.
import { once } from 'node:events';
import type { StartErrors } from '../easelError.js';
import { retryTransient } from '../files/retryTransient.js';
import { becomePresent, ownerStatus, type LeaseOwner } from './processIdentity.js';
import { readEntry, workerLease } from './jobFolder.js';
import { readLease, writeNextLease } from './leaseFiles.js';
import { removeSocket } from './localSocket.js';
import { describe } from './interruption.js';
import type { Slot } from './slots.js';
import { OutputRedactor } from './outputRedactor.js';
import { Job, maxLifeMs } from './workerJob.js';
import {
	lineOf,
	workerInputSchema,
	type StartMessage,
	type WorkerInput,
} from './workerProtocol.js';

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
	const input = workerInputSchema.parse(order(await firstLine()));
	redactor = new OutputRedactor(input);
	redactor.guard(process.stderr);
	const entry = await readEntry(input.folder);
	const maxMs = maxLifeMs(input);
	const endsBy = new Date(Date.now() + maxMs).toISOString();

	const job = new Job(entry, input, redactor);
	// Whatever may hang, no worker runs for ever that holds nothing.
	setInterval(() => {
		if (!job.isHolding) {
			process.exit(1);
		}
	}, maxMs).unref();
	const { owner, socket } = await becomePresent((window) => job.clients.add(window), {
		endsBy,
		job: entry.request.id,
	});
	/** The one that this process has. */
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
			await giveBackSlot(slot);
		}
	}
}

/**
 * Makes sure that no other process asks for this image, nor has its slot.
 *
 * @returns why this process must not ask; `undefined` where it may
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
	if (last?.owner !== undefined) {
		if ((await ownerStatus(last.owner)) !== 'gone') {
			return { code: 'start.requested' };
		}
		await removeSocket(last.owner.address);
	}
	if (!(await writeNextLease(folder, workerLease, last?.number ?? 0, owner))) {
		return { code: 'start.requested' };
	}
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
 * Gives the slot back, for whoever cannot see that this process has ended, as on a machine of
 * another name. Where another one has it by now, that keeps it. Never throws: what cannot be given
 * back is left as by a crash.
 */
async function giveBackSlot({ folder, name, number }: Slot): Promise<void> {
	// A disk that hangs must not keep this process: `exit` would wait for it, too.
	const timer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), giveBackTimeoutMs);
	try {
		await retryTransient(() => writeNextLease(folder, name, number + 1, undefined));
	} catch {
		// The image has its end, which a slot does not change.
	} finally {
		clearTimeout(timer);
	}
}

/** A disk that refuses is tried for 2 s. */
const giveBackTimeoutMs = 5_000;

function say(message: StartMessage): void {
	process.stdout.write(lineOf(redactor.clean(message)));
}

function order(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		// Its own words would repeat some of the order, and with it the key.
		throw new Error('the order is no JSON');
	}
}

async function firstLine(): Promise<string> {
	let text = '';
	process.stdin.setEncoding('utf8');
	while (!text.includes('\n')) {
		const [piece] = (await once(process.stdin, 'data')) as [string];
		text += piece;
	}
	process.stdin.destroy();
	return text;
}

main().catch((error: unknown) => {
	// A window that waits for the start hears of it; afterwards it is found in the worker's output.
	say({ type: 'refused', error: redactor.facts(error) });
	process.stderr.write(`${describe(error)}\n`);
	process.exitCode = 1;
});
