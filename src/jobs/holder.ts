import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import * as z from 'zod';
import { connectLocally, listenLocally, type LocalSocket } from './localSocket.js';
import type { Socket } from 'node:net';

/** A process that can have a lease, as it stands in the lease's file. */
export const holderSchema = z.object({
	/** Made anew for each process. */
	id: z.uuid(),
	/** Where it listens as long as it lives. */
	address: z.string(),
	pid: z.number().int(),
	/** When the process was started, in the system's own count; Linux alone tells it. */
	started: z.string().optional(),
	/** The machine's name, and an identifier of its last start where the system has one. */
	machine: z.string(),
	boot: z.string().optional(),
	/** On Linux, which processes it sees: `pid:[4026531836]`. Earlier versions did not record it. */
	pidNamespace: z.string().optional(),
	/** When it is expected to have ended at the latest, wall-clock time, ISO 8601. */
	endsBy: z.iso.datetime(),
	/** Of a worker, the job that it works on. */
	job: z.uuid().optional(),
});

export type Holder = z.infer<typeof holderSchema>;

/**
 * Whether a process lives. `gone` only on proof: nothing listens on its address, seen from the
 * machine that it ran on, or that machine was started anew since; or an hour after `endsBy`, where
 * it cannot be reached. Everything else is `unknown`: too many open files, a process of an
 * administrator, a storage that two machines share.
 */
export type Liveness = 'alive' | 'gone' | 'unknown';

/** What tells one machine, and one start of it, from another. */
export interface Machine {
	readonly machine: string;
	readonly boot: string | undefined;
	readonly pidNamespace?: string | undefined;
	/** On Linux containers share a start, and do not see each other's processes. */
	readonly system: NodeJS.Platform;
}

/** So long after `endsBy` a process that cannot be reached counts as gone, in milliseconds. */
const graceMs = 60 * 60 * 1000;

/**
 * Whether the process behind a record lives, as far as it can be known from this machine.
 *
 * @param here, now this machine, and the wall-clock time in milliseconds since 1970; given for
 * tests
 */
export async function livenessOf(
	holder: Holder,
	here?: Machine,
	now = Date.now(),
): Promise<Liveness> {
	const found = await look(holder, here ?? (await thisMachine()));
	if (found === 'unreachable') {
		return now > Date.parse(holder.endsBy) + graceMs ? 'gone' : 'unknown';
	}
	return found === 'runs' ? 'unknown' : found;
}

/** `runs`: its process is there, though nothing listens on its address any more. */
async function look(
	holder: Holder,
	here: Machine,
): Promise<'alive' | 'gone' | 'runs' | 'unreachable'> {
	const isSameBoot = holder.boot === here.boot;
	const isSameName = holder.machine === here.machine;
	if (isSameName && !isSameBoot && holder.boot !== undefined && here.boot !== undefined) {
		return 'gone';
	}
	const reached = await connectLocally(holder.address);
	if (typeof reached !== 'string') {
		reached.destroy();
		return 'alive';
	}
	// A Mac changes its name with the network. A Linux container has its own name and processes,
	// so on Linux another name counts as another machine.
	const isHere = isSameBoot && (isSameName || (here.system !== 'linux' && here.boot !== undefined));
	if (!isHere || !['ENOENT', 'ECONNREFUSED'].includes(reached)) {
		return 'unreachable';
	}
	// A socket that is there and refuses has nobody, whoever has made it.
	if (reached === 'ECONNREFUSED') {
		return 'gone';
	}
	if (isInOtherContainer(holder, here)) {
		return 'unreachable';
	}
	// Something may have cleaned the temporary folder while the process goes on, or its temporary
	// folder is another one.
	const isThere =
		holder.started !== undefined && (await startOf(holder.pid, here.system)) === holder.started;
	return isThere ? 'runs' : 'gone';
}

/**
 * Whether a process may live in another container of this kernel, whose processes and temporary
 * folder are not to be seen from here. Containers on the host's network all have the host's name. A
 * name that was made from a container's identifier is its own: then it was restarted.
 */
function isInOtherContainer({ machine, pidNamespace }: Holder, here: Machine): boolean {
	return (
		pidNamespace !== undefined &&
		here.pidNamespace !== undefined &&
		pidNamespace !== here.pidNamespace &&
		!/^[0-9a-f]{12}( |$)/.test(machine)
	);
}

/** The name of the host that a process runs on. */
export function hostOf({ machine }: Holder): string {
	return machine.split(' ')[0]!;
}

/** The record of this process, and the socket that proves its life. */
export interface Presence {
	readonly holder: Holder;
	readonly socket: LocalSocket;
}

/**
 * Listens on a local socket, and makes the record of this process.
 *
 * @throws {LocalSocketError} where it cannot listen
 */
export async function becomePresent(
	onConnection: (socket: Socket) => void,
	{ endsBy, job }: Pick<Holder, 'endsBy' | 'job'>,
): Promise<Presence> {
	const socket = await listenLocally(onConnection);
	const { machine, boot, pidNamespace } = await thisMachine();
	const started = await startOf(process.pid, process.platform);
	const id = crypto.randomUUID();
	const { address } = socket;
	// What is not known does not stand in the record: JSON leaves it out.
	const { pid } = process;
	const holder = { id, address, pid, machine, endsBy, started, boot, pidNamespace, job };
	return { socket, holder };
}

let known: Promise<Machine> | undefined;

async function thisMachine(): Promise<Machine> {
	return (known ??= describeMachine());
}

/**
 * Describes this machine.
 *
 * @param sysctl the program that tells a Mac's last start; tests give their own
 */
export async function describeMachine(
	system: NodeJS.Platform = process.platform,
	sysctl = '/usr/sbin/sysctl',
): Promise<Machine> {
	const id = system === 'linux' ? await textOf('/etc/machine-id') : undefined;
	return {
		machine: id === undefined ? hostname() : `${hostname()} ${id}`,
		boot: await bootOf(system, sysctl),
		pidNamespace: system === 'linux' ? await pidNamespace() : undefined,
		system,
	};
}

async function bootOf(system: NodeJS.Platform, sysctl: string): Promise<string | undefined> {
	if (system === 'linux') {
		return textOf('/proc/sys/kernel/random/boot_id');
	}
	if (system !== 'darwin') {
		return undefined;
	}
	return promisify(execFile)(sysctl, ['-n', 'kern.bootsessionuuid']).then(
		({ stdout }) => stdout.trim(),
		() => undefined,
	);
}

/**
 * When a process was started, in clock ticks since the machine was (proc(5), field 22 of `stat`);
 * `undefined` on other systems than Linux, or where there is no such process.
 */
async function startOf(pid: number, system: NodeJS.Platform): Promise<string | undefined> {
	const stat = system === 'linux' ? await textOf(`/proc/${String(pid)}/stat`) : undefined;
	// The second field is the program's name in parentheses, which may contain anything.
	const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
	// A zombie has ended; in a container often no process waits for it.
	return state === 'Z' ? undefined : fields[18];
}

async function pidNamespace(): Promise<string | undefined> {
	return readlink('/proc/self/ns/pid').catch(() => undefined);
}

async function textOf(file: string): Promise<string | undefined> {
	return readFile(file, 'utf8').then(
		(text) => text.trim() || undefined,
		() => undefined,
	);
}
