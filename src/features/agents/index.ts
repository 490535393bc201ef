import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { wordsOf } from '../../editor/errorTexts.js';
import { registerHandler } from '../../editor/lazyHandlers.js';
import type { AgentApi, AgentApiAnswer } from '../../protocol/agentApi.js';
import { normalizeArguments } from '../../protocol/agentArguments.js';
import {
	agentTools,
	answerLimit,
	isAgentTool,
	resultForAgent,
	type AgentAnswer,
	type AgentResult,
} from '../../protocol/agents.js';
import { agentMessages } from '../messages.js';
import { agentCallHandler, type DoorCall } from './callHandler.js';
import { AgentOperations } from './operations.js';
import { AgentError, findPlace, pathFor, type CallPlace } from './paths.js';
import { toolResult } from './tools.js';
import type { AgentServices } from './wishRunner.js';

/**
 * Registers the ends of the three doors for agents and other extensions, with one implementation
 * behind them.
 */
export function registerAgents(
	deps: AgentServices,
	{ extensionPath }: Pick<vscode.ExtensionContext, 'extensionPath'>,
): vscode.Disposable {
	const operations = new AgentOperations(deps, path.join(extensionPath, 'dist', 'thumbnails.js'));
	const doors = [
		registerHandler('languageModelTool', async (tool: string, input: unknown) =>
			toolResult(await answerCall(operations, { tool, input, caller: { door: 'tool' } })),
		),
		registerHandler(
			'agentCall',
			agentCallHandler((call, onProgress) => answerCall(operations, call, onProgress)),
		),
		registerHandler(
			'api',
			async (...[tool, input, name]: Parameters<AgentApi['callTool']>): Promise<AgentApiAnswer> => {
				// Another extension may pass anything.
				const caller = {
					door: 'api' as const,
					name: typeof name === 'string' ? name.slice(0, 100) : undefined,
				};
				const answer = await answerCall(operations, { tool, input, caller });
				return { result: resultForAgent(answer), preview: answer.preview };
			},
		),
	];
	return vscode.Disposable.from(operations, ...doors);
}

/** Time between the answer of a call and its limit, in milliseconds: the way to the caller takes its time. */
const reserveMs = 2000;

/** Answers a call within its time limit; one that takes longer goes on. */
async function answerCall(
	operations: AgentOperations,
	call: DoorCall,
	onProgress?: (words: string) => void,
): Promise<AgentAnswer> {
	const ending = new AbortController();
	const late = delay(
		answerLimit(call.tool, call.input) - reserveMs,
		{ result: { error: agentMessages.late } },
		{ signal: ending.signal },
	);
	late.catch(() => undefined);
	try {
		return await Promise.race([late, answerInPlace(operations, call, onProgress)]);
	} finally {
		ending.abort();
	}
}

/**
 * Carries out a call. Its relative paths, and those of its answer, start at the caller's folder.
 */
async function answerInPlace(
	operations: AgentOperations,
	{ tool, input, caller, folder }: DoorCall,
	onProgress?: (words: string) => void,
): Promise<AgentAnswer> {
	const args = isAgentTool(tool) ? normalizeArguments(agentTools[tool].schema, input) : input;
	const { workspace, ...others } = { ...(args as { readonly workspace?: unknown }) };
	// One of another type is refused with the other arguments.
	const named = typeof workspace === 'string' ? workspace : undefined;
	let place: CallPlace;
	try {
		place = await findPlace(folder, named);
	} catch (error) {
		if (!(error instanceof AgentError)) {
			throw error;
		}
		return { result: { error: wordsOf(error) } };
	}
	const answer = await operations.call(
		tool,
		named === undefined ? args : others,
		caller,
		onProgress,
		place,
	);
	const { base, root } = place;
	const start = base ?? root;
	return {
		...answer,
		result: base === undefined ? answer.result : renamed(answer.result, base),
		...(start && { workspace: start.scheme === 'file' ? start.fsPath : start.toString() }),
	};
}

/** Returns a result whose images have their paths from a folder. */
function renamed(result: AgentResult, base: vscode.Uri): AgentResult {
	const rename = <Image extends { readonly uri: string }>(image: Image) => ({
		...image,
		path: pathFor(vscode.Uri.parse(image.uri, true), base),
	});
	if ('job' in result) {
		return { ...result, images: result.images.map(rename) };
	}
	return 'image' in result ? { ...result, image: rename(result.image) } : result;
}
