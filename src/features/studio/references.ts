import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { isThere, removeQuietly } from '../../editor/files.js';
import { privateFile, privateFolder } from '../../files/writeWhole.js';
import { nameOfOriginal } from '../../generation/madeImages.js';
import { ImageError } from '../../images/inspect.js';
import {
	factsOf,
	isOf,
	newReference,
	saved,
	savedReferences,
	type DraftReference,
} from './draftReference.js';
import { droppedUri, RefusedReference } from './droppedUri.js';

const stateKey = 'studio.references';

/**
 * The reference images of the draft, in the order in which they are sent; where one of them is
 * edited, it is the first. They are kept with the workspace; what came as bytes lies in our own
 * storage until it is removed.
 */
export class DraftReferences implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChange = this.#changed.event;
	#references: readonly DraftReference[] | undefined;
	/** One change after the other: several files that are dropped keep their order. */
	readonly #queue = new PQueue({ concurrency: 1 });

	/**
	 * @param folder gets what was dropped or pasted as bytes; of this workspace alone, in our storage
	 */
	constructor(
		private readonly state: vscode.Memento,
		private readonly folder: vscode.Uri,
	) {}

	dispose(): void {
		this.#changed.dispose();
	}

	/** All of them; read again from the disk at the first time only. */
	async list(): Promise<readonly DraftReference[]> {
		if (this.#references === undefined) {
			const references = await savedReferences(this.state.get(stateKey));
			this.#references ??= references;
		}
		return this.#references;
	}

	/**
	 * Adds images that the user has pointed at, wherever they lie; those that are there already stay
	 * where they are.
	 *
	 * @throws {RefusedReference} naming what is no image; the others are added
	 */
	async add(uris: readonly vscode.Uri[], name?: string): Promise<void> {
		await this.#queue.add(() => this.#add(uris, name));
	}

	async #add(uris: readonly vscode.Uri[], name?: string): Promise<void> {
		const known = await this.list();
		const fresh = uris.filter((uri) => !known.some((reference) => isOf(reference, uri)));
		const added = await Promise.all(fresh.map((uri) => newReference(uri, name)));
		await this.#set([
			...(await this.list()),
			...added.filter(({ facts }) => !(facts instanceof ImageError)),
		]);
		const refused = added.flatMap(({ facts }) => (facts instanceof ImageError ? [facts] : []));
		if (refused.length > 0) {
			throw new RefusedReference(refused.map(({ message }) => message).join(' '));
		}
	}

	/**
	 * Makes an image the one that is edited, in the place of the one before. The others stay; where it
	 * was one of them, it goes to the front.
	 *
	 * @throws {RefusedReference} where it cannot be used; everything stays as it was then
	 */
	async edit(uri: vscode.Uri): Promise<void> {
		await this.#queue.add(async () => {
			const known = (await this.list()).find((reference) => isOf(reference, uri));
			const meant = { ...(known ?? (await newReference(uri))), facts: await factsOf(uri) };
			if (meant.facts instanceof ImageError) {
				throw new RefusedReference(meant.facts.message);
			}
			const others = (await this.list()).filter(
				(reference) => !reference.edited && reference !== known,
			);
			await this.#replace([{ ...meant, edited: true }, ...others]);
		});
	}

	/**
	 * Puts those of a request in the place of all that are there.
	 *
	 * @param uris in the order in which they were sent
	 * @param edits whether the first of them was edited
	 * @returns the names of those that are not there any more, which are left out
	 */
	async restore(uris: readonly vscode.Uri[], edits: boolean): Promise<string[]> {
		const gone: string[] = [];
		await this.#queue.add(async () => {
			const before = await this.list();
			const found = await Promise.all(
				uris.map(async (uri, index) => {
					const known = before.find((reference) => isOf(reference, uri));
					const reference = await newReference(uri, known?.name ?? nameOfOriginal(uri));
					// What cannot be looked at now may well be there.
					const isGone = !(await isThere(uri).catch(() => true));
					return { ...reference, edited: edits && index === 0, isGone };
				}),
			);
			gone.push(...found.filter(({ isGone }) => isGone).map(({ name }) => name));
			await this.#replace(
				found.filter(({ isGone }) => !isGone).map(({ isGone: _isGone, ...reference }) => reference),
			);
		});
		return gone;
	}

	/**
	 * Adds images that a page names.
	 *
	 * @throws {RefusedReference} where one of them does not lie within the workspace
	 */
	async addFromPage(texts: readonly string[]): Promise<void> {
		const uris: vscode.Uri[] = [];
		for (const text of texts) {
			uris.push(await droppedUri(text));
		}
		await this.add(uris);
	}

	/**
	 * Adds an image that came as bytes.
	 *
	 * @param name that of the file, or what a person would call it
	 * @throws {RefusedReference} where it is no image
	 */
	async addBytes(name: string, bytes: Uint8Array): Promise<void> {
		await this.#queue.add(() => this.#addBytes(name, bytes));
	}

	async #addBytes(name: string, bytes: Uint8Array): Promise<void> {
		const hash = createHash('sha256').update(bytes).digest('hex');
		const uri = vscode.Uri.joinPath(this.folder, hash);
		await mkdir(this.folder.fsPath, { recursive: true, mode: privateFolder });
		await writeFile(uri.fsPath, bytes, { mode: privateFile });
		const shown = path.posix.basename(name.replaceAll('\\', '/')) || 'image';
		try {
			await this.#add([uri], shown);
		} catch (error) {
			await removeQuietly(uri);
			throw error instanceof RefusedReference
				? new RefusedReference(error.message.replaceAll(hash, shown))
				: error;
		}
	}

	async remove(id: string): Promise<void> {
		await this.#queue.add(async () => {
			await this.#replace((await this.list()).filter((reference) => reference.id !== id));
		});
	}

	/**
	 * Moves one; not before the one that is edited, which stays where it is.
	 *
	 * @param to its place among the others, from 0
	 */
	async move(id: string, to: number): Promise<void> {
		await this.#queue.add(async () => {
			const [moved, others] = partition(await this.list(), (reference) => reference.id === id);
			const [edited, rest] = partition(others, (reference) => reference.edited);
			if (moved[0]?.edited !== true) {
				const at = Math.max(to - edited.length, 0);
				await this.#set([...edited, ...rest.slice(0, at), ...moved, ...rest.slice(at)]);
			}
		});
	}

	/** Whether the image lies in our own storage, so that nothing can be put beside it. */
	isStored(uri: vscode.Uri): boolean {
		return uri.toString().startsWith(`${this.folder.toString()}/`);
	}

	/** What is none of these any more and lies in our storage is deleted. */
	async #replace(references: readonly DraftReference[]): Promise<void> {
		const before = await this.list();
		await this.#set(references);
		for (const { uri } of before) {
			if (this.isStored(uri) && !references.some((reference) => isOf(reference, uri))) {
				await removeQuietly(uri);
			}
		}
	}

	async #set(references: readonly DraftReference[]): Promise<void> {
		this.#references = references;
		await this.state.update(stateKey, saved(references));
		this.#changed.fire();
	}
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
	return [all.filter(test), all.filter((one) => !test(one))];
}
