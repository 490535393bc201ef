import type { AgentAnswer, AgentArguments, AgentDoorResult, AgentToolName } from './agents.js';

/** An answer as another extension gets it. */
export interface AgentApiAnswer {
	readonly result: AgentDoorResult;
	readonly preview?: AgentAnswer['preview'];
}

/**
 * Exports of the extension for other extensions: the tools of agents. Each call goes through the
 * same walls, the same confirmation or budget, and the same journal as those of an agent.
 */
export interface AgentApi {
	/** Fields may be added to this version; a change that breaks callers is another one. */
	readonly version: 1;
	/**
	 * Calls a tool. Never rejects: what is wrong with a call is its answer.
	 *
	 * @param caller the name of the calling extension, which the user reads
	 */
	callTool<Name extends AgentToolName>(
		name: Name,
		args: AgentArguments<Name>,
		caller: string,
	): Promise<AgentApiAnswer>;
}
