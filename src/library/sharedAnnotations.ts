import { constants } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod';
import { wordsOf } from '../editor/errorTexts.js';
import { assertInside } from '../editor/files.js';
import { notify, runDetached, toSafeError } from '../editor/messages.js';
import { readBounded } from '../files/boundedRead.js';
import { extensibleObject, parseVersioned, serializeVersioned } from '../files/fileFormat.js';
import { statIfExists } from '../files/exists.js';
import { isNotFound } from '../files/fsErrors.js';
import { retryTransient } from '../files/retryTransient.js';
import { Serial } from '../files/serial.js';
import { flushNames, makeFolder, replaceOnce } from '../files/writeWhole.js';
import { log } from '../log.js';
import { messages } from '../messages.js';

/** In the workspace folder, to go with it into version control. */
export const sharedFile = '.easel/images.json';

/** In bytes: some 50,000 images. */
const maxBytes = 16 * 1024 * 1024;
/** As other files of the workspace. */
const mode = constants.S_IRUSR | constants.S_IWUSR | constants.S_IRGRP | constants.S_IROTH;

const entrySchema = extensibleObject({
	id: z.uuid(),
	/** Path relative to the workspace folder, for readers of the file. */
	file: z.string().optional(),
	star: z.boolean().optional(),
	title: z.string().optional(),
	note: z.string().optional(),
});
type Entry = z.infer<typeof entrySchema>;

const fileSchema = extensibleObject({ images: z.array(entrySchema) });

/** Decisions of a team about an image. */
export interface SharedAnnotation {
	readonly isFavorite?: boolean | undefined;
	readonly title?: string | undefined;
	readonly note?: string | undefined;
}

/** A change for an image; what is not given stays. */
export interface SharedChange {
	readonly id: string;
	/** URI of its file. */
	readonly uri: vscode.Uri;
	readonly mark: SharedAnnotation;
}

/** Content of the files of all workspace folders. */
export interface SharedRead {
	/** By the id of the image. */
	readonly images: ReadonlyMap<string, SharedAnnotation>;
	/** URIs of the workspace folders that have such a file, as far as it can be read. */
	readonly folders: ReadonlySet<string>;
}

/**
 * Stars, titles and notes of images in the workspace, so that a team shares them: a file in each
 * workspace folder, sorted by the images' ids, so that changes of several people merge. What a newer
 * Easel has written, or cannot be read, is left as it is.
 */
export class SharedAnnotations {
	readonly #changes = new Serial();
	/** Entries that were read last, by file, as long as it is the same one. */
	readonly #read = new Map<string, { readonly version: string; readonly entries: Entry[] }>();
	readonly #problems = { read: '', write: '' };

	async read(): Promise<SharedRead> {
		const images = new Map<string, SharedAnnotation>();
		const folders = new Set<string>();
		for (const { uri } of localFolders()) {
			for (const { id, star, title, note } of (await this.#readable(uri)) ?? []) {
				images.set(id, { isFavorite: star, title, note });
			}
			if (this.#read.has(fileIn(uri))) {
				folders.add(uri.toString());
			}
		}
		return { images, folders };
	}

	/**
	 * Notes what was decided about images of the workspace. An image from another workspace folder
	 * brings along what is noted there. Why some could not be written is shown once.
	 *
	 * @param knownIn what this machine knows to be shared in a folder whose file is not there
	 * @returns URIs of the folders in whose files they are, by their ids
	 */
	async write(
		changes: readonly SharedChange[],
		knownIn: (folder: string) => readonly ({ readonly image: string } & SharedAnnotation)[],
	): Promise<ReadonlyMap<string, string>> {
		const written = new Map<string, string>();
		const folderOf = (uri: vscode.Uri) => vscode.workspace.getWorkspaceFolder(uri)?.uri.toString();
		for (const { uri: folder } of localFolders()) {
			const changed = changes.filter(({ uri }) => folderOf(uri) === folder.toString());
			try {
				await this.#changes.run(() => this.#write(folder, changed, knownIn));
				for (const { id } of changed) {
					written.set(id, folder.toString());
				}
			} catch (error) {
				this.#report('write', folder, error);
			}
		}
		return written;
	}

	async #write(
		folder: vscode.Uri,
		changes: readonly SharedChange[],
		knownIn: Parameters<SharedAnnotations['write']>[1],
	): Promise<void> {
		if (changes.length === 0) {
			return;
		}
		const others = localFolders().filter(({ uri }) => uri.toString() !== folder.toString());
		const moved = new Map<string, Entry>();
		const movedFrom = new Set<vscode.Uri>();
		const ids = new Set(changes.map(({ id }) => id));
		for (const { uri } of others) {
			for (const entry of (await this.#readable(uri)) ?? []) {
				if (ids.has(entry.id)) {
					moved.set(entry.id, entry);
					movedFrom.add(uri);
				}
			}
		}
		await this.#change(folder, (entries) => {
			const known =
				entries ?? knownIn(folder.toString()).map((line) => marked({ id: line.image }, line));
			const byId = new Map(known.map((entry) => [entry.id, entry]));
			for (const { id, uri, mark } of changes) {
				const file = path.posix.relative(folder.path, uri.path);
				byId.set(id, marked({ ...moved.get(id), ...byId.get(id), id, file }, mark));
			}
			return [...byId.values()].filter(({ star, title, note }) =>
				[star, title, note].some((one) => one !== undefined),
			);
		});
		for (const uri of movedFrom) {
			await this.#change(uri, (entries = []) => entries.filter(({ id }) => !ids.has(id)));
		}
	}

	/** @param update gets `undefined` where there is no file */
	async #change(
		folder: vscode.Uri,
		update: (entries: readonly Entry[] | undefined) => readonly Entry[],
	): Promise<void> {
		const file = fileIn(folder);
		const content = await readContent(folder);
		const images = update(content?.images).toSorted((a, b) => (a.id < b.id ? -1 : 1));
		if (content === undefined && images.length === 0) {
			return;
		}
		await makeFolder(path.dirname(file));
		const part = `${file}.${crypto.randomUUID()}.part`;
		await retryTransient(() =>
			replaceOnce(file, `${serializeVersioned({ ...content, images }, '\t')}\n`, part, mode),
		);
		await flushNames(path.dirname(file));
	}

	/** `undefined` where there is no file, or none that can be read. */
	async #readable(folder: vscode.Uri): Promise<readonly Entry[] | undefined> {
		const file = fileIn(folder);
		try {
			const found = await statIfExists(file);
			const version =
				found && `${String(found.mtimeNs)} ${String(found.size)} ${String(found.ino)}`;
			const known = this.#read.get(file);
			if (version !== undefined && known?.version === version) {
				return known.entries;
			}
			const content = found && (await readContent(folder));
			if (version !== undefined && content !== undefined) {
				this.#read.set(file, { version, entries: content.images });
				return content.images;
			}
		} catch (error) {
			this.#report('read', folder, error);
		}
		this.#read.delete(file);
		return undefined;
	}

	/** Once, until something else is wrong. What could not be written is shown. */
	#report(what: 'read' | 'write', folder: vscode.Uri, error: unknown): void {
		const problem = `${folder.toString()} ${String(error)}`;
		if (problem === this.#problems[what]) {
			return;
		}
		this.#problems[what] = problem;
		log.error(`${sharedFile} cannot be used; stars and titles stay on this machine`, error);
		if (what === 'write') {
			runDetached(notify('warning', messages.notShared(sharedFile, wordsOf(toSafeError(error)))));
		}
	}
}

function localFolders(): readonly vscode.WorkspaceFolder[] {
	return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

function fileIn(folder: vscode.Uri): string {
	return vscode.Uri.joinPath(folder, sharedFile).fsPath;
}

/** Returns an entry with what was decided; what is not given stays, and what is empty goes. */
function marked(entry: Entry, mark: SharedAnnotation): Entry {
	return {
		...entry,
		star: 'isFavorite' in mark ? mark.isFavorite || undefined : entry.star,
		title: 'title' in mark ? mark.title || undefined : entry.title,
		note: 'note' in mark ? mark.note || undefined : entry.note,
	};
}

/**
 * @returns `undefined` where there is no file
 * @throws {OutsideWorkspaceError} where it is a link out of the folder; what is wrong with its
 * content
 */
async function readContent(folder: vscode.Uri): Promise<z.infer<typeof fileSchema> | undefined> {
	const file = vscode.Uri.joinPath(folder, sharedFile);
	await assertInside(folder, file);
	try {
		const bytes = await retryTransient(() => readBounded(file.fsPath, { maxBytes }));
		return fileSchema.parse(parseVersioned(bytes.toString('utf8')));
	} catch (error) {
		if (isNotFound(error)) {
			return undefined;
		}
		throw error;
	}
}
