import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Gallery } from './gallery.js';
import { messageOf } from './interruption.js';
import {
	imageFile,
	now,
	referencesFolder,
	workerOutputFile,
	writeState,
	type JobEntry,
} from './jobFolder.js';
import { noteState } from './noteState.js';
import type { JobResult, StateNamed } from './state.js';

/** Where images are put: a folder of this machine, or of a virtual file system. */
export interface Destination {
	/**
	 * Finds the whole file that an interrupted {@link put} has left there.
	 *
	 * @param reserved the URI that `onReserve` was called with, if it was
	 * @returns its URI; `undefined` where there is none
	 */
	find(file: string, reserved: string | undefined): Promise<string | undefined>;
	/**
	 * Puts a copy of the file there under a name that is free. The message of what it throws is a
	 * sentence for a person.
	 *
	 * @param onReserve awaited with a URI before it is filled, where `find` could not recognize the
	 *   file otherwise
	 * @returns its URI
	 */
	put(file: string, onReserve: (uri: string) => Promise<void>): Promise<string>;
	/** Removes other files that `put` has made; called when the journal says `saved`. */
	tidy(): Promise<void>;
}

export interface DeliverOptions {
	readonly destinationOf: (result: JobResult) => Destination;
	readonly gallery: Pick<Gallery, 'add'>;
	/** Called with a failure that does the image no harm. */
	readonly onTrouble: (what: string, error: unknown) => void;
}

/**
 * Puts a received image where it belongs. Once it is there, it counts as saved: where the journal
 * or the gallery cannot be written afterwards, the next window recognizes it. An image that cannot
 * be put there stays in our storage, and the reason in its state.
 *
 * @returns `saved`, or `received` with a `problem`
 */
export async function deliver(
	entry: JobEntry,
	received: StateNamed<'received'>,
	{ destinationOf, gallery, onTrouble }: DeliverOptions,
): Promise<StateNamed<'saved' | 'received'>> {
	const { folder } = entry;
	const { result } = received;
	const destination = destinationOf(result);
	let target: string;
	try {
		target =
			(await destination.find(result.file, received.saving)) ??
			(await destination.put(result.file, (uri) =>
				writeState(folder, { ...received, saving: uri }),
			));
	} catch (error) {
		onTrouble('The image could not be saved', error);
		const kept = { ...received, problem: messageOf(error), changedAt: now() };
		await noteState(folder, kept, onTrouble);
		return kept;
	}
	return noteSaved(entry, received, target, { gallery, onTrouble, tidy: () => destination.tidy() });
}

/**
 * Notes that an image lies where it belongs, or where a person has put it.
 *
 * @param target its URI
 */
export async function noteSaved(
	entry: JobEntry,
	{ attempts, result }: StateNamed<'received'>,
	target: string,
	{
		gallery,
		onTrouble,
		tidy,
	}: Pick<DeliverOptions, 'gallery' | 'onTrouble'> & { readonly tidy?: () => Promise<void> },
): Promise<StateNamed<'saved'>> {
	const { folder } = entry;
	const saved = { state: 'saved', attempts, changedAt: now(), result, target } as const;
	if (await noteState(folder, saved, onTrouble)) {
		// Until it was noted, the next window needed these files to recognize the image.
		await tidy?.();
		await removeFiles(folder, onTrouble);
	}
	try {
		await gallery.add({ ...entry, state: saved });
	} catch (error) {
		// The next window's gallery takes it from the journal.
		onTrouble('The gallery could not be written', error);
	}
	return saved;
}

/** Removes files of a job that is over. What cannot be removed is told to `onTrouble`. */
export async function removeFiles(
	folder: string,
	onTrouble: DeliverOptions['onTrouble'],
	names: readonly string[] = [imageFile, `${imageFile}.part`, referencesFolder, workerOutputFile],
): Promise<void> {
	for (const name of names) {
		try {
			await rm(path.join(folder, name), { recursive: true, force: true });
		} catch (error) {
			onTrouble('A file could not be removed', error);
		}
	}
}
