import * as vscode from 'vscode';
import { EaselError } from '../easelError.js';
import type { LogSink } from '../log.js';
import { redact } from '../service/redact.js';
import { flattened, shortened } from './untrustedText.js';

/** Longest line, in UTF-16 code units. */
const maxLineLength = 4000;

/**
 * The one door to the log: nothing reaches the channel without going through `redact`, and each entry
 * is one line, so that no text of others can pass for an entry of its own.
 */
export class Log implements LogSink, vscode.Disposable {
	readonly #secrets = new Set<string>();
	#channel: vscode.LogOutputChannel | undefined;
	#isClosed = false;

	hide(secret: string): void {
		this.#secrets.add(secret);
	}

	info(text: string): void {
		this.#open()?.info(this.#line(text));
	}

	warn(text: string): void {
		this.#open()?.warn(this.#line(text));
	}

	/** Logs what was caught, with its causes, and below it where it was thrown, if it was not expected. */
	error(text: string, error?: unknown): void {
		const lines = error === undefined ? [text] : [`${text}: ${describe(error)}`, ...places(error)];
		this.#open()?.error(lines.map((line) => this.#line(line)).join('\n\t'));
	}

	show(): void {
		this.#open()?.show();
	}

	dispose(): void {
		this.#isClosed = true;
		this.#channel?.dispose();
	}

	/** While the window ends, what goes on may have something to say still: a closed channel throws. */
	#open(): vscode.LogOutputChannel | undefined {
		if (this.#isClosed) {
			return undefined;
		}
		return (this.#channel ??= vscode.window.createOutputChannel('Easel', { log: true }));
	}

	#line(text: string): string {
		// Before, so that no key is cut in two; and behind, for one that was hidden by marks.
		const line = this.#redact(flattened(this.#redact(text), ' ⏎ '));
		return shortened(line, maxLineLength);
	}

	#redact(text: string): string {
		return redact(text, [...this.#secrets]);
	}
}

function describe(error: unknown): string {
	const [first = '', ...others] = withCauses(error).map((one) =>
		one instanceof Error && !(one instanceof EaselError)
			? `${one.name}: ${one.message}`
			: wordsOf(one),
	);
	return [first, ...others.map((words) => `(${words})`)].join(' ');
}

function wordsOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** Returns the stack of an error that is none of ours. */
function places(error: unknown): string[] {
	return withCauses(error).flatMap((one) => {
		if (!(one instanceof Error) || one instanceof EaselError) {
			return [];
		}
		const { stack = '', message } = one;
		const below = stack.slice(stack.indexOf(message) + message.length).split('\n');
		return below.filter((line) => /^\s+at /.test(line));
	});
}

/** No more of them: an error can be its own cause. */
const maxCauses = 5;

function withCauses(error: unknown): unknown[] {
	const all = [error];
	for (let last = error; last instanceof Error && all.length < maxCauses;) {
		last = last.cause;
		if (last !== undefined) {
			all.push(last);
		}
	}
	return all;
}
