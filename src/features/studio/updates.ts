import type * as vscode from 'vscode';
import { log } from '../../log.js';

/** Logs a failure to bring the page up to date: what is shown again in a moment is not worth a message. */
export function updateDetached(task: PromiseLike<unknown>): void {
	task.then(undefined, (error: unknown) => {
		log.error('Image Studio could not be brought up to date', error);
	});
}

/** Runs something once for all calls that come close together. */
export class Coalescer implements vscode.Disposable {
	#timer: NodeJS.Timeout | undefined;

	/** @param delayMs from the first of the calls, in milliseconds */
	constructor(
		private readonly delayMs: number,
		private readonly run: () => void,
	) {}

	readonly schedule = (): void => {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			this.run();
		}, this.delayMs);
	};

	/** Drops what is scheduled. */
	dispose(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}
}
