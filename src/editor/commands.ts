import * as vscode from 'vscode';
import type { CommandId, CommandSignatures } from './commandTable.js';

/** Registers the handler of a command of the table. */
export function registerCommand<Id extends CommandId>(
	id: Id,
	handler: CommandSignatures[Id],
): vscode.Disposable {
	return vscode.commands.registerCommand(id, handler);
}

/** Runs one of our own commands; this is how a feature asks for what another one offers. */
export async function runCommand<Id extends CommandId>(
	id: Id,
	...args: Parameters<CommandSignatures[Id]>
): Promise<Awaited<ReturnType<CommandSignatures[Id]>>> {
	return vscode.commands.executeCommand<Awaited<ReturnType<CommandSignatures[Id]>>>(id, ...args);
}
