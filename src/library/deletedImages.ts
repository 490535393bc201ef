import { posix } from 'node:path';
import * as vscode from 'vscode';
import { WordedError } from '../editor/errorTexts.js';
import type { BackupStore } from '../editor/backupStore.js';
import { placeOf } from '../editor/filePlaces.js';
import { safeText } from '../editor/untrustedText.js';
import { ChangedError, isSwapped, restoreUnderFreeName, swapFile } from '../editor/swapFiles.js';
import type { Gallery, GalleryImage } from '../jobs/gallery.js';
import { besideName, readBeside } from '../recipes/beside.js';
import { messages } from '../messages.js';
import { log } from '../log.js';

class NotDeletedError extends WordedError {
	override readonly name = 'NotDeletedError';

	constructor(name: string, cause: unknown) {
		super(messages.changedNotDeleted(safeText(name)), { cause });
	}
}

interface Deleted {
	readonly image: GalleryImage;
	/** SHA-256 of its file; `undefined` where that had gone already. */
	readonly sha256: string | undefined;
	/** The same of the recipe beside it, which went with it. */
	readonly beside: string | undefined;
	/** The same of its export. */
	readonly published: string | undefined;
}

/**
 * Images that were removed from the gallery: their files go to the system's recycle bin, which no
 * extension can take anything back from. So they are backed up before.
 */
export class DeletedImages {
	readonly #deleted = new Map<string, Deleted>();

	constructor(
		private readonly gallery: Gallery,
		private readonly backups: BackupStore,
	) {}

	/**
	 * Removes an image from the gallery, its file, the recipe beside that, and its export. Where there is
	 * no recycle bin, as on most servers, its backup is enough.
	 *
	 * @throws where the file cannot be looked at or deleted; then everything is as it was
	 */
	async remove(image: GalleryImage): Promise<void> {
		const uri = vscode.Uri.parse(image.target, true);
		const sha256 = await placeOf(uri).backUp(this.backups);
		await this.gallery.remove(image);
		try {
			await (sha256 && this.#delete(uri, sha256));
		} catch (error) {
			await this.gallery.restore(image);
			const name = posix.basename(uri.path);
			throw error instanceof ChangedError ? new NotDeletedError(name, error) : error;
		}
		const beside = sha256 === undefined ? undefined : await this.#deleteBeside(uri, sha256);
		const published = await this.#deleteExport(image);
		this.#deleted.set(image.id, { image, sha256, beside, published });
		await this.backups.prune().catch((error: unknown) => {
			log.error('Old backups could not be removed', error);
		});
	}

	/** Removes the export of an image, which stays; {@link restore} takes that back. */
	async removeExport(image: GalleryImage): Promise<void> {
		const published = await this.#deleteExport(image);
		await this.gallery.restore({ ...image, publish: undefined, published: undefined });
		this.#deleted.set(image.id, { image, sha256: undefined, beside: undefined, published });
	}

	/**
	 * Brings an image back, to where it was, or beside that where the name is taken. Returns what the
	 * user should know, if anything.
	 *
	 * @throws where the file cannot be written; it can be tried again then
	 */
	async restore(id: string): Promise<string | undefined> {
		const removed = this.#deleted.get(id);
		if (removed === undefined) {
			return messages.deletedTooLongAgo;
		}
		const { image, sha256, beside, published } = removed;
		const uri = vscode.Uri.parse(image.target, true);
		const name = posix.basename(uri.path);
		const back =
			sha256 === undefined ? name : await restoreUnderFreeName(placeOf(uri), this.backups, sha256);
		if (beside !== undefined) {
			// A recipe that cannot be written is no reason to keep the image from coming back.
			const place = placeOf(uri).beside(besideName(back));
			await swapFile(place, this.backups, undefined, beside).catch((error: unknown) => {
				log.error('The recipe beside an image could not be restored', error);
			});
		}
		if (published !== undefined) {
			const place = placeOf(vscode.Uri.parse(image.published!, true));
			await swapFile(place, this.backups, undefined, published).catch((error: unknown) => {
				log.error('The export of an image could not be restored', error);
			});
		}
		const target = back === name ? image.target : vscode.Uri.joinPath(uri, '..', back).toString();
		await this.gallery.restore({ ...image, target });
		this.#deleted.delete(id);
		return back === name ? undefined : messages.restoredAs(safeText(name), safeText(back));
	}

	/**
	 * Deletes the recipe beside an image with it; returns its SHA-256. Whatever cannot be read or
	 * deleted stays.
	 */
	async #deleteBeside(uri: vscode.Uri, sha256: string): Promise<string | undefined> {
		const file = uri.with({ path: besideName(uri.path) });
		try {
			const recipe = uri.scheme === 'file' ? await readBeside(uri.fsPath) : undefined;
			if (typeof recipe !== 'object' || recipe.image !== sha256) {
				return undefined;
			}
			const beside = await placeOf(file).backUp(this.backups);
			await (beside && this.#delete(file, beside));
			return beside;
		} catch (error) {
			log.error('The recipe beside an image could not be removed', error);
			return undefined;
		}
	}

	/** Deletes the export of an image; returns its SHA-256. What cannot be read or deleted stays. */
	async #deleteExport({ published }: GalleryImage): Promise<string | undefined> {
		if (published === undefined) {
			return undefined;
		}
		try {
			const uri = vscode.Uri.parse(published, true);
			const sha256 = await placeOf(uri).backUp(this.backups);
			await (sha256 && this.#delete(uri, sha256));
			return sha256;
		} catch (error) {
			log.error('The export of an image could not be removed', error);
			return undefined;
		}
	}

	async #delete(uri: vscode.Uri, sha256: string): Promise<void> {
		const place = placeOf(uri);
		if (await isSwapped(place, sha256, undefined)) {
			return;
		}
		try {
			await vscode.workspace.fs.delete(uri, { useTrash: true });
		} catch {
			if ((await place.sha256()) !== undefined) {
				await swapFile(place, this.backups, sha256, undefined);
			}
		}
	}
}
