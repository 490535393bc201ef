import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { readBounded } from '../files/boundedRead.js';
import { isBelow } from '../files/containment.js';
import { isNotFound } from '../files/fsErrors.js';
import { privateFolder } from '../files/writeWhole.js';
import { connectLocally, removeSocket } from '../jobs/localSocket.js';
import { agentWindowSchema, type AgentWindow } from '../protocol/agents.js';

export interface WindowsOptions {
	/** Where windows leave their notes, as an absolute path. */
	readonly folder: string;
	/** The folder that a window has to have open, as an absolute path. */
	readonly workspace: string;
	/** Whether no other window will do, also where it is the only one. */
	readonly isExact: boolean;
	/** How long a window that reloads is waited for, in milliseconds. */
	readonly maxWaitMs: number;
}

/** A connection to a window, or why there is none. */
export type WindowConnection =
	| { readonly type: 'window'; readonly socket: Socket; readonly token: string }
	| { readonly type: 'none' }
	| { readonly type: 'several'; readonly folders: readonly string[] }
	| { readonly type: 'silent'; readonly folders: readonly string[]; readonly code: string };

/** Finds the window that a call is for, by the notes that windows leave in our storage. */
export class Windows {
	/** Whether there was one: it may be reloading then. */
	#wasThere = false;
	/** Whether it had the folder open: no other will do then, however long it reloads. */
	#wasExact = false;

	constructor(private readonly options: WindowsOptions) {}

	/** Connects to the window; waits for it where it may be reloading. */
	async connect(signal: AbortSignal): Promise<WindowConnection> {
		const found = await this.#tryOnce();
		return found.type === 'none' && this.#wasThere ? this.#wait(signal) : found;
	}

	async #wait(signal: AbortSignal): Promise<WindowConnection> {
		const { folder, maxWaitMs } = this.options;
		await mkdir(folder, { recursive: true, mode: privateFolder });
		const waiting = AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]);
		const watcher = watch(folder);
		// As of a folder that is removed: the time-out ends the wait then.
		watcher.on('error', () => undefined);
		try {
			for (;;) {
				const changed = once(watcher, 'change', { signal: waiting }).then(
					() => true,
					() => false,
				);
				const found = await this.#tryOnce();
				if (found.type !== 'none' || !(await changed)) {
					return found;
				}
			}
		} finally {
			watcher.close();
		}
	}

	async #tryOnce(): Promise<WindowConnection> {
		const { folder, workspace, isExact } = this.options;
		const notes = await readNotes(folder);
		const exact = await deepestAround(workspace, notes);
		const others = isExact || this.#wasExact ? [] : notes;
		const candidates = exact === undefined ? others : [exact];
		const live: { readonly note: WindowNote; readonly socket: Socket }[] = [];
		let silent: WindowConnection = { type: 'none' };
		let removed = 0;
		for (const note of candidates) {
			const socket = await connectLocally(note.address);
			if (typeof socket !== 'string') {
				live.push({ note, socket });
			} else if (['ENOENT', 'ECONNREFUSED'].includes(socket)) {
				// It was killed, or is reloading.
				this.#wasThere = true;
				this.#wasExact ||= note === exact;
				await removeSocket(note.address);
				await rm(note.file).then(
					() => removed++,
					() => undefined,
				);
			} else {
				silent = { type: 'silent', folders: note.folders, code: socket };
			}
		}
		const [first, ...more] = live;
		if (first === undefined) {
			// The note of one that has gone may have hidden another.
			return exact !== undefined && removed > 0 ? this.#tryOnce() : silent;
		}
		if (more.length > 0) {
			for (const { socket } of live) {
				socket.destroy();
			}
			return { type: 'several', folders: live.flatMap(({ note }) => note.folders).sort() };
		}
		this.#wasThere = true;
		this.#wasExact ||= exact !== undefined;
		return { type: 'window', socket: first.socket, token: first.note.token };
	}
}

interface WindowNote extends AgentWindow {
	readonly file: string;
}

/** Longest note that is read, in bytes: a window has a handful of folders. */
const maxNoteBytes = 256 * 1024;

/** Returns the notes that can be read; one that is gone, broken or newer is none. */
async function readNotes(folder: string): Promise<WindowNote[]> {
	const found = await readdir(folder).catch((error: unknown) => {
		if (isNotFound(error)) {
			return [];
		}
		throw error;
	});
	const names = found.filter((name) => name.endsWith('.json')).sort();
	const notes: WindowNote[] = [];
	for (const name of names) {
		const file = path.join(folder, name);
		try {
			const content = await readBounded(file, { maxBytes: maxNoteBytes, followLinks: false });
			const note = agentWindowSchema.safeParse(JSON.parse(content.toString('utf8')));
			if (note.success) {
				notes.push({ ...note.data, file });
			}
		} catch (error) {
			if (!(error instanceof SyntaxError) && !isNotFound(error)) {
				process.stderr.write(`${file}: ${String(error)}\n`);
			}
		}
	}
	return notes;
}

/** Returns the window that has the folder open, or the nearest one above it. */
async function deepestAround(
	workspace: string,
	notes: readonly WindowNote[],
): Promise<WindowNote | undefined> {
	const target = await resolved(workspace);
	let deepest: { readonly note: WindowNote; readonly length: number } | undefined;
	for (const note of notes) {
		for (const folder of await Promise.all(note.folders.map(resolved))) {
			const isAround = isBelow(folder, target, process.platform);
			if (isAround && folder.length > (deepest?.length ?? -1)) {
				deepest = { note, length: folder.length };
			}
		}
	}
	return deepest?.note;
}

/** The working directory of a process has no links in it, the folder of a window may have. */
async function resolved(folder: string): Promise<string> {
	return realpath(folder).catch(() => folder);
}
