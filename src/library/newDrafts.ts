import PQueue from 'p-queue';
import * as vscode from 'vscode';
import * as z from 'zod';
import { imageExtensions } from '../editor/images.js';
import { mayExist } from '../editor/files.js';
import { log } from '../log.js';
import type { GalleryImage } from '../jobs/gallery.js';
import type { GenerationRequest } from '../jobs/request.js';
import { belongsHere, originalOf } from './galleryLookup.js';
import type { History } from './history.js';

/** Images that the user has not chosen among yet. */
export type NewDraft =
	| {
			readonly type: 'drafts';
			/** Images of one prompt; two at least. */
			readonly images: readonly [GalleryImage, ...GalleryImage[]];
	  }
	| {
			readonly type: 'new';
			readonly images: readonly [GalleryImage];
			/** The image that it was made or regenerated from. */
			readonly original: vscode.Uri;
	  };

const stateKey = 'newDrafts';
const storedSchema = z.array(z.uuid()).catch([]);
/** Number of images; older ones have been looked at, or never will be. */
const maxStored = 200;

/**
 * New drafts of this workspace, also after a reload: an image that was made from another one, and images
 * of one prompt, until the user has decided. One whose file is gone, or has taken the place of its
 * original, is decided; where that is undone, it is back.
 */
export class NewDrafts implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #looks = new PQueue({ concurrency: 1 });
	readonly #listening: vscode.Disposable;
	#watcher: vscode.Disposable | undefined;
	#all: readonly NewDraft[] = [];

	/** @param state of this workspace */
	constructor(
		private readonly history: Pick<History, 'list' | 'onDidChange'>,
		private readonly state: vscode.Memento,
	) {
		this.#listening = history.onDidChange(() => this.#lookSoon());
		this.#lookSoon();
	}

	dispose(): void {
		this.#looks.clear();
		vscode.Disposable.from(this.#changed, this.#listening).dispose();
		this.#watcher?.dispose();
	}

	/** The newest first. */
	get all(): readonly NewDraft[] {
		return this.#all;
	}

	/** Returns the draft that an image belongs to, by its identifier. */
	find(id: string): NewDraft | undefined {
		return this.#all.find(({ images }) => images.some((image) => image.id === id));
	}

	/** Adds an image that has arrived. What was made from none, and alone, is no draft. */
	async add({ id }: Pick<GenerationRequest, 'id'>): Promise<void> {
		await this.#store([id, ...this.#stored.filter((other) => other !== id)]);
	}

	/** Takes images out that the user keeps beside the others. */
	async keep(files: readonly vscode.Uri[]): Promise<void> {
		const targets = new Set(files.map(String));
		const images = (await this.history.list()).filter(({ target }) => targets.has(target));
		const kept = new Set(images.map(({ id }) => id));
		await this.#store(this.#stored.filter((id) => !kept.has(id)));
	}

	get #stored(): readonly string[] {
		return storedSchema.parse(this.state.get(stateKey));
	}

	async #store(ids: readonly string[]): Promise<void> {
		await this.state.update(stateKey, ids.slice(0, maxStored));
		this.#lookSoon();
	}

	/** Several changes are one look. */
	#lookSoon(): void {
		if (this.#looks.size === 0) {
			this.#looks
				.add(() => this.#look())
				.catch((error: unknown) => {
					log.error('The new drafts could not be listed', error);
				});
		}
	}

	async #look(): Promise<void> {
		const stored = new Set(this.#stored);
		if (stored.size === 0 && this.#all.length === 0) {
			return;
		}
		const known = (await this.history.list()).filter(
			(image) => stored.has(image.id) && belongsHere(image),
		);
		const exist = await Promise.all(known.map(({ target }) => exists(target)));
		this.#all = await groups(known.filter((_image, index) => exist[index]));
		this.#watch(stored.size > 0);
		this.#changed.fire();
	}

	/** Files come and go by other programs, too. */
	#watch(isNeeded: boolean): void {
		if (!isNeeded) {
			this.#watcher?.dispose();
			this.#watcher = undefined;
			return;
		}
		if (this.#watcher === undefined) {
			const watcher = vscode.workspace.createFileSystemWatcher(
				`**/*.{${imageExtensions.join(',')}}`,
			);
			const look = () => this.#lookSoon();
			// What goes and comes at once is reported as changed.
			const events = [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete];
			this.#watcher = vscode.Disposable.from(watcher, ...events.map((event) => event(look)));
		}
	}
}

async function groups(images: readonly GalleryImage[]): Promise<NewDraft[]> {
	const found: NewDraft[] = [];
	const isOfPrompt = ({ operation, regeneratedFrom }: GalleryImage) =>
		operation === 'generate' && regeneratedFrom === undefined;
	for (const image of images.filter((one) => !isOfPrompt(one))) {
		const original = originalOf(image);
		if (
			original !== undefined &&
			original.toString() !== image.target &&
			(await mayExist(original))
		) {
			found.push({ type: 'new', images: [image], original });
		}
	}
	const batches = Map.groupBy(images.filter(isOfPrompt), ({ id, prompt, round }) =>
		JSON.stringify([round?.id ?? id, prompt]),
	);
	for (const batch of batches.values()) {
		const [first, ...others] = batch.toSorted(
			(one, other) => (one.round?.place ?? 0) - (other.round?.place ?? 0),
		);
		if (first !== undefined && others.length > 0) {
			found.push({ type: 'drafts', images: [first, ...others] });
		}
	}
	const newest = ({ images }: NewDraft) =>
		images
			.map(({ savedAt }) => savedAt)
			.toSorted()
			.at(-1)!;
	return found.toSorted((one, other) => newest(other).localeCompare(newest(one)));
}

/** Returns whether an image may be there: one that cannot be looked at now counts. */
function exists(target: string): Promise<boolean> {
	return mayExist(vscode.Uri.parse(target, true));
}
