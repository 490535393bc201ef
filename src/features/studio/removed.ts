import { link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Gallery, GalleryImage } from '../../jobs/gallery.js';

/** After this time nobody takes a removal back, in milliseconds. */
const longestKeptMs = 24 * 60 * 60 * 1000;

/**
 * Images that were removed from the gallery: their files go to the system's recycle bin, which no
 * extension can take anything back from. So a second name, or a copy, is kept for a day.
 */
export class RemovedImages {
	readonly #removed = new Map<string, { image: GalleryImage; hadFile: boolean }>();

	/** @param folder in our own storage, absolute */
	constructor(
		private readonly gallery: Gallery,
		private readonly folder: string,
	) {}

	/**
	 * Removes an image from the gallery, and its file. Returns `false` where the user has decided
	 * against it.
	 *
	 * @throws where the file cannot be deleted; then everything is as it was
	 */
	async remove(image: GalleryImage): Promise<boolean> {
		const uri = vscode.Uri.parse(image.target, true);
		const hadFile = await exists(uri);
		if (hadFile) {
			await this.#keep(image.id, uri);
			try {
				if (!(await moveToTrash(uri))) {
					await rm(this.#keptFile(image.id), { force: true });
					return false;
				}
			} catch (error) {
				await rm(this.#keptFile(image.id), { force: true });
				throw error;
			}
		}
		await this.gallery.remove(image);
		this.#removed.set(image.id, { image, hadFile });
		return true;
	}

	/**
	 * Brings an image back, to where it was. Returns what the user should know, if anything.
	 *
	 * @throws where the file cannot be written
	 */
	async restore(id: string): Promise<string | undefined> {
		const removed = this.#removed.get(id);
		if (removed === undefined) {
			return 'The image was removed too long ago. Look for it in the recycle bin.';
		}
		const { image, hadFile } = removed;
		const uri = vscode.Uri.parse(image.target, true);
		const taken = hadFile && (await exists(uri));
		if (hadFile && !taken) {
			// Never over another file, also not one that comes in this very moment.
			await vscode.workspace.fs.copy(vscode.Uri.file(this.#keptFile(id)), uri, {
				overwrite: false,
			});
			await rm(this.#keptFile(id), { force: true });
		}
		await this.gallery.restore(image);
		this.#removed.delete(id);
		return taken ? `Another file has the name ${path.posix.basename(uri.path)} now.` : undefined;
	}

	/** Forgets what earlier windows have removed. */
	async sweep(now = Date.now()): Promise<void> {
		for (const name of await readdir(this.folder).catch(() => [])) {
			const file = path.join(this.folder, name);
			const found = await stat(file).catch(() => undefined);
			// A link keeps the time of its content; that of the name is when it was made.
			if (found !== undefined && now - found.ctimeMs > longestKeptMs) {
				await rm(file, { force: true });
			}
		}
	}

	async #keep(id: string, uri: vscode.Uri): Promise<void> {
		await mkdir(this.folder, { recursive: true });
		const file = this.#keptFile(id);
		await rm(file, { force: true });
		try {
			// Another name for the same bytes costs nothing.
			await link(uri.fsPath, file);
		} catch {
			await vscode.workspace.fs.copy(uri, vscode.Uri.file(file), { overwrite: true });
		}
	}

	#keptFile(id: string): string {
		return path.join(this.folder, id);
	}
}

/** Where there is no recycle bin, as on most servers, the user decides. */
async function moveToTrash(uri: vscode.Uri): Promise<boolean> {
	try {
		await vscode.workspace.fs.delete(uri, { useTrash: true });
		return true;
	} catch {
		if (!(await exists(uri))) {
			return true;
		}
		const choice = await vscode.window.showWarningMessage(
			`Delete ${path.posix.basename(uri.path)}?`,
			{
				modal: true,
				detail:
					'It cannot be moved to a recycle bin here. Undo in the Image Studio brings it back as long as the studio is open.',
			},
			'Delete',
		);
		if (choice === undefined) {
			return false;
		}
		await vscode.workspace.fs.delete(uri, { useTrash: false });
		return true;
	}
}

async function exists(uri: vscode.Uri): Promise<boolean> {
	return vscode.workspace.fs.stat(uri).then(
		() => true,
		() => false,
	);
}
