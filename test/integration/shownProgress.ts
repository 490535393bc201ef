import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { atEnd } from './atEnd.js';

type Report = { message?: string; increment?: number };

/** Long work that is shown as usual until the test ends; a test may press Cancel. */
export class ShownProgress implements vscode.Disposable {
	/** The titles of what was shown, with what it said last. */
	readonly all = new Map<string, string>();
	readonly #before = vscode.window.withProgress;

	/** @param isCancelled returns true to press Cancel */
	constructor(isCancelled: (title: string, words: string) => boolean) {
		atEnd(() => this.dispose());
		const show = <T>(
			options: vscode.ProgressOptions,
			task: (progress: vscode.Progress<Report>, token: vscode.CancellationToken) => Thenable<T>,
		): Thenable<T> => {
			const title = options.title ?? '';
			this.all.set(title, '');
			const cancelling = new vscode.EventEmitter<void>();
			return this.#before(options, (progress, token) => {
				const report = (value: Report) => {
					const words = value.message ?? '';
					this.all.set(title, words);
					progress.report(value);
					if (isCancelled(title, words)) {
						assert.ok(options.cancellable, title);
						cancelling.fire();
					}
				};
				const onCancellationRequested = cancelling.event as typeof token.onCancellationRequested;
				return task({ report }, { ...token, onCancellationRequested });
			});
		};
		Object.assign(vscode.window, { withProgress: show });
	}

	dispose(): void {
		Object.assign(vscode.window, { withProgress: this.#before });
	}
}
