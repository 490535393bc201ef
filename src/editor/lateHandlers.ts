import type { Disposable } from 'vscode';

type Handler = (...args: never[]) => unknown;

/** What the editor calls of Easel, by the names under which its handlers are found. */
export type HandlerName =
	| `command ${string}`
	| `webview ${string}`
	| 'hover'
	| 'completions'
	| 'quickFixes'
	| 'refactorings'
	| 'renames'
	| 'besidesFollow'
	| 'openStorage';

/**
 * Handlers that can be given to the editor before the code behind them is loaded: whoever calls one
 * has it loaded, and waits for that.
 */
export class LateHandlers {
	readonly #handlers = new Map<HandlerName, Handler>();
	#loading: Promise<void> | undefined;

	/** @param load loads the code, which gives all handlers by {@link set} */
	constructor(private readonly load: () => Promise<void>) {}

	/** Loads the code, once. */
	ready(): Promise<void> {
		return (this.#loading ??= this.load());
	}

	/** What the editor is given. It rejects where the code cannot be loaded, and as the handler does. */
	of<T>(name: HandlerName): (...args: unknown[]) => Promise<T> {
		return async (...args) => {
			await this.ready();
			const handler = this.#handlers.get(name) as ((...args: unknown[]) => T) | undefined;
			if (handler === undefined) {
				throw new Error(`There is no handler of the name “${name}”.`);
			}
			return handler(...args);
		};
	}

	/** Says what handles it, until that is disposed of. */
	set(name: HandlerName, handler: Handler): Disposable {
		if (this.#handlers.has(name)) {
			throw new Error(`“${name}” has a handler already.`);
		}
		this.#handlers.set(name, handler);
		return { dispose: () => this.#handlers.delete(name) };
	}
}
