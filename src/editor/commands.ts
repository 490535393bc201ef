import * as vscode from 'vscode';
import { commandTitles, type CommandId, type CommandSignatures } from './commandTable.js';
import { registerHandler, type ProviderName } from './lazyHandlers.js';
import { log } from '../log.js';
import { toSafeError, showError, withErrorMessage, type Button } from './messages.js';
import { registerRawCommand } from './providers.js';

/**
 * Registers the handler of a command of the table, of which the editor has a proxy from the start.
 */
export function registerCommand<Id extends CommandId>(
	id: Id,
	handler: CommandSignatures[Id],
): vscode.Disposable {
	const run = handler as (...args: unknown[]) => unknown;
	// What is wrong with a setting only the user can mend, whatever has called it.
	const shown = (...args: unknown[]) => withErrorMessage(() => Promise.resolve(run(...args)));
	return registerHandler(`command ${id}`, fitToBeCalled(shown));
}

/** Registers the handler of a command that is in no palette and no menu. */
export function registerHiddenCommand(
	id: string,
	handler: (...args: unknown[]) => unknown,
): vscode.Disposable {
	return registerRawCommand(id, fitToBeCalled(handler));
}

/**
 * Registers the handler of a link in a hover. The hover has the keyboard then, and keeps it: what the
 * user types next would press the link again. So the editor gets it back first, and the hover is closed.
 */
export function registerHoverLink(
	id: string,
	handler: (id: unknown) => unknown,
): vscode.Disposable {
	return registerHiddenCommand(id, async (...[argument]) => {
		await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
		await vscode.commands.executeCommand('editor.action.hideHover');
		return handler(argument);
	});
}

/**
 * Returns a handler whose errors are fit to be shown: VS Code shows them, with the links in them. A
 * user passes no arguments and sees a message with the next step; a program passes some.
 */
function fitToBeCalled(
	handler: (...args: unknown[]) => unknown,
): (...args: unknown[]) => Promise<unknown> {
	return async (...args) => {
		try {
			return await handler(...args);
		} catch (error) {
			if (args.every((argument) => argument === undefined)) {
				showError(error);
				return undefined;
			}
			throw toSafeError(error);
		}
	};
}

/** Last error of a provider, which is not logged again with every key. */
let lastFailure: string | undefined;

/** Registers what the editor asks for while the user types; errors are logged once, not thrown. */
export function registerProvider<Args extends unknown[], T>(
	name: ProviderName,
	provide: (...args: Args) => Promise<T>,
): vscode.Disposable {
	return registerHandler(name, async (...args: Args) => {
		try {
			return await provide(...args);
		} catch (error) {
			const failure = `${name}: ${String(error)}`;
			if (lastFailure !== failure) {
				lastFailure = failure;
				log.error(`A provider of ${name} failed`, error);
			}
			return undefined;
		}
	});
}

/** A button of a message that runs one of our own commands, and has its title. */
export function commandButton<Id extends CommandId>(
	id: Id,
	...args: Parameters<CommandSignatures[Id]>
): Button {
	return {
		label: commandTitles[id],
		run: async () => {
			await runCommand(id, ...args);
		},
	};
}

/** Runs one of our own commands; this is how a feature asks for what another one offers. */
export async function runCommand<Id extends CommandId>(
	id: Id,
	...args: Parameters<CommandSignatures[Id]>
): Promise<Awaited<ReturnType<CommandSignatures[Id]>>> {
	return vscode.commands.executeCommand<Awaited<ReturnType<CommandSignatures[Id]>>>(id, ...args);
}
