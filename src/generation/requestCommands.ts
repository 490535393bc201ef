import * as vscode from 'vscode';
import { register } from '../editor/commands.js';
import type { Operation, Order } from './order.js';

/**
 * What a feature offers about images that were asked for by it, perhaps in another window, as
 * commands of VS Code: the one who tells of an image need not know the feature. No menu has them.
 */
interface RequestCommands {
	/** Asks for the request again, with everything as it was. */
	readonly change: (order: Order) => Promise<void>;
	/** Puts an edited image in the place of its original. */
	readonly replaceOriginal: (original: vscode.Uri, edited: vscode.Uri) => Promise<void>;
}

/** Registers what the feature of an operation offers. */
export function registerRequestCommand<Name extends keyof RequestCommands>(
	name: Name,
	operation: Operation,
	handler: RequestCommands[Name],
): vscode.Disposable {
	return register(idOf(name, operation), handler as (...args: unknown[]) => unknown);
}

/** Runs it. */
export async function runRequestCommand<Name extends keyof RequestCommands>(
	name: Name,
	operation: Operation,
	...args: Parameters<RequestCommands[Name]>
): Promise<void> {
	await vscode.commands.executeCommand(idOf(name, operation), ...args);
}

function idOf(name: keyof RequestCommands, operation: Operation): string {
	return `_easel.${operation}.${name}`;
}
