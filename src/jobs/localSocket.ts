import { once } from 'node:events';
import { lstat, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EaselError, factsOfError, type FactsOf } from '../easelError.js';
import { codeOf } from '../files/fsErrors.js';

/**
 * A local socket on which a process listens as long as it lives and not a moment longer. So an
 * answer proves that it lives, which neither a reused process id nor a file left behind can fake.
 */
export interface LocalSocket {
	/**
	 * A path, or the name of a pipe on Windows. It is recorded in a lease, because a process with
	 * other environment variables could not work it out.
	 */
	readonly address: string;
	readonly server: Server;
	/** Stops listening at once, and leaves nothing behind. Open connections go on. */
	close(): Promise<void>;
}

/** Differences between systems; tests pass their own. */
export interface SocketPlatform {
	readonly system: NodeJS.Platform;
	/** Folders in which one for the socket may be made, best first. Unused on Windows. */
	readonly folders: readonly string[];
	/** The user's id; `undefined` on Windows. */
	readonly uid: number | undefined;
}

/** Returns the platform of this process. */
export function thisPlatform(): SocketPlatform {
	return {
		system: process.platform,
		// The last two are short: the path of a socket has a low limit.
		folders: [...new Set([tmpdir(), '/tmp', '/var/tmp'])],
		uid: process.getuid?.(),
	};
}

/**
 * Listens on an address that no other user can guess or take first. The socket lies in a private
 * folder of its own, because a process that can write into its folder can replace it.
 *
 * @throws {EaselError} where no folder will do; on Windows, which needs none, the system's error
 */
export async function listenLocally(
	onConnection: (socket: Socket) => void,
	{ system, folders, uid } = thisPlatform(),
): Promise<LocalSocket> {
	if (system === 'win32') {
		return listen(`\\\\.\\pipe\\easel-${crypto.randomUUID()}`, onConnection);
	}
	const tries: FactsOf<'socket.noFolder'>['tries'][number][] = [];
	for (const base of folders) {
		try {
			return await listenIn(base, uid, onConnection);
		} catch (error) {
			tries.push({ place: base, reason: factsOfError(error) });
		}
	}
	throw new EaselError({ code: 'socket.noFolder', tries });
}

/**
 * Connects to an address.
 *
 * @returns the connection, or the system's code where there is none: `ENOENT` and `ECONNREFUSED`
 * say that no process listens there, anything else that it is not known
 */
export async function connectLocally(address: string): Promise<Socket | string> {
	let socket: Socket | undefined;
	const timer = setTimeout(() => {
		socket?.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }));
	}, connectTimeoutMs);
	try {
		socket = connect(address);
		// Stays for later errors too: a process that dies resets its connections.
		socket.on('error', () => undefined);
		await once(socket, 'connect');
		return socket;
	} catch (error) {
		socket?.destroy();
		return codeOf(error) || 'EIO';
	} finally {
		clearTimeout(timer);
	}
}

/**
 * Removes the socket that a killed process has left, and its folder, if that is a private one of ours:
 * in a temporary folder that others share, it may be a link of theirs. Never throws.
 */
export async function removeSocket(
	address: string,
	{ system, uid }: Pick<SocketPlatform, 'system' | 'uid'> = thisPlatform(),
): Promise<void> {
	const folder = path.dirname(address);
	const isNamedSo = path.basename(address) === socketName && folderName.test(path.basename(folder));
	if (system === 'win32' || !isNamedSo) {
		return;
	}
	try {
		await assertPrivate(folder, uid);
		const found = await lstat(address).catch(() => undefined);
		if (found?.isSocket() === true) {
			await rm(address);
		}
		await rmdir(folder);
	} catch {
		// It is gone, or not ours.
	}
}

/** Longest path of a socket on every system, in bytes: macOS takes 104 with the final zero. */
export const maxSocketPath = 103;

/** A connection on one machine is made at once; after this time the other process hangs. */
const connectTimeoutMs = 5_000;

const folderPrefix = 'easel-';
const folderName = /^easel-[A-Za-z0-9]{6}$/;
const socketName = 's';

async function listenIn(
	base: string,
	uid: number | undefined,
	onConnection: (socket: Socket) => void,
): Promise<LocalSocket> {
	const folder = await mkdtemp(path.join(base, folderPrefix));
	try {
		await assertPrivate(folder, uid);
		const address = path.join(folder, socketName);
		const bytes = Buffer.byteLength(address);
		if (bytes > maxSocketPath) {
			throw new EaselError({ code: 'socket.longPath', bytes, maxBytes: maxSocketPath });
		}
		return await listen(address, onConnection);
	} catch (error) {
		await rm(folder, { recursive: true }).catch(() => undefined);
		throw error;
	}
}

/** @throws where it is no folder, or others can write into it */
async function assertPrivate(folder: string, uid: number | undefined): Promise<void> {
	const found = await lstat(folder);
	// Some file systems, and shares of other systems, have no owners or no modes.
	if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
		throw new EaselError({ code: 'socket.notPrivate' });
	}
}

async function listen(
	address: string,
	onConnection: (socket: Socket) => void,
): Promise<LocalSocket> {
	const server = createServer(onConnection).listen(address);
	await once(server, 'listening');
	// Later errors concern a single connection, and its own `close` reports them.
	server.on('error', () => undefined);
	return {
		address,
		server,
		close: async () => {
			server.close();
			await removeSocket(address);
		},
	};
}
