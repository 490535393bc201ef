import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import * as z from 'zod';
import { connectLocally, listenLocally, type LocalSocket } from './localSocket.js';
import type { Socket } from 'node:net';

/** A process that can hold something, as it is recorded where it holds it. */
export const holderSchema = z.object({
	/** Made anew for each process. */
	id: z.uuid(),
	/** Where it listens as long as it lives. */
	address: z.string(),
	pid: z.number().int(),
	/** When the process was started, as the system counts it, where it tells. */
	started: z.string().optional(),
	/** The machine, and since when it runs, where the system tells it. */
	machine: z.string(),
	boot: z.string().optional(),
	/** When it will have ended at the latest. */
	endsBy: z.iso.datetime(),
	/** The job that it works on, of a worker. */
	job: z.uuid().optional(),
});

export type Holder = z.infer<typeof holderSchema>;

/**
 * Whether a process lives. `gone` only on proof: nobody listens where it did, on the machine that it
 * ran on, or that machine was started anew since. Everything else is `unknown`: too many open files,
 * a process of an administrator, a storage that two machines share.
 */
export type Liveness = 'alive' | 'gone' | 'unknown';

/** What tells one machine, and one time that it runs, from another. */
export interface Machine {
	readonly machine: string;
	readonly boot: string | undefined;
	/** Names of processes mean the same in all of it: false for containers that share a kernel. */
	readonly system: NodeJS.Platform;
}

/** Beyond the time when a process must have ended, it counts as gone whatever is not known. */
const graceMs = 60 * 60 * 1000;

/** Whether the process behind a record lives, as far as it can be known from this machine. */
export async function livenessOf(
	holder: Holder,
	here?: Machine,
	now = Date.now(),
): Promise<Liveness> {
	const found = await look(holder, here ?? (await thisMachine()));
	return found === 'unknown' && now > Date.parse(holder.endsBy) + graceMs ? 'gone' : found;
}

async function look(holder: Holder, here: Machine): Promise<Liveness> {
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
	// A Mac gets other names in other networks; a container has a name and processes of its own.
	const isHere = isSameBoot && (isSameName || (here.system !== 'linux' && here.boot !== undefined));
	if (!isHere || !['ENOENT', 'ECONNREFUSED'].includes(reached)) {
		return 'unknown';
	}
	// Somebody may have tidied the temporary folder below a process that goes on.
	const isThere =
		reached === 'ENOENT' &&
		holder.started !== undefined &&
		(await startOf(holder.pid, here.system)) === holder.started;
	return isThere ? 'unknown' : 'gone';
}

/** The record of this process, and the socket that proves its life. */
export interface Presence {
	readonly holder: Holder;
	readonly socket: LocalSocket;
}

/** Listens, and describes this process to others. */
export async function becomePresent(
	onConnection: (socket: Socket) => void,
	{ endsBy, job }: Pick<Holder, 'endsBy' | 'job'>,
): Promise<Presence> {
	const socket = await listenLocally(onConnection);
	const { machine, boot } = await thisMachine();
	const started = await startOf(process.pid, process.platform);
	const id = crypto.randomUUID();
	const { address } = socket;
	// What is not known does not stand in the record: JSON leaves it out.
	const holder = { id, address, pid: process.pid, machine, endsBy, started, boot, job };
	return { socket, holder };
}

let known: Promise<Machine> | undefined;

async function thisMachine(): Promise<Machine> {
	return (known ??= describeMachine());
}

/** @param sysctl the program that a Mac has for it; tests give their own */
export async function describeMachine(
	system: NodeJS.Platform = process.platform,
	sysctl = '/usr/sbin/sysctl',
): Promise<Machine> {
	const id = system === 'linux' ? await textOf('/etc/machine-id') : undefined;
	return {
		machine: id === undefined ? hostname() : `${hostname()} ${id}`,
		boot: await bootOf(system, sysctl),
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

/** When a process was started, in ticks since the machine was (proc(5), field 22 of `stat`). */
async function startOf(pid: number, system: NodeJS.Platform): Promise<string | undefined> {
	const stat = system === 'linux' ? await textOf(`/proc/${String(pid)}/stat`) : undefined;
	// The second field is the program's name in parentheses, which may contain anything.
	return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

async function textOf(file: string): Promise<string | undefined> {
	return readFile(file, 'utf8').then(
		(text) => text.trim() || undefined,
		() => undefined,
	);
}
