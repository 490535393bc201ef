import { lstat, mkdtemp, rm, rmdir } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EaselError } from '../easelError.js';
import { codeOf } from '../files/fsErrors.js';

/**
 * A local socket on which a process listens as long as it lives and not a moment longer. So an
 * answer proves that it lives, which neither a reused process id nor a file left behind can fake.
 * Its address is recorded in a lease: another process may have other environment variables, and
 * could not work the address out.
 */
export interface LocalSocket {
	/** A path, or the name of a pipe on Windows. */
	readonly address: string;
	readonly server: Server;
	/** Stops listening at once, and leaves nothing behind. Open connections go on. */
	close(): Promise<void>;
}

/** What differs between systems; tests give their own. */
export interface SocketPlatform {
	readonly system: NodeJS.Platform;
	/** Where a folder for the socket may be made, best first. Not looked at on Windows. */
	readonly folders: readonly string[];
	/** The user's id; `undefined` on Windows. */
	readonly uid: number | undefined;
}

/** The platform of this process. */
export function thisPlatform(): SocketPlatform {
	return {
		system: process.platform,
		// The last two are short: the path of a socket has a low limit.
		folders: [...new Set([tmpdir(), '/tmp', '/var/tmp'])],
		uid: process.getuid?.(),
	};
}

/** There is no folder for a socket on this machine. `message` says what to do. */
export class LocalSocketError extends EaselError {
	override readonly name = 'LocalSocketError';
}

/**
 * Listens on an address that no other user can guess or take first. The socket lies in a private
 * folder that is made for it, because who can write into the folder of a socket can replace it.
 *
 * @throws {LocalSocketError} where no folder will do; on Windows, which needs none, the system's
 * error
 */
export async function listenLocally(
	onConnection: (socket: Socket) => void,
	platform = thisPlatform(),
): Promise<LocalSocket> {
	if (platform.system === 'win32') {
		const address = pipeName(crypto.randomUUID());
		const server = await listen(address, onConnection);
		return {
			address,
			server,
			close: () => {
				server.close();
				return Promise.resolve();
			},
		};
	}
	const refusals: string[] = [];
	for (const base of platform.folders) {
		let folder: string | undefined;
		try {
			assertShort(socketPath(path.join(base, `${folderPrefix}xxxxxx`)));
			folder = await mkdtemp(path.join(base, folderPrefix));
			await assertOurs(folder, platform.uid);
			const address = socketPath(folder);
			const server = await listen(address, onConnection);
			return {
				address,
				server,
				close: async () => {
					server.close();
					await removeSocket(address, platform);
				},
			};
		} catch (error) {
			refusals.push(`${base}: ${error instanceof Error ? error.message : String(error)}`);
			if (folder !== undefined) {
				await rm(folder, { recursive: true }).catch(() => undefined);
			}
		}
	}
	throw new LocalSocketError(
		`Easel found no folder for its local socket (${refusals.join('; ')}). Set the environment variable TMPDIR to a writable folder with a short path, and restart VS Code.`,
	);
}

/**
 * Connects to an address.
 *
 * @returns the connection, or the system's code where there is none: `ENOENT` and `ECONNREFUSED`
 * say that nobody listens there, anything else that it is not known
 */
export async function connectLocally(address: string): Promise<Socket | string> {
	const connecting = Promise.withResolvers<Socket | string>();
	let socket: Socket;
	try {
		socket = connect(address);
	} catch (error) {
		return codeOf(error) || 'EINVAL';
	}
	const timer = setTimeout(() => {
		connecting.resolve('ETIMEDOUT');
	}, longestConnectMs);
	socket.once('connect', () => {
		connecting.resolve(socket);
	});
	// Stays for later errors too: a process that dies resets its connections.
	socket.on('error', (error) => {
		connecting.resolve(codeOf(error) || 'EIO');
	});
	try {
		const result = await connecting.promise;
		if (typeof result === 'string') {
			socket.destroy();
		}
		return result;
	} finally {
		clearTimeout(timer);
	}
}

/**
 * Removes the socket that a killed process has left, and its folder. Does nothing where the address
 * is not one of ours or the folder not private to this user.
 */
export async function removeSocket(address: string, platform = thisPlatform()): Promise<void> {
	const folder = path.dirname(address);
	if (
		platform.system === 'win32' ||
		path.basename(address) !== socketName ||
		!folderName.test(path.basename(folder))
	) {
		return;
	}
	try {
		await assertOurs(folder, platform.uid);
		const found = await lstat(address).catch(() => undefined);
		if (found?.isSocket() === true) {
			await rm(address);
		}
		await rmdir(folder);
	} catch {
		// It is gone, or not ours. The system tidies its temporary folder too.
	}
}

/** Longest path of a socket on every system, in bytes: macOS takes 104 with the final zero. */
export const longestSocketPath = 103;

/** A connection on one machine is made at once; after this time the other process hangs. */
const longestConnectMs = 5_000;

const folderPrefix = 'easel-';
const folderName = /^easel-[A-Za-z0-9]{6}$/;
const socketName = 's';

function socketPath(folder: string): string {
	return path.join(folder, socketName);
}

/** The name of a pipe; Windows allows 256 characters. */
function pipeName(id: string): string {
	return `\\\\.\\pipe\\easel-${id}`;
}

function assertShort(address: string): void {
	const bytes = Buffer.byteLength(address);
	if (bytes > longestSocketPath) {
		throw new Error(
			`a path of ${String(bytes)} bytes is longer than the ${String(longestSocketPath)} that a socket may have`,
		);
	}
}

/** @throws where it is a link, no folder, of another user, or open to others */
async function assertOurs(folder: string, uid: number | undefined): Promise<void> {
	const found = await lstat(folder);
	if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0) {
		throw new Error('a folder there is not private to you');
	}
}

async function listen(address: string, onConnection: (socket: Socket) => void): Promise<Server> {
	const server = createServer(onConnection);
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(address, resolve);
	});
	// Later errors concern a single connection, and its own `close` tells of them.
	server.on('error', () => undefined);
	return server;
}
