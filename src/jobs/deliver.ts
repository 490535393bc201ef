import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { EaselError, factsOfError, type ErrorFacts } from '../easelError.js';
import { isNotFound } from '../files/fsErrors.js';
import { sha256Of } from '../images/hash.js';
import { errorFields } from './failure.js';
import type { Gallery } from './gallery.js';
import {
	answersIn,
	foldersFor,
	imageFiles,
	imageWithRecipeFile,
	now,
	receivedIn,
	recipeFile,
	referencesFolder,
	savedAsFile,
	workerOutputFile,
	writeState,
	type JobEntry,
} from './jobFolder.js';
import { persistState } from './persistState.js';
import { keepsImage, type JobResult, type RecipePlace, type StateNamed } from './state.js';
import { attempt, log } from '../log.js';

/** Place of images: a folder of this machine, or of a virtual file system. */
export interface Destination {
	/** As a URI, where the user has chosen another one than the request's. */
	readonly folder?: string;
	/**
	 * Finds the whole file that an interrupted {@link put} has left there.
	 *
	 * @param reserved the URI that `onReserve` was called with, if it was
	 * @returns its URI; `undefined` where there is none
	 */
	find(file: string, reserved: string | undefined): Promise<string | undefined>;
	/**
	 * Puts a copy of the file there under a name that is free, on the disk where the system can do
	 * that. The message of what it throws is shown.
	 *
	 * @param onReserve awaited with a URI before it is filled, where `find` could not recognize the
	 *   file otherwise
	 * @returns its URI
	 */
	put(file: string, onReserve: (uri: string) => Promise<void>): Promise<string>;
	/**
	 * Puts a copy of the file beside an image, given by its URI, under the image's name and `suffix`.
	 * Where it lies there already, nothing happens; where something else does, that is thrown.
	 */
	putBeside(file: string, image: string, suffix: string): Promise<void>;
	/**
	 * Returns whether there is a file of so many bytes at a URI. Throws where that cannot be found
	 * out.
	 */
	holds(target: string, bytes: number): Promise<boolean>;
	/** Removes other files that `put` has made; called when the journal says `saved`. Never throws. */
	tidy(): Promise<void>;
}

/** Finds out whether an image is where it was saved. */
export type SavedFileLookup = Pick<Destination, 'holds'>;

/** Knows how an image was made, and writes it down. What fails here does the image no harm. */
export interface Recipes {
	/**
	 * Makes a whole copy of a received image that says how it was made, where that is wanted and can
	 * be. One that is there already, from before an interruption, is taken.
	 *
	 * @param copy absolute
	 * @param folder that the image goes to, as a URI, where it is not the request's
	 * @returns the copy; where none is to be made, where else the recipe belongs, if anywhere
	 */
	embed(
		entry: JobEntry,
		received: StateNamed<'received'>,
		copy: string,
		folder?: string,
	): Promise<{ readonly result?: JobResult; readonly kept?: RecipePlace }>;
	/** Writes the file that is put beside the image, always the same for the same image. */
	writeApart(
		entry: JobEntry,
		received: StateNamed<'received'>,
		file: string,
		folder?: string,
	): Promise<void>;
	/** Suffix of its name behind that of the image. */
	readonly suffix: string;
}

export interface DeliverServices {
	readonly recipes: Recipes;
	readonly gallery: Pick<Gallery, 'add'>;
}

/**
 * Puts a received image where it belongs, flushed; then it is noted as saved, and only then our own
 * copy goes; where the place cannot be flushed, after a day. Where the journal or the gallery cannot
 * be written, the next window recognizes the image. One that cannot be put there stays in our
 * storage, and the reason in its state.
 *
 * @returns `saved`, or `received` with a `problem`
 */
export async function deliver(
	entry: JobEntry,
	received: StateNamed<'received'>,
	{ gallery, recipes }: DeliverServices,
	destination: Destination,
): Promise<StateNamed<'saved' | 'received'>> {
	const { folder } = entry;
	let saved: StateNamed<'saved'>;
	try {
		saved = await place(entry, received, recipes, destination);
	} catch (error) {
		log.error('The image could not be saved', error);
		const reason = problemOf(factsOfError(error));
		const kept = { ...received, ...reason, changedAt: now() };
		if (reason.error === undefined) {
			// That of an earlier try.
			delete kept.error;
		}
		await persistState(folder, kept);
		return kept;
	}
	if (await persistState(folder, saved)) {
		// Until it was noted, the next window needed these files to recognize the image.
		await destination.tidy();
		await removeSaved(entry, saved);
	}
	// Where this fails, it is added before the job's folder goes.
	await attempt('The gallery could not be written', () => gallery.add({ ...entry, state: saved }));
	return saved;
}

/**
 * Brings an image to its place, with how it was made in it or beside it where that works.
 *
 * @returns the state that says so, once the image was seen there
 * @throws what keeps it from its place
 */
async function place(
	entry: JobEntry,
	received: StateNamed<'received'>,
	recipes: Recipes,
	destination: Destination,
): Promise<StateNamed<'saved'>> {
	const { attempts, saving } = received;
	const embedded = await embed(entry, received, recipes, destination);
	const { result: wanted = received.result, kept } = embedded;
	const { target, result } = (await findEither(destination, [wanted, received.result], saving)) ?? {
		target: await destination.put(wanted.file, (uri) =>
			writeState(entry.folder, { ...received, saving: uri }),
		),
		result: wanted,
	};
	const isKept =
		kept?.where === 'besideImage'
			? await keepBeside(entry, received, target, recipes, destination)
			: result === wanted;
	if (!(await destination.holds(target, result.bytes))) {
		throw new EaselError({ code: 'job.savedFileMissing' });
	}
	const recipe = isKept && kept !== undefined ? { recipe: kept } : {};
	return { state: 'saved', attempts, changedAt: now(), result, target, ...recipe };
}

/**
 * Has a copy made that says how the image was made; without one, the image is saved as it has come.
 */
async function embed(
	entry: JobEntry,
	received: StateNamed<'received'>,
	recipes: Recipes,
	{ folder }: Destination,
): ReturnType<Recipes['embed']> {
	const copy = path.join(entry.folder, folder === undefined ? imageWithRecipeFile : savedAsFile);
	if (folder !== undefined) {
		// One of an earlier try says where things lie from another folder.
		await removeAll([copy]);
	}
	const embedded = await attempt('How the image was made could not be written into it', () =>
		recipes.embed(entry, received, copy, folder),
	);
	return embedded ?? {};
}

/** An earlier try may have put either of the two there: with the recipe, or where that failed without. */
async function findEither(
	destination: Destination,
	results: readonly JobResult[],
	saving: string | undefined,
): Promise<{ readonly target: string; readonly result: JobResult } | undefined> {
	for (const result of new Set(results)) {
		const target = await destination.find(result.file, saving);
		if (target !== undefined) {
			return { target, result };
		}
	}
	return undefined;
}

/** Puts how an image was made beside it. Returns whether that has worked. */
async function keepBeside(
	entry: JobEntry,
	received: StateNamed<'received'>,
	target: string,
	recipes: Recipes,
	destination: Destination,
): Promise<boolean> {
	const isKept = await attempt(
		'How the image was made could not be written beside it',
		async () => {
			const file = path.join(entry.folder, recipeFile);
			await recipes.writeApart(entry, received, file, destination.folder);
			await destination.putBeside(file, target, recipes.suffix);
			return true;
		},
	);
	return isKept === true;
}

/** Returns why an image could not be saved, as its state has it. */
export function problemOf(facts: ErrorFacts): Pick<StateNamed<'received'>, 'problem' | 'error'> {
	const { message: problem, ...fields } = errorFields(facts);
	return { problem, ...fields };
}

/**
 * Looks after a saved image whose window has ended before the user was notified: our own copy may be
 * left, and the file may have gone since, with its drive or a power failure. The copy is removed only
 * where the file was seen.
 *
 * @returns `received`, with a `problem`, where the file is not there and our copy is
 */
export async function lookAfterSaved(
	entry: JobEntry,
	saved: StateNamed<'saved'>,
	images: SavedFileLookup,
): Promise<StateNamed<'received'> | undefined> {
	const { attempts, result, target } = saved;
	return attempt('A saved image could not be checked', async () => {
		// As it has come, if that is left; an answer is no copy.
		const copy = (await receivedIn(foldersFor(entry))).find((file) =>
			imageFiles.includes(path.basename(file)),
		);
		if (copy === undefined || (await images.holds(target, result.bytes))) {
			await removeSaved(entry, saved);
			return undefined;
		}
		const [sha256, { size: bytes }] = await Promise.all([sha256Of(copy), stat(copy)]);
		const received = {
			state: 'received',
			attempts,
			changedAt: now(),
			result: { ...result, file: copy, bytes, sha256 },
			...problemOf({ code: 'job.savedFileMissing' }),
		} as const;
		await persistState(entry.folder, received);
		return received;
	});
}

function removeSaved(entry: JobEntry, saved: StateNamed<'saved'>): Promise<void> {
	return removeFiles({ ...entry, state: saved }, keepsImage(saved) ? saved.result.file : undefined);
}

/** Files of a job's folder besides its request, its state and raw answers. */
const filesOfJob: readonly string[] = [
	...imageFiles.flatMap((name) => [name, `${name}.part`]),
	...[recipeFile, referencesFolder, workerOutputFile],
];

/**
 * Removes the files of a job that is over, wherever they lie. What cannot be removed is logged.
 *
 * @param kept absolute path of one that stays
 */
export async function removeFiles(entry: JobEntry, kept = ''): Promise<void> {
	const [folder, ...others] = foldersFor(entry);
	const answers = await answersIn(entry).catch(() => []);
	const files = [...filesOfJob.map((name) => path.join(folder, name)), ...answers, ...others];
	const holdsKept = (file: string) => `${kept}${path.sep}`.startsWith(file + path.sep);
	await removeAll(files.filter((file) => !holdsKept(file)));
}

/** Removes files and folders. What cannot be removed is logged. */
export async function removeAll(files: readonly string[]): Promise<void> {
	for (const file of files) {
		try {
			await rm(file, { recursive: true, force: true });
		} catch (error) {
			// A file may stand in the place of a folder above it.
			if (!isNotFound(error)) {
				log.error('A file could not be removed', error);
			}
		}
	}
}
