import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A tool as its definition reaches the model. */
export interface ShownTool {
	readonly name: string;
	readonly description?: string;
	/** Tools of one server under a common name, in the API of OpenAI. */
	readonly tools?: readonly ShownTool[];
}

/** The result of a tool as it reaches the model. */
export interface ShownResult {
	readonly tool: string;
	readonly text: string;
	readonly pictures: number;
}

export type Step =
	| { readonly call: string; readonly args: Readonly<Record<string, unknown>> }
	| { readonly say: string };

/** Returns the next step from the results of the tools in the conversation, which are all it knows. */
export type Script = (results: readonly ShownResult[]) => Step;

/** The content of a client's request, whatever API it uses. */
interface Request {
	readonly tools: readonly ShownTool[];
	readonly results: readonly ShownResult[];
}

/** A step with the names and arguments that the client has given its tools. */
type Reply =
	| { readonly say: string }
	| { readonly call: ShownTool; readonly space?: string; readonly args: unknown };

interface Api {
	readonly path: RegExp;
	read(body: Body): Request;
	/** Returns the events of the stream. */
	write(reply: Reply, id: string): readonly object[];
}

/** A model that follows a script, in the APIs of Anthropic, OpenAI and Google. */
export class ScriptedModel {
	/** Results of the tools of Easel in the last request. */
	results: readonly ShownResult[] = [];
	/** Number of calls of tools of Easel. */
	calls = 0;
	/** Requests and replies, shortened, to explain a failure. */
	readonly log: string[] = [];
	#script: Script = () => ({ say: 'Nothing to do.' });
	readonly #server = createServer((request, response) => {
		void text(request).then((body) => this.#answer(request.url ?? '', body, response));
	});

	static async start(): Promise<ScriptedModel> {
		const model = new ScriptedModel();
		model.#server.listen(0, '127.0.0.1');
		await once(model.#server, 'listening');
		return model;
	}

	/** Begins a new script, for conversations that begin now. */
	begin(script: Script): void {
		this.#script = script;
		this.results = [];
		this.calls = 0;
		this.log.length = 0;
	}

	get address(): string {
		return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
	}

	async close(): Promise<void> {
		this.#server.closeAllConnections();
		this.#server.close();
		await once(this.#server, 'close');
	}

	#answer(url: string, body: string, response: ServerResponse): void {
		this.log.push(`${new Date().toISOString().slice(14, 19)} ${url} ${String(body.length)}`);
		const api = apis.find(({ path }) => path.test(url));
		if (api === undefined || !body.startsWith('{')) {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ data: [], models: [], input_tokens: 1, totalTokens: 1 }));
			return;
		}
		const given = JSON.parse(body) as Body & { readonly stream?: boolean };
		const reply = this.#reply(api.read(given));
		this.log.push(
			`${new Date().toISOString().slice(14, 19)} → ${JSON.stringify(reply).slice(0, 100)}`,
		);
		const events = api.write(reply, `call_${String(this.log.length)}`);
		if (given.stream !== true && !url.includes('streamGenerateContent')) {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(JSON.stringify(events.at(-1)));
			return;
		}
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		for (const event of events) {
			const type = 'type' in event ? `event: ${String(event.type)}\n` : '';
			response.write(`${type}data: ${JSON.stringify(event)}\n\n`);
		}
		response.end(api.path.test('/chat/completions') ? 'data: [DONE]\n\n' : '');
	}

	#reply({ tools, results }: Request): Reply {
		const calls = tools.flatMap((call) =>
			(call.tools ?? [call]).map((one) => ({ call: one, ...(call.tools && { space: call.name }) })),
		);
		const easel = calls.filter(({ call, space }) => /easel/.test(`${space ?? ''} ${call.name}`));
		const search = calls.find(({ call }) => /^tool_?search/i.test(call.name));
		// A client asks models for titles and the like, too.
		if (easel.length === 0 && search === undefined) return { say: 'Harbor' };
		this.results = results.filter(({ tool }) => tool !== search?.call.name);
		const step = this.#script(this.results);
		if ('say' in step) return step;
		const found = easel.find(({ call }) => call.name.endsWith(step.call));
		if (found !== undefined) {
			this.calls += 1;
			return { ...found, args: step.args };
		}
		// Some show definitions only after a search.
		return search === undefined
			? { say: `There is no ${step.call}.` }
			: { ...search, args: { query: `easel ${step.call}`, max_results: 20 } };
	}
}

/** The parts of messages in all of the APIs; each has a few of these fields. */
interface Part {
	readonly type?: string;
	readonly role?: string;
	readonly id?: string;
	readonly name?: string;
	readonly text?: string;
	readonly content?: string | readonly Part[];
	readonly parts?: readonly Part[];
	readonly output?: string | readonly Part[];
	readonly call_id?: string;
	readonly tool_use_id?: string;
	readonly tool_call_id?: string;
	readonly tool_calls?: readonly { readonly id: string; readonly function: ShownTool }[];
	readonly functionResponse?: { readonly name: string; readonly response: object };
}

interface Body {
	readonly tools?: readonly (ShownTool & {
		readonly function?: ShownTool;
		readonly functionDeclarations?: readonly ShownTool[];
	})[];
	readonly messages?: readonly Part[];
	readonly input?: readonly Part[];
	readonly contents?: readonly Part[];
}

/** Returns a result of a tool; a picture is a part without a text. */
function shown(tool = '', content: string | readonly Part[] = []): ShownResult {
	const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
	return {
		tool,
		text: parts.map(({ text = '' }) => text).join('\n'),
		pictures: parts.filter(({ type = '' }) => type.includes('image')).length,
	};
}

function listed(content: string | readonly Part[] = []): readonly Part[] {
	return typeof content === 'string' ? [] : content;
}

const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };

const anthropic: Api = {
	path: /\/messages\b(?!\/)/,
	read({ tools = [], messages = [] }) {
		const parts = messages.flatMap(({ content }) => listed(content));
		const names = new Map(parts.map(({ id, name }) => [id, name]));
		const results = parts.filter(({ type }) => type === 'tool_result');
		return {
			tools,
			results: results.map(({ tool_use_id, content }) => shown(names.get(tool_use_id), content)),
		};
	},
	write(reply, id) {
		const [block, delta] =
			'say' in reply
				? [
						{ type: 'text', text: '' },
						{ type: 'text_delta', text: reply.say },
					]
				: [
						{ type: 'tool_use', id, name: reply.call.name, input: {} },
						{ type: 'input_json_delta', partial_json: JSON.stringify(reply.args) },
					];
		const message = { id, type: 'message', role: 'assistant', model: 'scripted', content: [] };
		const stop_reason = 'say' in reply ? 'end_turn' : 'tool_use';
		return [
			{ type: 'message_start', message: { ...message, stop_reason: null, usage } },
			{ type: 'content_block_start', index: 0, content_block: block },
			{ type: 'content_block_delta', index: 0, delta },
			{ type: 'content_block_stop', index: 0 },
			{ type: 'message_delta', delta: { stop_reason }, usage },
			{ type: 'message_stop' },
		];
	},
};

const responses: Api = {
	path: /\/responses\b/,
	read({ tools = [], input = [] }) {
		const calls = input.filter(({ type }) => type === 'function_call');
		const names = new Map(calls.map(({ call_id, name }) => [call_id, name]));
		const results = input.filter(({ type }) => type === 'function_call_output');
		return {
			tools,
			results: results.map(({ call_id, output }) => shown(names.get(call_id), output)),
		};
	},
	write(reply, id) {
		const item =
			'say' in reply
				? {
						...{ type: 'message', id, role: 'assistant' },
						content: [{ type: 'output_text', text: reply.say }],
					}
				: {
						...{ type: 'function_call', id, call_id: id, name: reply.call.name },
						...(reply.space !== undefined && { namespace: reply.space }),
						arguments: JSON.stringify(reply.args),
					};
		return [
			{ type: 'response.created', response: { id } },
			{ type: 'response.output_item.done', output_index: 0, item },
			{ type: 'response.completed', response: { id, usage } },
		];
	},
};

const chat: Api = {
	path: /\/chat\/completions\b/,
	read({ tools = [], messages = [] }) {
		const calls = messages.flatMap(({ tool_calls = [] }) => tool_calls);
		const names = new Map(calls.map(({ id, function: { name } }) => [id, name]));
		return {
			tools: tools.flatMap((tool) => tool.function ?? []),
			results: messages.flatMap(({ role, tool_call_id = '', content }, at) => {
				if (role !== 'tool') return [];
				// A picture has no place in a result; it comes as words of the user.
				const next = messages[at + 1];
				const pictures = next?.role === 'user' ? shown('', next.content).pictures : 0;
				const result = shown(names.get(tool_call_id), content);
				return [{ ...result, pictures: result.pictures + pictures }];
			}),
		};
	},
	write(reply, id) {
		const call = 'call' in reply && {
			...{ index: 0, id, type: 'function' },
			function: { name: reply.call.name, arguments: JSON.stringify(reply.args) },
		};
		const delta = {
			role: 'assistant',
			...('say' in reply ? { content: reply.say } : { tool_calls: [call] }),
		};
		const chunk = { id, object: 'chat.completion.chunk', created: 1, model: 'scripted' };
		const finish_reason = 'say' in reply ? 'stop' : 'tool_calls';
		return [
			{ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] },
			{ ...chunk, choices: [{ index: 0, delta: {}, finish_reason }] },
		];
	},
};

const google: Api = {
	path: /enerateContent\b/,
	read({ tools = [], contents = [] }) {
		return {
			tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations),
			results: contents.flatMap(({ parts = [] }) => {
				const pictures = parts.filter((part) => 'inlineData' in part).length;
				return parts.flatMap(({ functionResponse: given }) =>
					given === undefined
						? []
						: [{ tool: given.name, text: Object.values(given.response).join('\n'), pictures }],
				);
			}),
		};
	},
	write(reply, id) {
		const part =
			'say' in reply
				? { text: reply.say }
				: { functionCall: { id, name: reply.call.name, args: reply.args } };
		const content = { role: 'model', parts: [part] };
		const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
		return [{ candidates: [{ index: 0, content, finishReason: 'STOP' }], usageMetadata }];
	},
};

const apis: readonly Api[] = [anthropic, responses, chat, google];
