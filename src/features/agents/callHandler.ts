import type { AgentCallHandler } from '../../editor/agentSocket.js';
import { agentCallSchema, type AgentAnswer, type AgentCaller } from '../../protocol/agents.js';
import { mcpMessages } from '../messages.js';

/** Returns the handler of what comes through the socket: a call that is none is answered with words. */
export function agentCallHandler(
	call: (
		tool: string,
		args: unknown,
		caller: AgentCaller,
		onProgress: (words: string) => void,
	) => Promise<AgentAnswer>,
): AgentCallHandler {
	return async (value, onProgress) => {
		const parsed = agentCallSchema.safeParse(value);
		if (!parsed.success) {
			return { result: { error: mcpMessages.notUnderstood } };
		}
		const { tool, arguments: args, caller } = parsed.data;
		return call(tool, args, caller, onProgress);
	};
}
