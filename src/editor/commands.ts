import * as vscode from 'vscode';
import { giveCommand } from './commandDoor.js';
import { commandTitles, type CommandId, type CommandSignatures } from './commandTable.js';
import { handle } from './entrance.js';
import { fitToLeave, tellFailure } from './messages.js';

/** Registers the handler of a command of the table. What it throws leaves it as `register` says. */
export function registerCommand<Id extends CommandId>(
	id: Id,
	handler: CommandSignatures[Id],
): vscode.Disposable {
	return register(id, handler as (...args: unknown[]) => unknown);
}

/**
 * Registers the handler of a command. VS Code shows what a command throws, as it is, with the links
 * that stand in it, so only errors of ours leave it, and fit to be shown. Who gives a command without
 * arguments sits before the screen, and is told by us, with the next step; who passes some may be a
 * program that has to know.
 */
export function register(id: string, handler: (...args: unknown[]) => unknown): vscode.Disposable {
	const guarded = async (...args: unknown[]): Promise<unknown> => {
		try {
			return await handler(...args);
		} catch (error) {
			if (args.every((argument) => argument === undefined)) {
				tellFailure(error);
				return undefined;
			}
			throw fitToLeave(error);
		}
	};
	// Those of the table are there from the start.
	return Object.hasOwn(commandTitles, id)
		? handle(`command ${id}`, guarded)
		: giveCommand(id, guarded);
}

/** Runs one of our own commands; this is how a feature asks for what another one offers. */
export async function runCommand<Id extends CommandId>(
	id: Id,
	...args: Parameters<CommandSignatures[Id]>
): Promise<Awaited<ReturnType<CommandSignatures[Id]>>> {
	return vscode.commands.executeCommand<Awaited<ReturnType<CommandSignatures[Id]>>>(id, ...args);
}
