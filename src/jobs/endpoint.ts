import { chmod, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';

/**
 * Local sockets by name. A process listens on one as long as it lives and not a moment longer, so
 * "somebody answers" is the one proof of life that neither a reused process id nor a file that was
 * left behind can fake.
 */
export async function listenOn(
	name: string,
	onConnection: (socket: Socket) => void,
): Promise<Server> {
	const address = await addressOf(name);
	if (!isPipe && !(await isAnswered(name))) {
		await rm(address, { force: true });
	}
	const server = createServer(onConnection);
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(address, resolve);
	});
	return server;
}

/** Connects, or resolves to `undefined` where nobody listens. */
export async function connectTo(name: string): Promise<Socket | undefined> {
	const socket = connect(await addressOf(name));
	return new Promise((resolve) => {
		socket.once('connect', () => {
			resolve(socket);
		});
		// Also later: a process that dies resets its connections, which is how one learns of it.
		socket.on('error', () => {
			socket.destroy();
			resolve(undefined);
		});
	});
}

/** Whether the process that listens on this name lives. */
export async function isAnswered(name: string): Promise<boolean> {
	const socket = await connectTo(name);
	socket?.destroy();
	return socket !== undefined;
}

/** Removes what processes that were killed have left: names that nobody has used for a day. */
export async function sweepEndpoints(time = Date.now()): Promise<void> {
	if (isPipe) {
		return;
	}
	const folder = path.dirname(await addressOf('x'));
	for (const name of await readdir(folder)) {
		const file = path.join(folder, name);
		// Others come and go meanwhile.
		const found = await stat(file).catch(() => undefined);
		const age = found === undefined ? 0 : time - found.mtimeMs;
		if (age > 24 * 60 * 60 * 1000 && !(await isAnswered(name))) {
			await rm(file, { force: true });
		}
	}
}

const isPipe = process.platform === 'win32';

async function addressOf(name: string): Promise<string> {
	if (isPipe) {
		return `\\\\.\\pipe\\easel-${name}`;
	}
	// Paths of sockets have at most 104 bytes on macOS, so they cannot lie beside the job.
	const folder = path.join(tmpdir(), `easel-${String(userInfo().uid)}`);
	await mkdir(folder, { recursive: true, mode: 0o700 });
	await chmod(folder, 0o700);
	return path.join(folder, name);
}
