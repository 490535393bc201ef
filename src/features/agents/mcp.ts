import type * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import type { McpServer } from '../../editor/mcpServer.js';
import { copyText } from '../../editor/messages.js';
import { askPick, type ValueItem } from '../../editor/quickInput.js';
import { nodesOnPath } from '../../jobs/workerProcess.js';
import { mcpMessages } from '../messages.js';
import { configurationFor, type McpClient } from './configurations.js';

/** The MCP server as the user sets it up for other programs. */
export function registerMcp({ launcher, install }: McpServer): vscode.Disposable {
	return registerCommand('easel.copyMcpConfiguration', async () => {
		const answer = await askPick<ClientItem>({
			title: mcpMessages.title,
			placeholder: mcpMessages.placeholder,
			items: clients,
		});
		if (answer?.type !== 'value') {
			return;
		}
		await install();
		const hasNode = (await nodesOnPath()).length > 0;
		const program = hasNode ? undefined : process.execPath;
		const text = configurationFor(answer.value.value, launcher, program, process.platform);
		await copyText(text, mcpMessages.copied(answer.value.label));
	});
}

interface ClientItem extends ValueItem {
	readonly value: McpClient;
}

const clients: readonly ClientItem[] = [
	{ label: 'Claude Code', description: mcpMessages.commandLine, value: 'claude' },
	{ label: 'Codex', description: mcpMessages.commandLine, value: 'codex' },
	{ label: mcpMessages.otherClients, description: mcpMessages.json, value: 'json' },
];
