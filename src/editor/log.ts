import * as vscode from 'vscode';
import { redact } from '../service/redact.js';

/** The one door to the log: nothing reaches the channel without going through `redact`. */
export class Log implements vscode.Disposable {
	readonly #secrets = new Set<string>();
	#channel: vscode.LogOutputChannel | undefined;

	/** From now on this value appears as `***`. */
	hide(secret: string): void {
		this.#secrets.add(secret);
	}

	info(text: string): void {
		this.#open().info(this.#redact(text));
	}

	warn(text: string): void {
		this.#open().warn(this.#redact(text));
	}

	/** Logs what was caught, with its causes. */
	error(text: string, error?: unknown): void {
		this.#open().error(this.#redact(error === undefined ? text : `${text}: ${describe(error)}`));
	}

	show(): void {
		this.#open().show();
	}

	dispose(): void {
		this.#channel?.dispose();
	}

	#open(): vscode.LogOutputChannel {
		return (this.#channel ??= vscode.window.createOutputChannel('Easel', { log: true }));
	}

	#redact(text: string): string {
		return redact(text, [...this.#secrets]);
	}
}

/** An error with its causes in one line; the stack only where the error is not one of ours. */
function describe(error: unknown): string {
	if (!(error instanceof Error)) {
		return String(error);
	}
	const own = 'charge' in error ? error.message : (error.stack ?? error.message);
	return error.cause === undefined ? own : `${own} (${describe(error.cause)})`;
}
