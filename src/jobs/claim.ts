import { readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Server } from 'node:net';
import { isAnswered, listenOn } from './endpoint.js';

/**
 * Decides which of several windows takes care of a job. A claim is a file's name in the job's
 * folder, and it changes hands by renaming, which only one process can do. It holds as long as
 * its window lives: every window listens on a socket of its own name.
 */
export class Claims {
	readonly #name = `window-${crypto.randomUUID()}`;
	#server: Promise<Server> | undefined;

	/** Returns whether this window has the job now: it is new, or was left by a dead window. */
	async take(folder: string): Promise<boolean> {
		await this.#listen();
		const mine = path.join(folder, `${this.#name}${suffix}`);
		const present = (await readdir(folder)).find((name) => name.endsWith(suffix));
		if (present === undefined) {
			// Only the window that makes a job writes the first claim, so nobody competes.
			await writeFile(mine, '', { flag: 'wx' });
			return true;
		}
		const holder = present.slice(0, -suffix.length);
		if (holder === this.#name) {
			return true;
		}
		if (await isAnswered(holder)) {
			return false;
		}
		try {
			await rename(path.join(folder, present), mine);
			return true;
		} catch {
			return false;
		}
	}

	async dispose(): Promise<void> {
		(await this.#server)?.close();
	}

	async #listen(): Promise<void> {
		this.#server ??= listenOn(this.#name, (socket) => socket.destroy());
		(await this.#server).unref();
	}
}

const suffix = '.claim';
