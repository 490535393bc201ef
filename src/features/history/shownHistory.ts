import * as vscode from 'vscode';
import { uriExists } from '../../editor/files.js';
import { runDetached } from '../../editor/messages.js';
import type { KnownRounds, RoundReader } from '../../generation/knownRounds.js';
import type { GalleryImage } from '../../jobs/gallery.js';
import type { HistoryDeps } from './deps.js';

/** The images as a list shows them, which comes before all of them are known. */
export class ShownHistory implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	/** There is more to show, or something else. */
	readonly onDidChange = this.#changed.event;
	readonly #subscriptions: vscode.Disposable;
	#known: KnownRounds | undefined;
	/** Whether files are there, by the URIs of those that somebody has asked for. */
	readonly #isThere = new Map<string, boolean>();

	/** @throws the system's error where the gallery cannot be read */
	static async begin(rounds: RoundReader, deps: HistoryDeps): Promise<ShownHistory> {
		const shown = new ShownHistory(rounds, deps);
		try {
			await shown.#read();
			return shown;
		} catch (error) {
			shown.dispose();
			throw error;
		}
	}

	private constructor(
		private readonly rounds: RoundReader,
		private readonly deps: HistoryDeps,
	) {
		// Before anything is read: what changes meanwhile would be seen by nobody.
		this.#subscriptions = vscode.Disposable.from(
			deps.history.follow(),
			deps.history.onDidChange(() => {
				runDetached(this.#read());
			}),
		);
	}

	dispose(): void {
		this.#subscriptions.dispose();
		this.#changed.dispose();
	}

	readonly isBusy = (): boolean => this.deps.history.isLooking;

	/** The rounds as they were read last. */
	get known(): KnownRounds {
		// Nobody else has this before `begin` has read them.
		return this.#known!;
	}

	async #read(): Promise<void> {
		this.#known = await this.rounds.read();
		this.#isThere.clear();
		this.#changed.fire();
	}

	/**
	 * Whether the file of an image is not there any more, as far as that is known; what is not is looked
	 * at, and told.
	 */
	areGone(images: readonly GalleryImage[]): (image: GalleryImage) => boolean {
		const unknown = images.filter(({ target }) => !this.#isThere.has(target));
		if (unknown.length > 0) {
			runDetached(this.#look(unknown));
		}
		return ({ target }) => this.#isThere.get(target) === false;
	}

	async #look(images: readonly GalleryImage[]): Promise<void> {
		for (const { target } of images) {
			this.#isThere.set(target, true);
		}
		let isOther = false;
		await Promise.all(
			images.map(async ({ target }) => {
				// What cannot be looked at now may well be there.
				if (!(await uriExists(vscode.Uri.parse(target, true)).catch(() => true))) {
					this.#isThere.set(target, false);
					isOther = true;
				}
			}),
		);
		if (isOther) {
			this.#changed.fire();
		}
	}
}
