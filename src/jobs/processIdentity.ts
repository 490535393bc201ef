import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import type * as z from 'zod';
import type { leaseOwnerSchema } from './leaseOwner.js';
import { connectLocally, listenLocally, type LocalSocket } from './localSocket.js';
import type { Socket } from 'node:net';

export type LeaseOwner = z.infer<typeof leaseOwnerSchema>;

/** Marks of one machine, and of one start of it. */
export interface Machine extends Pick<LeaseOwner, 'machine' | 'boot' | 'pidNamespace'> {
	readonly system: NodeJS.Platform;
}

/** Time after `endsBy` from which an unreachable process counts as gone, in milliseconds. */
const graceMs = 60 * 60 * 1000;

/**
 * Returns whether the process behind a record lives. `gone` only on proof: nothing listens on its
 * address, seen from the machine that it ran on, or that machine was started anew since; or an hour
 * after `endsBy`, where it cannot be reached. Everything else is `unknown`: too many open files, a
 * process of an administrator, a storage that two machines or containers share.
 *
 * @param given this machine; tests pass their own
 * @param now the wall-clock time in milliseconds since 1970
 */
export async function ownerStatus(
	owner: LeaseOwner,
	given?: Machine,
	now = Date.now(),
): Promise<'alive' | 'gone' | 'unknown'> {
	const here = given ?? (await thisMachine());
	const { machine, boot } = owner;
	const isSameBoot = boot === here.boot;
	if (machine === here.machine && !isSameBoot && boot !== undefined && here.boot !== undefined) {
		return 'gone';
	}
	const reached = await connectLocally(owner.address);
	if (typeof reached !== 'string') {
		reached.destroy();
		return 'alive';
	}
	// A Mac changes its name with the network. On Linux, where containers share a start, another name
	// counts as another machine.
	const isSameMachine =
		machine === here.machine || (here.system !== 'linux' && here.boot !== undefined);
	if (isSameBoot && isSameMachine) {
		// No process has a socket that is there and refuses.
		if (reached === 'ECONNREFUSED') {
			return 'gone';
		}
		// The temporary folder of the process may have been cleaned, or be another one. Neither it nor the
		// processes of another container are visible from here.
		if (reached === 'ENOENT' && owner.pidNamespace === here.pidNamespace) {
			const { pid, started } = owner;
			const runs = started !== undefined && (await startOf(pid, here.system)) === started;
			return runs ? 'unknown' : 'gone';
		}
	}
	return now > Date.parse(owner.endsBy) + graceMs ? 'gone' : 'unknown';
}

/** Returns the name of the host that a process runs on. */
export function hostOf({ machine }: LeaseOwner): string {
	return machine.split(' ')[0]!;
}

/** The record of this process, and the socket that proves its life. */
export interface Presence {
	readonly owner: LeaseOwner;
	readonly socket: LocalSocket;
}

/** Listens on a local socket, and makes the record of this process. @throws {EaselError} */
export async function becomePresent(
	onConnection: (socket: Socket) => void,
	{ endsBy, job }: Pick<LeaseOwner, 'endsBy' | 'job'>,
): Promise<Presence> {
	const socket = await listenLocally(onConnection);
	const { system, ...machine } = await thisMachine();
	const { pid } = process;
	const started = await startOf(pid, system);
	const { address } = socket;
	// JSON leaves out what is not known.
	const owner = { id: crypto.randomUUID(), address, pid, started, ...machine, endsBy, job };
	return { socket, owner };
}

let known: Promise<Machine> | undefined;

function thisMachine(): Promise<Machine> {
	return (known ??= describeMachine());
}

/** Describes this machine, with the program that reports a Mac's last start; tests pass their own. */
export async function describeMachine(
	system: NodeJS.Platform = process.platform,
	sysctl = '/usr/sbin/sysctl',
): Promise<Machine> {
	const name = hostname();
	if (system !== 'linux') {
		const boot = system === 'darwin' ? await readBootOfMac(sysctl) : undefined;
		return { machine: name, boot, pidNamespace: undefined, system };
	}
	const id = await textOf('/etc/machine-id');
	return {
		machine: id === undefined ? name : `${name} ${id}`,
		boot: await textOf('/proc/sys/kernel/random/boot_id'),
		pidNamespace: await readlink('/proc/self/ns/pid').catch(() => undefined),
		system,
	};
}

function readBootOfMac(sysctl: string): Promise<string | undefined> {
	return promisify(execFile)(sysctl, ['-n', 'kern.bootsessionuuid']).then(
		({ stdout }) => stdout.trim(),
		() => undefined,
	);
}

/**
 * Returns when a process was started, in clock ticks since the machine was (proc(5), field 22 of
 * `stat`); `undefined` on other systems than Linux, or where there is no such process.
 */
async function startOf(pid: number, system: NodeJS.Platform): Promise<string | undefined> {
	const stat = system === 'linux' ? await textOf(`/proc/${String(pid)}/stat`) : undefined;
	// The second field is the program's name in parentheses, which may contain anything.
	const [state, ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
	// A zombie has ended; in a container often no process waits for it.
	return state === 'Z' ? undefined : fields[18];
}

async function textOf(file: string): Promise<string | undefined> {
	const text = await readFile(file, 'utf8').catch(() => '');
	return text.trim() || undefined;
}
