import path from 'node:path';
import { pipeline, Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
	ProtocolError,
	ProtocolErrorCode,
	Server,
	type CallToolResult,
	type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';
import { namedFolder } from '../files/namedFolder.js';
import { normalizeArguments } from '../protocol/agentArguments.js';
import {
	agentTools,
	answerLimit,
	isAgentTool,
	publishedSchema,
	resultForAgent,
	type AgentAnswer,
	type AgentCaller,
	type AgentJob,
	type AgentResult,
	type AgentToolName,
} from '../protocol/agents.js';
import { callWindow } from './callWindow.js';
import { serverMessages } from './messages.js';
import {
	isOwn,
	isUnreachable,
	Windows,
	type WantedFolder,
	type WindowConnection,
	type WindowsOptions,
} from './windows.js';

export interface ServerOptions extends WindowsOptions {
	readonly version: string;
	/** The folder of calls that name none, as an absolute path. */
	readonly workspace: string;
	/** True if no other window than that of the folder will do. */
	readonly isExact: boolean;
	/** Time between two progress notifications of a waiting call, in milliseconds. */
	readonly progressEveryMs: number;
}

/** Limit of the length of a message that is read, in bytes, as the protocol's own packages have it. */
const maxMessageBytes = 10 * 1024 * 1024;
/** Limit of the arguments that are passed on, in UTF-16 code units: some more than the largest call has. */
const maxArgumentsLength = 512 * 1024;
/** Time between the answer of a call and its limit, in milliseconds: the way to the client takes its time. */
const reserveMs = 1000;

/** Time for a client to name its roots, in milliseconds. */
const maxRootsMs = 2000;

/** Serves on the standard streams until the client closes them. */
export function serve(options: ServerOptions): void {
	const input = withoutLongMessages();
	pipeline(process.stdin, input, () => undefined);
	const transport = new StdioServerTransport(input, process.stdout, {
		maxBufferSize: maxMessageBytes + 1,
	});
	serveStdio(() => createServer(options), {
		transport,
		onerror: (error) => process.stderr.write(`${String(error)}\n`),
	});
}

/** Passes on what a client sends, and cuts longer messages: such a line is no JSON, so it is skipped. */
function withoutLongMessages(): Transform {
	let length = 0;
	return new Transform({
		transform(piece: Buffer, _encoding, done) {
			for (let start = 0; start < piece.length;) {
				const newline = piece.indexOf('\n', start);
				const end = newline < 0 ? piece.length : newline + 1;
				const wasLong = length > maxMessageBytes;
				length += end - start;
				if (length <= maxMessageBytes) {
					this.push(piece.subarray(start, end));
				} else if (!wasLong) {
					this.push('\n');
					process.stderr.write('A message of more than 10 MiB was skipped.\n');
				}
				length = newline < 0 ? length : 0;
				start = end;
			}
			done();
		},
	});
}

/** Makes the server of one client, of whatever version of the protocol. */
export function createServer(options: ServerOptions): Server {
	const { version } = options;
	const server = new Server(
		{ name: 'easel', title: 'Easel', version },
		{
			instructions: serverMessages.instructions,
			capabilities: { tools: {} },
		},
	);
	const calls = new Calls(options, server);
	server.setRequestHandler('tools/list', () => ({ tools: describeTools() }));
	server.setRequestHandler('tools/call', async ({ params }, context) => {
		const { name } = params;
		if (!isAgentTool(name)) {
			throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
		}
		return toolResult(await calls.call(name, params.arguments ?? {}, context), server);
	});
	return server;
}

/** Returns what clients learn of the tools: all of it stands in the context of a model. */
function describeTools() {
	return (Object.keys(agentTools) as AgentToolName[]).map((name) => {
		const { title, description, isReadOnly } = agentTools[name];
		return {
			...{ name, title, description },
			inputSchema: publishedSchema(name),
			annotations: {
				readOnlyHint: isReadOnly,
				...(!isReadOnly && { destructiveHint: name === 'cancel_image' }),
				// With `true` Codex refuses what it may not ask the user about; Easel asks by itself.
				openWorldHint: false,
			},
		};
	});
}

/** Calls of tools, as the window with the workspace answers them. */
class Calls {
	readonly #windows: Windows;
	/** Workspaces that calls have named, by their jobs: many models name the job alone. */
	readonly #workspaces = new Map<unknown, string>();
	/** True once the client has declared roots and not named them. */
	#hidesRoots = false;

	constructor(
		private readonly options: ServerOptions,
		private readonly server: Server,
	) {
		this.#windows = new Windows(options);
	}

	/** Returns the answer of a window within the limit of the call, or words where none answers. */
	async call(
		tool: AgentToolName,
		given: Record<string, unknown>,
		context: ServerContext,
	): Promise<AgentAnswer | string> {
		const { length } = JSON.stringify(given);
		if (length > maxArgumentsLength) {
			return serverMessages.tooLong(length);
		}
		const args = normalizeArguments(agentTools[tool].schema, given) as Record<string, unknown>;
		const limitMs = answerLimit(tool, args);
		const progress = this.#reportProgress(context);
		const ending = new AbortController();
		const late = delay(limitMs - reserveMs, serverMessages.noAnswer(limitMs / 1000), {
			signal: ending.signal,
		});
		late.catch(() => undefined);
		try {
			const signal = AbortSignal.any([context.mcpReq.signal, ending.signal]);
			return await Promise.race([
				late,
				this.#callWindow(tool, args, context, progress.say, signal),
			]);
		} finally {
			ending.abort();
			progress.end();
		}
	}

	async #callWindow(
		tool: string,
		args: Record<string, unknown>,
		context: ServerContext,
		onProgress: (words: string) => void,
		signal: AbortSignal,
	): Promise<AgentAnswer | string> {
		const wanted = await this.#wantedFolder(args);
		// A window that reloads has cut the connection. To call again is safe: a wish has one job.
		for (let attempt = 1; attempt <= 2; attempt++) {
			const connection = await this.#windows.connect(wanted, signal);
			if (connection.type !== 'window') {
				return attempt === 1
					? noConnection(wanted.folder, connection)
					: serverMessages.windowClosed;
			}
			const caller = callerOf(this.server, context);
			const { socket, token } = connection;
			const call = { token, tool, arguments: args, caller, folder: wanted.folder };
			const answer = await callWindow(socket, call, onProgress, signal);
			if (answer !== undefined) {
				const job = jobOf(answer.result);
				if (job !== undefined && wanted.folder !== this.options.workspace) {
					this.#workspaces.set(job.job, wanted.folder);
				}
				return answer;
			}
		}
		return serverMessages.windowClosed;
	}

	/** Returns the folder that the call or that of its job has named, else the client's or the server's. */
	async #wantedFolder({ workspace: given, job }: Record<string, unknown>): Promise<WantedFolder> {
		const { workspace, isExact } = this.options;
		const folder = typeof given === 'string' ? given : this.#workspaces.get(job);
		return folder === undefined
			? { folder: (await this.#rootOfClient()) ?? workspace, isExact }
			: { folder: namedFolder(folder, workspace), isExact: true };
	}

	/** Returns the first folder that the client declares, where the server was started outside of projects. */
	async #rootOfClient(): Promise<string | undefined> {
		const { workspace, isExact } = this.options;
		const isDeclared = this.server.getClientCapabilities()?.roots !== undefined;
		if (!isDeclared || isExact || this.#hidesRoots || (await isOwn(workspace))) {
			return undefined;
		}
		try {
			const { roots } = await this.server.listRoots(undefined, { timeout: maxRootsMs });
			const [root] = roots.filter(({ uri }) => uri.startsWith('file:'));
			return root && fileURLToPath(root.uri);
		} catch (error) {
			this.#hidesRoots = true;
			process.stderr.write(`The client has not named its roots: ${String(error)}\n`);
			return undefined;
		}
	}

	/** Repeats the last words of the window every few seconds, to a client that has asked for progress. */
	#reportProgress({ mcpReq }: ServerContext) {
		const progressToken = mcpReq._meta?.progressToken;
		let message = serverMessages.waiting;
		if (progressToken === undefined) {
			return { say: () => undefined, end: () => undefined };
		}
		const started = performance.now();
		const timer = setInterval(() => {
			const progress = (performance.now() - started) / 1000;
			mcpReq
				.notify({
					method: 'notifications/progress',
					params: { progressToken, progress, message },
				})
				.catch(() => undefined);
		}, this.options.progressEveryMs);
		return {
			say: (words: string) => {
				message = words;
			},
			end: () => clearInterval(timer),
		};
	}
}

function noConnection(
	folder: string,
	connection: Exclude<WindowConnection, { type: 'window' }>,
): string {
	if (connection.type === 'none') {
		return serverMessages.noWindow(folder, connection.open);
	}
	const { folders, code } = connection;
	return isUnreachable(code)
		? serverMessages.unreachableWindow(folders, code)
		: serverMessages.silentWindow(folders, code);
}

const clientSchema = z.object({ name: z.string() });

/** A client of 2026-07-28 says its name with each request, an older one once. */
function callerOf(server: Server, { mcpReq }: ServerContext): AgentCaller {
	const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
	const client = clientSchema.safeParse(
		envelope?.['io.modelcontextprotocol/clientInfo'] ?? server.getClientVersion(),
	);
	return { door: 'mcp', ...(client.success && { name: client.data.name.slice(0, 100) }) };
}

/**
 * Words as text, the preview as an image, the files as links. No `structuredContent`: clients that
 * have it drop the text, or the picture. The links are for the user alone: VS Code would read them by
 * this server for a model, and give it an empty picture.
 */
function toolResult(answer: AgentAnswer | string, server: Server): CallToolResult {
	if (typeof answer === 'string') {
		return { content: [{ type: 'text', text: answer }], isError: true };
	}
	const { result, preview } = answer;
	const isFailed = 'error' in result || ('state' in result && result.state === 'failed');
	// The type is younger than the oldest versions, whose clients refuse what they do not know.
	const takesLinks = (server.getNegotiatedProtocolVersion() ?? '') >= '2025-06-18';
	const images = takesLinks ? imagesOf(result) : [];
	return {
		content: [
			{ type: 'text', text: JSON.stringify(resultForAgent(answer)) },
			...(preview === undefined ? [] : [{ type: 'image' as const, ...preview }]),
			...images.map((image) => ({
				type: 'resource_link' as const,
				uri: image.uri,
				name: path.posix.basename(image.path),
				...(image.path.endsWith('.png') && { mimeType: 'image/png' }),
				annotations: { audience: ['user' as const] },
			})),
		],
		...(isFailed && { isError: true }),
	};
}

/** The images that an answer is about, not those of a list. */
function imagesOf(result: AgentResult) {
	if ('image' in result) {
		return [result.image];
	}
	return jobOf(result)?.images ?? [];
}

function jobOf(result: AgentResult): AgentJob | undefined {
	return 'job' in result ? result : undefined;
}
