import { readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Server, Socket } from 'node:net';
import { connectTo, isAnswered, listenOn } from './endpoint.js';

/**
 * Decides which of several windows takes care of a job. A claim is a file's name in the job's
 * folder, and it changes hands by renaming, which only one process can do. It holds as long as
 * its window lives: every window listens on a socket of its own name.
 */
export class Claims {
	readonly #name = `window-${crypto.randomUUID()}`;
	readonly #others = new Set<Socket>();
	#server: Promise<Server> | undefined;
	#disposed = false;

	/** Returns whether this window has the job now: it is new, or was left by a dead window. */
	async take(folder: string): Promise<boolean> {
		await this.#listen();
		const mine = path.join(folder, `${this.#name}${suffix}`);
		const holder = await holderOf(folder);
		if (holder === undefined) {
			// Only the window that makes a job writes the first claim, so nobody competes.
			await writeFile(mine, '', { flag: 'wx' });
			return true;
		}
		if (holder === this.#name) {
			return true;
		}
		if (await isAnswered(holder)) {
			return false;
		}
		try {
			await rename(path.join(folder, `${holder}${suffix}`), mine);
			return true;
		} catch {
			// Another window was quicker.
			return false;
		}
	}

	/**
	 * Takes the job as soon as the window that has it is gone: at once after a crash, a moment after
	 * a reload, whose old extension host lives on for a while. `false` where this window ends first.
	 */
	async takeWhenFree(folder: string): Promise<boolean> {
		while (!this.#disposed) {
			if (await this.take(folder)) {
				return true;
			}
			const holder = await holderOf(folder);
			const socket = holder === undefined ? undefined : await connectTo(holder);
			if (socket !== undefined) {
				this.#keep(socket);
				await new Promise((resolve) => socket.once('close', resolve));
			}
		}
		return false;
	}

	async dispose(): Promise<void> {
		this.#disposed = true;
		(await this.#server)?.close();
		for (const socket of this.#others) {
			socket.destroy();
		}
	}

	async #listen(): Promise<void> {
		this.#server ??= listenOn(this.#name, (socket) => {
			this.#keep(socket);
		});
		(await this.#server).unref();
	}

	/** Connections stay open, so that each side hears of the other's end. */
	#keep(socket: Socket): void {
		this.#others.add(socket);
		socket.unref();
		socket.resume();
		socket.on('error', () => socket.destroy());
		socket.on('close', () => this.#others.delete(socket));
	}
}

const suffix = '.claim';

/** The name of the window that has the job, living or dead. */
async function holderOf(folder: string): Promise<string | undefined> {
	const claim = (await readdir(folder)).find((name) => name.endsWith(suffix));
	return claim?.slice(0, -suffix.length);
}
