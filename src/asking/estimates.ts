import * as vscode from 'vscode';
import { TooHeavyError } from '../images/exports/exportImage.js';
import { parseExport } from '../images/exports/preset.js';
import { weightWords } from '../images/readableSize.js';
import type { ExportedFile, Exporter } from '../generation/exporter.js';
import { presetMessages } from '../messages.js';

/** Makes the files of presets in the background, one after the other: their weight is known then. */
export class Estimates {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #made = new Map<string, readonly ExportedFile[] | Error>();
	readonly #ended = new AbortController();
	#wanted: string[] = [];
	#running: Promise<void> | undefined;

	constructor(
		private readonly image: vscode.Uri,
		private readonly exporter: Exporter,
	) {}

	/** Estimates these next; those that were wanted before come later. */
	want(texts: readonly string[]): void {
		const isNew = (text: string) => !this.#made.has(text);
		const first = texts.filter(isNew);
		this.#wanted = [
			...first,
			...this.#wanted.filter((text) => isNew(text) && !first.includes(text)),
		];
		this.#running ??= this.#run();
	}

	/** The weight of a preset, or why it is not possible; empty while that is not known. */
	wordsFor(text: string): string {
		const made = this.#made.get(text);
		if (made === undefined) {
			return presetMessages.estimating;
		}
		if (made instanceof Error) {
			return made instanceof TooHeavyError
				? presetMessages.tooHeavy(weightWords(made.reached))
				: presetMessages.impossible;
		}
		const weights = made.map(({ weight }) => weightWords(weight));
		const words = presetMessages.estimate(weights);
		return made.some(({ isFlattened }) => isFlattened)
			? `${words} · ${presetMessages.white}`
			: words;
	}

	/** Returns the files of a preset, which the caller discards; `undefined` where they are not made. */
	take(text: string): readonly ExportedFile[] | undefined {
		const made = this.#made.get(text);
		if (made === undefined || made instanceof Error) {
			return undefined;
		}
		this.#made.delete(text);
		return made;
	}

	/** Ends what is running, and discards what was not taken. */
	async dispose(): Promise<void> {
		this.#ended.abort();
		await this.#running;
		this.#changed.dispose();
		const files = [...this.#made.values()].flatMap((made) => (made instanceof Error ? [] : made));
		await this.exporter.discard(files);
	}

	async #run(): Promise<void> {
		// What asks is still building its list.
		await Promise.resolve();
		for (let text; (text = this.#wanted.shift()) !== undefined && !this.#ended.signal.aborted;) {
			const preset = parseExport(text);
			if (preset === undefined) {
				continue;
			}
			try {
				this.#made.set(text, await this.exporter.make(this.image, preset, this.#ended.signal));
			} catch (error) {
				this.#made.set(text, error instanceof Error ? error : new Error(String(error)));
			}
			if (!this.#ended.signal.aborted) {
				this.#changed.fire();
			}
		}
		this.#running = undefined;
	}
}
