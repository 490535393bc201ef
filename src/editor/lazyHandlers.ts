import type { Disposable } from 'vscode';

type Handler = (...args: never[]) => unknown;

/** Provider that the editor calls while the user types, points or moves the cursor. */
export type ProviderName = 'hover' | 'completions' | 'quickFixes' | 'refactorings';

type HandlerName =
	| `${'command' | 'webview' | 'view'} ${string}`
	| ProviderName
	| 'agentCall'
	| 'renames'
	| 'languageModelTool'
	| 'api'
	| 'moveRecipes'
	| 'openStorage';

/** Handlers that the editor gets before the code behind them is loaded; a call loads it. */
export class LazyHandlers {
	readonly #handlers = new Map<HandlerName, Handler>();
	#loading: Promise<void> | undefined;

	/** @param importCode loads the code, which registers all handlers */
	constructor(private readonly importCode: () => Promise<void>) {}

	/** Loads the code, once. */
	load(): Promise<void> {
		return (this.#loading ??= this.importCode());
	}

	/**
	 * Returns the function that the editor is given. It rejects where the code cannot be loaded,
	 * and as the handler does.
	 */
	proxy<T>(name: HandlerName): (...args: unknown[]) => Promise<T> {
		return async (...args) => {
			await this.load();
			const handler = this.#handlers.get(name) as ((...args: unknown[]) => T) | undefined;
			if (handler === undefined) {
				throw new Error(`There is no handler of the name “${name}”.`);
			}
			return handler(...args);
		};
	}

	register(name: HandlerName, handler: Handler): Disposable {
		if (this.#handlers.has(name)) {
			throw new Error(`“${name}” has a handler already.`);
		}
		this.#handlers.set(name, handler);
		return { dispose: () => this.#handlers.delete(name) };
	}
}

let ofWindow: LazyHandlers | undefined;

/** Sets the handlers of the window, for {@link registerHandler}. */
export function useHandlers(handlers: LazyHandlers): void {
	ofWindow = handlers;
}

/** Registers what a proxy of the window calls; see {@link LazyHandlers.proxy}. */
export function registerHandler(name: HandlerName, handler: Handler): Disposable {
	if (ofWindow === undefined) {
		throw new Error('The editor was not given any handlers.');
	}
	return ofWindow.register(name, handler);
}
