import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { readBounded } from '../files/boundedRead.js';
import { isBelow } from '../files/containment.js';
import { isNotFound } from '../files/fsErrors.js';
import { privateFolder } from '../files/writeWhole.js';
import { leaseOwnerSchema } from '../jobs/leaseOwner.js';
import { connectLocally, removeSocket } from '../jobs/localSocket.js';
import { ownerStatus, type LeaseOwner } from '../jobs/processIdentity.js';
import { agentWindowSchema, type AgentWindow } from '../protocol/agents.js';
import { isOtherWorktree, isProject } from './projects.js';

export interface WindowsOptions {
	/** Folder in which windows leave their notes, as an absolute path. */
	readonly folder: string;
	/** Limit of the wait for a window that reloads, in milliseconds. */
	readonly maxWaitMs: number;
	/** Time from the start of this process in which a window may be starting too, in milliseconds. */
	readonly maxStartMs: number;
}

/** The folder that a window has to have open, as an absolute path. */
export interface WantedFolder {
	readonly folder: string;
	/** True if no other window will do, also where it is the only one. */
	readonly isExact: boolean;
}

/** A connection to a window, or why there is none. */
export type WindowConnection =
	| { readonly type: 'window'; readonly socket: Socket; readonly token: string }
	/** No window has the folder. `open` are those of the windows that there are. */
	| { readonly type: 'none'; readonly open: readonly string[] }
	| { readonly type: 'silent'; readonly folders: readonly string[]; readonly code: string };

/** Finds the window that a call is for, by the notes that windows leave in our storage. */
export class Windows {
	/** The windows that were found for a folder: they may be reloading when they are gone. */
	readonly #found = new Map<string, 'exact' | 'only'>();

	constructor(private readonly options: WindowsOptions) {}

	/** Connects to the window; waits for it where it may be starting or reloading. */
	async connect(wanted: WantedFolder, signal: AbortSignal): Promise<WindowConnection> {
		const found = await this.#tryOnce(wanted);
		const { maxWaitMs, maxStartMs } = this.options;
		const waitMs = this.#found.has(wanted.folder) ? maxWaitMs : maxStartMs - performance.now();
		return found.type === 'none' && waitMs > 0
			? this.#wait(wanted, AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(waitMs))]))
			: found;
	}

	async #wait(wanted: WantedFolder, signal: AbortSignal): Promise<WindowConnection> {
		const { folder } = this.options;
		await mkdir(folder, { recursive: true, mode: privateFolder });
		const watcher = watch(folder);
		// As of a folder that is removed: the time-out ends the wait then.
		watcher.on('error', () => undefined);
		try {
			for (;;) {
				const changed = once(watcher, 'change', { signal }).then(
					() => true,
					() => false,
				);
				const found = await this.#tryOnce(wanted);
				if (found.type !== 'none' || !(await changed)) {
					return found;
				}
			}
		} finally {
			watcher.close();
		}
	}

	async #tryOnce({ folder, isExact }: WantedFolder): Promise<WindowConnection> {
		const notes = await readNotes(this.options.folder);
		const around = await notesAround(folder, notes);
		if (around.length > 0) {
			const found = await this.#connectFirst(folder, around);
			if (found !== undefined) {
				return found;
			}
		}
		const open = await openOnes(notes);
		const [only, ...more] = open;
		const mayBeOther = !isExact && this.#found.get(folder) !== 'exact' && !(await isOwn(folder));
		if (only !== undefined && more.length === 0 && mayBeOther) {
			const socket = await connectLocally(only.owner.address);
			if (typeof socket !== 'string') {
				this.#found.set(folder, 'only');
				return { type: 'window', socket, token: only.token };
			}
		}
		return { type: 'none', open: open.flatMap(({ folders }) => folders).sort() };
	}

	/** Connects to the first window that can be reached. One that hangs is not passed over. */
	async #connectFirst(
		folder: string,
		notes: readonly WindowNote[],
	): Promise<WindowConnection | undefined> {
		let silent: WindowConnection | undefined;
		for (const note of notes) {
			const socket = await connectLocally(note.owner.address);
			if (typeof socket !== 'string') {
				this.#found.set(folder, 'exact');
				return { type: 'window', socket, token: note.token };
			}
			if (await removeIfGone(note)) {
				// It was killed, or is reloading.
				this.#found.set(folder, 'exact');
				continue;
			}
			silent ??= { type: 'silent', folders: note.folders, code: socket };
			if (!isUnreachable(socket)) {
				break;
			}
		}
		return silent;
	}
}

/** Returns whether a code means that the socket is not seen from here, as from another container. */
export function isUnreachable(code: string): boolean {
	return code === 'ENOENT' || code === 'ECONNREFUSED';
}

/** Returns the notes of windows that may live; removes the others. */
async function openOnes(notes: readonly WindowNote[]): Promise<WindowNote[]> {
	const areGone = await Promise.all(notes.map(removeIfGone));
	return notes.filter((_note, index) => !areGone[index]);
}

/** Removes the note of a window that has certainly ended; returns whether it has. */
async function removeIfGone({ owner, file }: WindowNote): Promise<boolean> {
	if ((await ownerStatus(owner)) !== 'gone') {
		return false;
	}
	await removeSocket(owner.address);
	await rm(file, { force: true }).catch(() => undefined);
	return true;
}

interface WindowNote extends AgentWindow {
	readonly owner: LeaseOwner;
	readonly file: string;
}

const noteSchema = agentWindowSchema.extend({ owner: leaseOwnerSchema });

/** Limit of the size of a note that is read, in bytes: a window has a handful of folders. */
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
			const note = noteSchema.safeParse(JSON.parse(content.toString('utf8')));
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

/** Returns the notes of windows that have the folder or one above it open, the nearest first. */
async function notesAround(
	folder: string,
	notes: readonly WindowNote[],
): Promise<readonly WindowNote[]> {
	const target = await resolved(folder);
	const around: { readonly note: WindowNote; readonly length: number }[] = [];
	for (const note of notes) {
		for (const outer of await Promise.all(note.folders.map(resolved))) {
			const isAround = isBelow(outer, target, process.platform);
			if (isAround && !(await isOtherWorktree(target, outer))) {
				around.push({ note, length: outer.length });
			}
		}
	}
	return around.sort((a, b) => b.length - a.length).map(({ note }) => note);
}

/** Returns whether a folder belongs to a project, so that no window of another folder may have its calls. */
export async function isOwn(folder: string): Promise<boolean> {
	return isProject(await resolved(folder), await resolved(homedir()));
}

/** The working directory of a process has no links in it, the folder of a window may have. */
async function resolved(folder: string): Promise<string> {
	return realpath(folder).catch(() => folder);
}
