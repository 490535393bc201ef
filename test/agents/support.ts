import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { AgentSocket } from '../../src/editor/agentSocket.js';
import { agentCallHandler } from '../../src/features/agents/callHandler.js';
import type { ServerOptions } from '../../src/mcp/server.js';
import type { AgentAnswer, AgentCaller, AgentJob } from '../../src/protocol/agents.js';
import { repository } from '../host/cache';
import { bundle } from '../process/support.js';

/** One pixel. */
const png =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const budget = {
	used_today: 0,
	allowed_today: 0,
	unknown: 0,
};

/** Images that are made when the test says so, at most one for each wish, as the window has them. */
export class Images {
	/** Number of requests, which would have been paid for. */
	requested = 0;
	readonly callers: AgentCaller[] = [];
	readonly calls: string[] = [];
	readonly folders: (string | undefined)[] = [];
	/** Time that `wait_for_image` waits for each second that it may, in milliseconds. */
	msOfSecond = 10;
	/** Words that every call reports first. */
	progress = 'Easel is at work';
	readonly #jobs = new Map<string, { state: AgentJob['state']; end: PromiseWithResolvers<void> }>();
	readonly #wishes = new Map<string, string>();
	#onCall = Promise.withResolvers<void>();

	/** Ends every image that is not ended. */
	end(state: AgentJob['state'] = 'done'): void {
		for (const job of this.#jobs.values()) {
			job.state = job.state === 'running' ? state : job.state;
			job.end.resolve();
		}
	}

	/** Resolves with the next call. */
	called(): Promise<void> {
		return this.#onCall.promise;
	}

	readonly call = async (
		tool: string,
		args: unknown,
		caller: AgentCaller,
		onProgress: (words: string) => void,
	): Promise<AgentAnswer> => {
		this.callers.push(caller);
		this.calls.push(tool);
		this.#onCall.resolve();
		this.#onCall = Promise.withResolvers();
		onProgress(this.progress);
		const given = args as Readonly<Record<string, string>>;
		switch (tool) {
			case 'generate_image':
			case 'edit_image': {
				const wish = given['request_key'] ?? JSON.stringify(args);
				const id = this.#wishes.get(wish) ?? crypto.randomUUID();
				if (!this.#wishes.has(wish)) {
					this.requested++;
					this.#wishes.set(wish, id);
					this.#jobs.set(id, { state: 'running', end: Promise.withResolvers() });
				}
				return this.#answer(id);
			}
			case 'wait_for_image': {
				const job = this.#jobs.get(given['job']!);
				const limit = Number(given['up_to_seconds'] ?? 50) * this.msOfSecond;
				const waiting = AbortSignal.timeout(limit);
				await Promise.race([job?.end.promise, once(waiting, 'abort')]);
				return this.#answer(given['job']!);
			}
			case 'cancel_image':
				this.end('cancelled');
				return this.#answer(given['job']!);
			case 'get_budget':
				return { result: { budget } };
			case 'list_images':
				return { result: { images: [] } };
			default:
				return { result: { error: `${tool} is not in this test.` } };
		}
	};

	#answer(id: string): AgentAnswer {
		const job = this.#jobs.get(id);
		if (job === undefined) {
			return { result: { error: 'There is no such job.' } };
		}
		const isDone = job.state === 'done';
		const image = {
			path: 'docs/images/pier.png',
			uri: 'file:///work/docs/images/pier.png',
			width: 1024,
			height: 1024,
		};
		return {
			result: {
				job: id,
				state: job.state,
				note: `The image is ${job.state}.`,
				images: isDone ? [image] : [],
				failures: [],
				elapsed_seconds: 3,
				budget,
			},
			...(isDone && { preview: { mimeType: 'image/png', data: png } }),
		};
	}
}

/** Returns the server's bundle. @throws an Error where it was not built */
export function builtServer(): string {
	const file = path.join(repository, 'dist', 'mcp.js');
	if (!existsSync(file)) {
		throw new Error(`${file} is missing: run “npm run build”.`);
	}
	return file;
}

/** Programs and windows that a test starts, and that end with it. */
export class Bench {
	readonly #ends: (() => Promise<unknown> | void)[] = [];

	private constructor(
		/** Our global storage. */
		readonly storage: string,
		readonly workspace: string,
	) {}

	static async create(): Promise<Bench> {
		const root = await realpath(await mkdtemp(path.join(tmpdir(), 'easel-agents-')));
		const bench = new Bench(path.join(root, 'storage'), path.join(root, 'workspace'));
		bench.#ends.push(() => rm(root, { recursive: true, force: true }));
		return bench;
	}

	get notes(): string {
		return path.join(this.storage, 'agents', 'windows');
	}

	/** Opens a window in this process. */
	async openWindow(
		images: Images,
		folders: readonly string[] = [this.workspace],
		callTimeoutMs?: number,
	): Promise<AgentSocket> {
		const socket = new AgentSocket({
			notes: this.notes,
			folders: () => folders,
			call: agentCallHandler(async ({ tool, input, caller, folder }, onProgress) => {
				images.folders.push(folder);
				const answer = await images.call(tool, input, caller, onProgress);
				return { ...answer, workspace: folder };
			}),
			...(callTimeoutMs !== undefined && { callTimeoutMs }),
		});
		await socket.open();
		this.#ends.push(() => socket.close());
		return socket;
	}

	/** Opens a window in a process of its own, which can be killed. Its calls never end. */
	async openProcess(folders: readonly string[] = [this.workspace]): Promise<ChildProcess> {
		const script = await bundle(`
			import { AgentSocket } from './src/editor/agentSocket.ts';
			const [notes, ...folders] = process.argv.slice(2);
			setInterval(() => undefined, 60_000);
			const socket = new AgentSocket({
				notes,
				folders: () => folders,
				call: () => { process.stdout.write('called\\n'); return new Promise(() => undefined); },
			});
			socket.open().then(() => process.stdout.write('open\\n'));`);
		const child = spawn(process.execPath, [script, this.notes, ...folders], {
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		this.#ends.push(() => void child.kill('SIGKILL'));
		await once(child.stdout, 'data');
		return child;
	}

	/** Connects a client to a server that it starts. */
	async connect(
		options: Partial<ServerOptions> = {},
		clientOptions: ClientOptions = {},
	): Promise<Client> {
		const client = new Client({ name: 'Test Agent', version: '1.0.0' }, clientOptions);
		await client.connect(await this.transport(options));
		this.#ends.push(() => client.close());
		return client;
	}

	/** Returns what starts a server, with shorter times than those of the real one. */
	async transport(options: Partial<ServerOptions> = {}): Promise<StdioClientTransport> {
		const script = await bundle(`
			import { serve } from './src/mcp/server.ts';
			serve(JSON.parse(process.argv[2]));`);
		const all: ServerOptions = {
			folder: this.notes,
			workspace: this.workspace,
			isExact: false,
			maxWaitMs: 5_000,
			maxStartMs: 0,
			progressEveryMs: 20,
			version: '1.2.3',
			...options,
		};
		return new StdioClientTransport({
			command: process.execPath,
			args: [script, JSON.stringify(all)],
		});
	}

	/** Ends everything, the last first. */
	async end(): Promise<void> {
		for (const one of this.#ends.splice(0).reverse()) {
			await one();
		}
	}
}

export const modern: ClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
