import path from 'node:path';
import * as vscode from 'vscode';
import { registerHandler } from '../../editor/lazyHandlers.js';
import type { AgentApi } from '../../protocol/agentApi.js';
import { agentCallHandler } from './callHandler.js';
import { AgentOperations, type AgentServices } from './operations.js';
import { toolResult } from './tools.js';

/**
 * What agents and other extensions can ask for: the ends of the three doors, and one implementation
 * behind them.
 */
export function registerAgents(
	deps: AgentServices,
	{ extensionPath }: Pick<vscode.ExtensionContext, 'extensionPath'>,
): vscode.Disposable {
	const operations = new AgentOperations(deps, path.join(extensionPath, 'dist', 'thumbnails.js'));
	const doors = [
		registerHandler('languageModelTool', async (tool: string, input: unknown) =>
			toolResult(await operations.call(tool, input, { door: 'tool' })),
		),
		registerHandler(
			'agentCall',
			agentCallHandler((...call) => operations.call(...call)),
		),
		registerHandler('api', (...[tool, input, caller]: Parameters<AgentApi['callTool']>) =>
			operations.call(tool, input, {
				door: 'api',
				// Another extension may pass anything.
				name: typeof caller === 'string' ? caller.slice(0, 100) : undefined,
			}),
		),
	];
	return vscode.Disposable.from(operations, ...doors);
}
