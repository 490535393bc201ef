import * as vscode from 'vscode';
import { registerCommand } from '../../editor/commands.js';
import type { McpServer } from '../../editor/mcpServer.js';
import { notify, runDetached } from '../../editor/messages.js';
import { askPick } from '../../editor/quickInput.js';
import { nodesOnPath } from '../../jobs/workerProcess.js';
import { mcpMessages } from '../messages.js';
import { mcpClients, serverStart } from './configurations.js';

/** The MCP server as the user sets it up for other programs. */
export function registerMcp({ launcher, install }: McpServer): vscode.Disposable {
	return registerCommand('easel.copyMcpConfiguration', async () => {
		const answer = await askPick({
			title: mcpMessages.title,
			placeholder: mcpMessages.placeholder,
			items: mcpClients.map(({ name, file }) => ({
				label: name ?? mcpMessages.otherClients,
				description: name && (file ?? mcpMessages.commandLine),
				value: name ?? '',
			})),
		});
		const chosen = answer?.type === 'value' ? answer.value.value : undefined;
		const client = mcpClients.find(({ name = '' }) => name === chosen);
		if (client === undefined) {
			return;
		}
		await install();
		const [node] = await nodesOnPath();
		const text = client.write(serverStart(launcher, node, process.execPath), process.platform);
		await vscode.env.clipboard.writeText(text);
		runDetached(notify('info', mcpMessages.copied(client.name, client.file)));
	});
}
