import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import * as z from 'zod';
import { EaselError } from '../../easelError.js';
import { assertInside, OutsideWorkspaceError, removeQuietly } from '../../editor/files.js';
import { inspectUri } from '../../editor/images.js';
import { privateFile, privateFolder } from '../../files/writeWhole.js';
import { ImageError, type ImageFacts } from '../../images/inspect.js';

/** A reference image of the draft. The page knows it by its identifier, never by its path. */
interface DraftReference {
	readonly id: string;
	readonly uri: vscode.Uri;
	readonly name: string;
	/** What it is, or why it cannot be used. */
	readonly facts: ImageFacts | ImageError;
}

/** Why something did not become a reference, in words for the person who tried. */
export class RefusedReference extends EaselError {
	override readonly name = 'RefusedReference';
}

const stateKey = 'studio.references';
const savedSchema = z.array(z.object({ id: z.uuid(), uri: z.string(), name: z.string() }));

/**
 * The reference images of the draft, in the order in which they are sent. They are kept with the
 * workspace; what came as bytes lies in our own storage until it is removed.
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
			const saved = savedSchema.catch([]).parse(this.state.get(stateKey));
			const references = await Promise.all(
				saved.map(async ({ id, uri, name }) => {
					const parsed = vscode.Uri.parse(uri, true);
					return { id, uri: parsed, name, facts: await factsOf(parsed) };
				}),
			);
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
		const fresh = uris.filter(
			(uri) => !known.some((reference) => reference.uri.toString() === uri.toString()),
		);
		const added = await Promise.all(
			fresh.map(async (uri) => ({
				id: crypto.randomUUID(),
				uri,
				name: name ?? path.posix.basename(uri.path),
				facts: await factsOf(uri),
			})),
		);
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
	 * Adds images that a page names. A page can be made to name anything, so only files within the
	 * workspace are taken.
	 *
	 * @throws {RefusedReference} where one is not
	 */
	async addFromPage(texts: readonly string[]): Promise<void> {
		const uris: vscode.Uri[] = [];
		for (const text of texts) {
			uris.push(await insideWorkspace(text));
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
			const [gone, kept] = partition(await this.list(), (reference) => reference.id === id);
			await this.#set(kept);
			for (const { uri } of gone.filter((one) => this.isStored(one.uri))) {
				await removeQuietly(uri);
			}
		});
	}

	/** @param to its place among the others, from 0 */
	async move(id: string, to: number): Promise<void> {
		await this.#queue.add(async () => {
			const [moved, others] = partition(await this.list(), (reference) => reference.id === id);
			await this.#set([...others.slice(0, to), ...moved, ...others.slice(to)]);
		});
	}

	/** Whether the image lies in our own storage, so that nothing can be put beside it. */
	isStored(uri: vscode.Uri): boolean {
		return uri.toString().startsWith(`${this.folder.toString()}/`);
	}

	async #set(references: readonly DraftReference[]): Promise<void> {
		this.#references = references;
		const saved = references.map(({ id, uri, name }) => ({ id, uri: uri.toString(), name }));
		await this.state.update(stateKey, saved);
		this.#changed.fire();
	}
}

async function factsOf(uri: vscode.Uri): Promise<ImageFacts | ImageError> {
	try {
		return await inspectUri(uri);
	} catch (error) {
		return error instanceof ImageError ? error : new ImageError('unreadable', uri.path, error);
	}
}

async function insideWorkspace(text: string): Promise<vscode.Uri> {
	let uri: vscode.Uri;
	try {
		uri = asHere(vscode.Uri.parse(text, true));
	} catch {
		throw new RefusedReference('That is not a file.');
	}
	const name = path.posix.basename(uri.path);
	const folder = vscode.workspace.getWorkspaceFolder(uri);
	try {
		if (folder === undefined) {
			throw new OutsideWorkspaceError('it lies elsewhere');
		}
		await assertInside(folder.uri, uri);
		return uri;
	} catch (error) {
		if (error instanceof OutsideWorkspaceError) {
			throw new RefusedReference(
				`“${name}” does not lie in this workspace. Choose Browse… to use it.`,
			);
		}
		throw error;
	}
}

/** A page lives on the other side: there a file of this machine has the name of the machine. */
function asHere(uri: vscode.Uri): vscode.Uri {
	return uri.scheme === 'vscode-remote' ? uri.with({ scheme: 'file', authority: '' }) : uri;
}

function partition<T>(all: readonly T[], test: (one: T) => boolean): [T[], T[]] {
	return [all.filter(test), all.filter((one) => !test(one))];
}
