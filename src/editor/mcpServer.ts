import { access } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentCallHandler, AgentSocket } from './agentSocket.js';

/** The MCP server as a window has it. */
export interface McpServer {
	/**
	 * Program that clients other than VS Code start, as an absolute path that an update does not
	 * change.
	 */
	readonly launcher: string;
	/** Lets the server reach this window, and other windows when they start. */
	readonly install: () => Promise<void>;
	/** Ends what the server reaches. */
	readonly close: () => Promise<void>;
}

/**
 * Offers the MCP server to VS Code, and opens the socket that it calls: when VS Code starts it, or at
 * once where the user has configured it elsewhere. Loads nothing else before the first call.
 */
export function provideMcpServer(
	{ extension, extensionPath, globalStorageUri, subscriptions }: vscode.ExtensionContext,
	call: AgentCallHandler,
): McpServer {
	const agents = path.join(globalStorageUri.fsPath, 'agents');
	const launcher = path.join(agents, 'server.cjs');
	const bundle = path.join(extensionPath, 'dist', 'mcp.js');
	const notes = path.join(agents, 'windows');
	const { version } = extension.packageJSON as { readonly version: string };
	let loading: Promise<AgentSocket> | undefined;
	// A bundle of its own: most windows never need it.
	const load = () =>
		(loading ??= import('./agentSocket.js').then(
			(module) => new module.AgentSocket({ notes, folders: localFolders, call }),
		));
	const open = async () => {
		await (await load()).open();
	};
	const install = async () => {
		const { writeLauncher } = await import('./agentSocket.js');
		await writeLauncher(launcher, bundle, notes);
		await open();
	};
	const changing = new vscode.EventEmitter<void>();
	subscriptions.push(
		changing,
		vscode.workspace.onDidChangeWorkspaceFolders(() => {
			changing.fire();
			loading?.then((socket) => socket.update()).catch(() => undefined);
		}),
		// Another program may have removed the window's note.
		vscode.window.onDidChangeWindowState(() => {
			loading?.then((socket) => socket.restore()).catch(() => undefined);
		}),
		vscode.lm.registerMcpServerDefinitionProvider('easel', {
			onDidChangeMcpServerDefinitions: changing.event,
			provideMcpServerDefinitions: () =>
				localFolders()
					.slice(0, 1)
					.map((workspace) => definition(bundle, notes, workspace, version)),
			resolveMcpServerDefinition: async (server) => {
				await open();
				return server;
			},
		}),
	);
	// The launcher exists where the user has copied a configuration. It leads to this version then.
	access(launcher)
		.then(install)
		.catch(() => undefined);
	return {
		launcher,
		install,
		close: async () => {
			await (await loading)?.close();
		},
	};
}

/** Runs the server by VS Code's own program, as Node. VS Code keeps the tools of a version. */
function definition(bundle: string, notes: string, workspace: string, version: string) {
	const args = [bundle, '--windows', notes, '--workspace', workspace];
	const env = { ELECTRON_RUN_AS_NODE: '1' };
	return new vscode.McpStdioServerDefinition('Easel', process.execPath, args, env, version);
}

/** Only these have files that an image can go to. */
function localFolders(): string[] {
	const folders = vscode.workspace.workspaceFolders ?? [];
	return folders.filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);
}
