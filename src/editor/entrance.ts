import type { Disposable } from 'vscode';
import type { HandlerName, LateHandlers } from './lateHandlers.js';

let entrance: LateHandlers | undefined;

/** From now on handlers are given to those that the editor has of us already. */
export function enterThrough(handlers: LateHandlers): void {
	entrance = handlers;
}

/** Says what handles that which the editor calls by this name. */
export function handle(name: HandlerName, handler: (...args: never[]) => unknown): Disposable {
	if (entrance === undefined) {
		throw new Error('Easel was not entered as it should be.');
	}
	return entrance.set(name, handler);
}
