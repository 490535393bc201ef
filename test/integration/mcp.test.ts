import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { mcpClients } from '../../src/features/agents/configurations.js';
import { agentTools } from '../../src/protocol/agents.js';
import { until } from '../host/until.js';
import { QuickPicks } from './quickPicks.js';
import { ShownMessages } from './shownMessages.js';
import { root } from './workspace.js';

interface Configuration {
	readonly mcpServers: {
		readonly easel: {
			readonly command: string;
			readonly args: readonly [string];
			readonly env?: Readonly<Record<string, string>>;
		};
	};
}

/** Copies the configuration for other programs. */
async function copyConfiguration(picks: QuickPicks): Promise<Configuration> {
	const copying = vscode.commands.executeCommand('easel.copyMcpConfiguration');
	const pick = await picks.shown(/MCP/);
	assert.deepEqual(
		pick.items.map(({ label }) => label),
		mcpClients.map(({ name }) => name ?? 'Other Programs (JSON)'),
	);
	pick.activeItems = pick.items.slice(-1);
	await picks.accept();
	await copying;
	return JSON.parse(await vscode.env.clipboard.readText()) as Configuration;
}

suite('The MCP server of a window', () => {
	let picks: QuickPicks;
	let shown: ShownMessages;
	let launcher: string | undefined;

	setup(() => {
		picks = new QuickPicks();
		shown = new ShownMessages(['showInformationMessage']);
	});

	teardown(async () => {
		// With it, every later window would open its socket when it starts.
		await rm(launcher ?? '', { force: true });
	});

	test('is set up by what is copied, and reaches the window', async () => {
		const { command, args, env } = (await copyConfiguration(picks)).mcpServers.easel;
		[launcher] = args;
		await access(launcher);
		assert.equal(path.basename(launcher), 'server.cjs');
		assert.ok(path.isAbsolute(command), command);
		assert.match(shown.texts.join(), /is copied\. Add it to the file/);
		// As a program that no shell has started.
		const child = spawn(command, args, { cwd: root().fsPath, env: { ...env } });
		let output = '';
		child.stdout.setEncoding('utf8').on('data', (piece: string) => (output += piece));
		const clientInfo = { name: 'Test', version: '1' };
		const messages = [
			{
				id: 1,
				method: 'initialize',
				params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
			},
			{ method: 'notifications/initialized' },
			{ id: 2, method: 'tools/call', params: { name: 'get_budget', arguments: {} } },
		];
		for (const message of messages) {
			child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
		}
		await until(() => output.includes('"id":2'), 'the answer');
		assert.doesNotMatch(output, /No VS Code window|does not answer/);
		const { version } = vscode.extensions.getExtension('easel.easel')!.packageJSON as {
			readonly version: string;
		};
		assert.ok(output.includes(`"version":"${version}"`), output);
		child.stdin.end();
		assert.deepEqual(await once(child, 'exit'), [0, null]);
	});

	test('is started by VS Code, whose own client calls the window', async () => {
		// Made of the extension and the label, as VS Code lists it.
		await vscode.commands.executeCommand('workbench.mcp.startServer', 'easel.easel/Easel', {
			waitForLiveTools: true,
		});
		const named = (name: string) => vscode.lm.tools.find((tool) => tool.name.endsWith(name));
		await until(() => named('get_budget') !== undefined, 'the tools');
		const tools = vscode.lm.tools.filter(({ name }) => /^mcp_.*easel/i.test(name));
		assert.deepEqual(
			tools.map(({ name }) => name.replace(/^mcp_[a-z]*_/, '')).sort(),
			Object.keys(agentTools).sort(),
		);
		const { content } = await vscode.lm.invokeTool(named('get_budget')!.name, {
			input: {},
			toolInvocationToken: undefined,
		});
		const [words] = content;
		assert.ok(words instanceof vscode.LanguageModelTextPart);
		assert.doesNotMatch(words.value, /No VS Code window|does not answer/);
		assert.match(words.value, /^\{/);
	});
});
