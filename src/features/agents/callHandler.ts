import type { AgentCallHandler } from '../../editor/agentSocket.js';
import { agentCallSchema, type AgentAnswer, type AgentCaller } from '../../protocol/agents.js';
import { mcpMessages } from '../messages.js';

/** A call as a door has it; its input is not checked yet. */
export interface DoorCall {
	readonly tool: string;
	readonly input: unknown;
	readonly caller: AgentCaller;
	/** Folder that the caller works in, absolute, if that is known. */
	readonly folder?: string | undefined;
}

/** Returns the handler of what comes through the socket: a call that is none is answered with words. */
export function agentCallHandler(
	answer: (call: DoorCall, onProgress: (words: string) => void) => Promise<AgentAnswer>,
): AgentCallHandler {
	return async (value, onProgress) => {
		const parsed = agentCallSchema.safeParse(value);
		if (!parsed.success) {
			return { result: { error: mcpMessages.notUnderstood } };
		}
		const { tool, arguments: input, caller, folder } = parsed.data;
		return answer({ tool, input, caller, folder }, onProgress);
	};
}
