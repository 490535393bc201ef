import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import path from 'node:path';
import { exists } from '../files/exists.js';
import { restrictPermissions } from '../files/restrictPermissions.js';
import { Serial } from '../files/serial.js';
import { makeFolder, writeWhole } from '../files/writeWhole.js';
import { toMessageLine, receiveLines } from '../jobs/messageLines.js';
import { becomePresent, type Presence } from '../jobs/processIdentity.js';
import type { AgentAnswer, AgentReply, AgentWindow } from '../protocol/agents.js';

/** Answers a call of an agent, of which the token alone is checked. */
export type AgentCallHandler = (
	call: unknown,
	onProgress: (words: string) => void,
) => Promise<AgentAnswer>;

export interface AgentSocketOptions {
	/** Folder in which windows leave their notes, as an absolute path. */
	readonly notes: string;
	/** Returns the absolute paths of the window's workspace folders. */
	readonly folders: () => readonly string[];
	readonly call: AgentCallHandler;
	/** Limit for a connection that does not call, in milliseconds; 10,000 by default. */
	readonly callTimeoutMs?: number;
}

/**
 * Writes the script that clients other than VS Code start: it leads to the server's bundle of this version.
 *
 * @param notes folder in which windows leave their notes
 */
export async function writeLauncher(
	launcher: string,
	bundle: string,
	notes: string,
): Promise<void> {
	await makeFolder(path.dirname(launcher));
	const options = JSON.stringify(['--windows', notes]).slice(1, -1);
	const code = `process.argv.push(${options}); require(${JSON.stringify(bundle)});\n`;
	await writeWhole(launcher, code);
}

/** Limit of the length of a call that is read, in UTF-16 code units. */
const maxCallLength = 1024 * 1024;
/** Age in milliseconds up to which the note of a window counts that cannot be reached, as in another container. */
const noteAgeMs = 7 * 24 * 60 * 60 * 1000;
/** Limit of connections, beyond those that agents have at once; further ones are closed. */
const maxConnections = 256;

/**
 * Makes this window reachable for the MCP server: by a local socket, and a note with its address. A caller
 * proves by the token in it that it may read our storage.
 */
export class AgentSocket {
	readonly #token = randomBytes(32).toString('base64url');
	readonly #note: string;
	#opening: Promise<Presence> | undefined;
	readonly #writes = new Serial();

	constructor(private readonly options: AgentSocketOptions) {
		this.#note = path.join(options.notes, `${crypto.randomUUID()}.json`);
	}

	/** Opens it, once, and restores its note. @throws the system's error, or a `LocalSocketError` */
	async open(): Promise<void> {
		this.#opening ??= this.#listen();
		try {
			await this.#opening;
		} catch (error) {
			this.#opening = undefined;
			throw error;
		}
		await this.restore();
	}

	/** Writes the note anew, where it is open: the window has other folders. */
	async update(): Promise<void> {
		if (this.#opening !== undefined) {
			await this.#writeNote(await this.#opening);
		}
	}

	/** Writes the note where it is open and another program has removed the note. */
	async restore(): Promise<void> {
		if (this.#opening !== undefined && !(await exists(this.#note))) {
			await this.update();
		}
	}

	/** Stops listening, and removes the note. Calls that are under way go on. */
	async close(): Promise<void> {
		const opening = this.#opening;
		this.#opening = undefined;
		if (opening !== undefined) {
			const { socket } = await opening;
			await this.#writes.settled();
			await rm(this.#note, { force: true });
			await socket.close();
		}
	}

	async #listen(): Promise<Presence> {
		await makeFolder(this.options.notes);
		await restrictPermissions(path.dirname(this.options.notes));
		const presence = await becomePresent((connection) => this.#accept(connection), {
			endsBy: noteEnd(),
			job: undefined,
		});
		const { socket } = presence;
		socket.server.maxConnections = maxConnections;
		// The extension host ends when it is asked to.
		socket.server.unref();
		try {
			await this.#writeNote(presence);
		} catch (error) {
			await socket.close();
			throw error;
		}
		return presence;
	}

	/** One after the other: the last one has to be that of the folders of now. */
	#writeNote({ owner }: Presence): Promise<void> {
		return this.#writes.run(async () => {
			const folders = [...this.options.folders()];
			const note: AgentWindow = {
				format: 1,
				owner: { ...owner, endsBy: noteEnd() },
				token: this.#token,
				folders,
			};
			await makeFolder(this.options.notes);
			await writeWhole(this.#note, JSON.stringify(note));
		});
	}

	#accept(connection: Socket): void {
		connection.on('error', () => undefined);
		const timer = setTimeout(() => connection.destroy(), this.options.callTimeoutMs ?? 10_000);
		let isCalled = false;
		connection.once('close', () => clearTimeout(timer));
		receiveLines(connection, maxCallLength, (value) => {
			if (isCalled || connection.destroyed || !this.#mayCall(value)) {
				connection.destroy();
				return;
			}
			isCalled = true;
			clearTimeout(timer);
			this.#answer(connection, value).catch(() => connection.destroy());
		});
	}

	async #answer(connection: Socket, call: unknown): Promise<void> {
		const send = (reply: AgentReply) => {
			if (connection.writable) {
				connection.write(toMessageLine(reply));
			}
		};
		let answer: AgentAnswer;
		try {
			answer = await this.options.call(call, (progress) => send({ progress }));
		} catch {
			// What has failed is in the log, and the window shows it where Easel is used.
			answer = { result: { error: 'Easel has failed in this window. Ask the user to reload it.' } };
		}
		send({ answer });
		connection.end();
	}

	#mayCall(value: unknown): boolean {
		const token = (value as { readonly token?: unknown } | null | undefined)?.token;
		return typeof token === 'string' && timingSafeEqual(digest(token), digest(this.#token));
	}
}

function noteEnd(): string {
	return new Date(Date.now() + noteAgeMs).toISOString();
}

/** Returns a hash, of one length, so that the time of a comparison says nothing. */
function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
