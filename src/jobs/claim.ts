import { readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Server, Socket } from 'node:net';
import { connectTo, isAnswered, listenOn } from './endpoint.js';

/**
 * Decides which of several processes has a folder: a job, or a place among those that are asked
 * for at the same time. A claim is a file's name in that folder, and it changes hands by renaming,
 * which only one process can do. It holds as long as the process of that name lives: each listens
 * on a socket of its own name.
 */
export class Claims {
	readonly #name = `window-${crypto.randomUUID()}`;
	readonly #others = new Set<Socket>();
	#server: Promise<Server> | undefined;
	#disposed = false;

	/** Returns whether this window has the folder now: it had it, or nobody who lives has. */
	async take(folder: string): Promise<boolean> {
		return (await holderOf(folder)) === this.#name || this.takeFree(folder);
	}

	/** As {@link take}, but `false` where this window has it already. */
	async takeFree(folder: string): Promise<boolean> {
		await this.#listen();
		const holder = (await holderOf(folder)) ?? (await offer(folder));
		return holder !== this.#name && !(await isAnswered(holder)) && hand(folder, holder, this.#name);
	}

	/** Hands what this window has to the process that listens on this name, or to {@link nobody}. */
	async pass(folder: string, to: string): Promise<void> {
		await hand(folder, this.#name, to);
	}

	/**
	 * Takes the folder as soon as the window that has it is gone: at once after a crash, a moment
	 * after a reload, whose old extension host lives on for a while. `false` where this window ends
	 * first.
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

/** The name on which no process listens: what it has is free. */
export const nobody = 'nobody';

const suffix = '.claim';

/** The name of the process that has the folder, living or dead; `undefined` before the first. */
export async function holderOf(folder: string): Promise<string | undefined> {
	const claim = (await readdir(folder)).find((name) => name.endsWith(suffix));
	return claim?.slice(0, -suffix.length);
}

/** Makes the first claim. Two that do so at once make the same one, and then compete for it. */
async function offer(folder: string): Promise<string> {
	await writeFile(path.join(folder, `${nobody}${suffix}`), '');
	return nobody;
}

async function hand(folder: string, from: string, to: string): Promise<boolean> {
	try {
		await rename(path.join(folder, `${from}${suffix}`), path.join(folder, `${to}${suffix}`));
		return true;
	} catch {
		// Another process was quicker.
		return false;
	}
}
