import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { readEntry, type JobEntry, type Journal } from '../../jobs/journal.js';
import { isOver } from '../../jobs/state.js';

/** An image that Easel has made and saved, as the journal knows it. */
export interface MadeImage {
	/** Where it was saved; it may have been moved or deleted since. */
	readonly uri: vscode.Uri;
	/** The request behind it. */
	readonly entry: JobEntry;
	readonly madeAt: Date;
}

/** The images of the journal. What is over does not change any more and is read only once. */
export class MadeImages {
	readonly #over = new Map<string, JobEntry>();

	constructor(private readonly journal: Journal) {}

	/** All of them, newest first, whether their files still exist or not. */
	async list(): Promise<MadeImage[]> {
		const entries = await Promise.all((await this.#names()).map((name) => this.#read(name)));
		return entries
			.flatMap((entry) => {
				const state = entry?.state;
				return entry === undefined || state?.state !== 'saved'
					? []
					: [
							{
								uri: vscode.Uri.parse(state.target, true),
								entry,
								madeAt: new Date(state.changedAt),
							},
						];
			})
			.sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime());
	}

	/** The latest one that was saved under this name; `undefined` where Easel has made none. */
	async find(uri: vscode.Uri): Promise<MadeImage | undefined> {
		return (await this.list()).find((made) => made.uri.toString() === uri.toString());
	}

	async #names(): Promise<string[]> {
		try {
			return await readdir(this.journal.root);
		} catch {
			// There is none before the first image.
			return [];
		}
	}

	async #read(name: string): Promise<JobEntry | undefined> {
		const known = this.#over.get(name);
		if (known !== undefined) {
			return known;
		}
		try {
			const entry = await readEntry(path.join(this.journal.root, name));
			if (isOver(entry.state)) {
				this.#over.set(name, entry);
			}
			return entry;
		} catch {
			// Just being made, or set aside.
			return undefined;
		}
	}
}
