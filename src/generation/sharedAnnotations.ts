import { constants } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import * as z from 'zod';
import { assertInside } from '../editor/files.js';
import { readBounded } from '../files/boundedRead.js';
import { extensibleObject, parseVersioned, serializeVersioned } from '../files/fileFormat.js';
import { isNotFound } from '../files/fsErrors.js';
import { retryTransient } from '../files/retryTransient.js';
import { flushNames, makeFolder, replaceOnce } from '../files/writeWhole.js';
import { log } from '../log.js';

/** In the workspace folder, to go with it into version control. */
export const sharedFile = '.easel/images.json';

/** In bytes: some 50,000 images. */
const maxBytes = 16 * 1024 * 1024;
/** As other files of the workspace. */
const mode = constants.S_IRUSR | constants.S_IWUSR | constants.S_IRGRP | constants.S_IROTH;

const entrySchema = extensibleObject({
	id: z.uuid(),
	/** Where it was, relative to the workspace folder, for who reads the file. */
	file: z.string().optional(),
	star: z.boolean().optional(),
	title: z.string().optional(),
	note: z.string().optional(),
});
type Entry = z.infer<typeof entrySchema>;

const fileSchema = extensibleObject({ images: z.array(entrySchema) });

/** What a team has decided about an image. */
export interface SharedAnnotation {
	readonly kept?: boolean | undefined;
	readonly title?: string | undefined;
	readonly note?: string | undefined;
}

/** What the files of all workspace folders say. */
export interface SharedRead {
	/** By the id of the image. */
	readonly images: ReadonlyMap<string, SharedAnnotation>;
	/** Whether there is a file, and all of them can be read. */
	readonly isKnown: boolean;
}

/**
 * Stars, titles and notes of images in the workspace, so that a team shares them: a file in each
 * workspace folder, sorted by the images' ids, so that changes of several people merge. What a newer Easel has written, or cannot be read, is left as it is.
 */
export class SharedAnnotations {
	/** One change after the other. */
	readonly #changes = new PQueue({ concurrency: 1 });
	/** What was read last, by the file, as long as it is the same one. */
	readonly #read = new Map<string, { readonly version: string; readonly entries: Entry[] }>();
	#lastProblem = '';

	async read(): Promise<SharedRead> {
		const images = new Map<string, SharedAnnotation>();
		let hasFile = false;
		let isReadable = true;
		for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
			try {
				const entries = await this.#entries(uri);
				hasFile ||= entries !== undefined;
				for (const { id, star, title, note } of entries ?? []) {
					images.set(id, { kept: star, title, note });
				}
			} catch (error) {
				isReadable = false;
				this.#report(uri, error);
			}
		}
		return { images, isKnown: hasFile && isReadable };
	}

	/**
	 * Notes what was decided about an image of the workspace; all of it, because what is not given is
	 * not there any more.
	 *
	 * @returns whether it is in the file; what could not be written is logged
	 */
	async write(id: string, image: vscode.Uri, annotation: SharedAnnotation): Promise<boolean> {
		const folder = vscode.workspace.getWorkspaceFolder(image)?.uri;
		if (folder?.scheme !== 'file') {
			return false;
		}
		try {
			await this.#changes.add(() => this.#change(folder, id, image, annotation));
			return true;
		} catch (error) {
			this.#report(folder, error);
			return false;
		}
	}

	async #change(
		folder: vscode.Uri,
		id: string,
		image: vscode.Uri,
		{ kept, title, note }: SharedAnnotation,
	): Promise<void> {
		const file = vscode.Uri.joinPath(folder, sharedFile);
		const content = (await readContent(folder)) ?? { images: [] };
		const before = content.images.find((entry) => entry.id === id);
		const now: Entry = {
			...before,
			id,
			file: path.posix.relative(folder.path, image.path),
			star: kept === true || undefined,
			title: title || undefined,
			note: note || undefined,
		};
		const isEmpty = now.star === undefined && now.title === undefined && now.note === undefined;
		const images = [
			...content.images.filter((entry) => entry.id !== id),
			...(isEmpty ? [] : [now]),
		].sort((a, b) => (a.id < b.id ? -1 : 1));
		if (before === undefined && isEmpty) {
			return;
		}
		await makeFolder(path.dirname(file.fsPath));
		const part = `${file.fsPath}.${crypto.randomUUID()}.part`;
		await retryTransient(() =>
			replaceOnce(file.fsPath, `${serializeVersioned({ ...content, images }, '\t')}\n`, part, mode),
		);
		await flushNames(path.dirname(file.fsPath));
	}

	/** `undefined` where there is no file. */
	async #entries(folder: vscode.Uri): Promise<readonly Entry[] | undefined> {
		const file = vscode.Uri.joinPath(folder, sharedFile).fsPath;
		const found = await stat(file).catch((error: unknown) => {
			if (isNotFound(error)) {
				return undefined;
			}
			throw error;
		});
		if (folder.scheme !== 'file' || found === undefined) {
			this.#read.delete(file);
			return undefined;
		}
		const version = `${String(found.mtimeMs)} ${String(found.size)} ${String(found.ino)}`;
		const known = this.#read.get(file);
		if (known?.version === version) {
			return known.entries;
		}
		const entries = (await readContent(folder))?.images ?? [];
		this.#read.set(file, { version, entries });
		return entries;
	}

	/** Once, until something else is wrong. */
	#report(folder: vscode.Uri, error: unknown): void {
		const problem = `${folder.toString()} ${String(error)}`;
		if (problem !== this.#lastProblem) {
			this.#lastProblem = problem;
			log.error(`${sharedFile} cannot be used; stars and titles stay on this machine`, error);
		}
	}
}

/**
 * @returns `undefined` where there is no file
 * @throws {OutsideWorkspaceError} where it is a link that leads out of the folder
 * @throws {NewerFormatError} where a newer Easel has written it
 * @throws what is wrong with its content, or the system's error
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
