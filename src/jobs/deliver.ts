import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { EaselError, factsOfError, type ErrorFacts } from '../easelError.js';
import { exists } from '../files/exists.js';
import { isNotFound } from '../files/fsErrors.js';
import { sha256Of } from '../images/hash.js';
import { errorFields } from './failure.js';
import type { Gallery } from './gallery.js';
import {
	answersIn,
	foldersFor,
	imageFile,
	imageWithRecipeFile,
	now,
	recipeFile,
	referencesFolder,
	savedAsFile,
	workerOutputFile,
	writeState,
	type JobEntry,
} from './jobFolder.js';
import { persistState } from './persistState.js';
import { keepsImage, type JobResult, type KeptRecipe, type StateNamed } from './state.js';
import { log } from '../log.js';

/** Where images are put: a folder of this machine, or of a virtual file system. */
export interface Destination extends SavedImages {
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
	 * Puts a copy of the file beside an image that is there, under the image's name and `suffix`.
	 * Where it lies there already, nothing happens; where something else does, that is thrown.
	 *
	 * @param image what `find` or `put` has returned
	 */
	putBeside(file: string, image: string, suffix: string): Promise<void>;
	/** Removes other files that `put` has made; called when the journal says `saved`. Never throws. */
	tidy(): Promise<void>;
}

/** The images that were saved. */
export interface SavedImages {
	/**
	 * Whether there is a file of so many bytes.
	 *
	 * @param target its URI
	 * @throws the system's error where that cannot be told
	 */
	holds(target: string, bytes: number): Promise<boolean>;
}

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
	): Promise<{ readonly result?: JobResult; readonly kept?: KeptRecipe }>;
	/** Writes the file that is put beside the image, always the same for the same image. */
	writeApart(
		entry: JobEntry,
		received: StateNamed<'received'>,
		file: string,
		folder?: string,
	): Promise<void>;
	/** What its name has behind that of the image. */
	readonly suffix: string;
}

export interface DeliverServices {
	readonly recipes: Recipes;
	readonly gallery: Pick<Gallery, 'add'>;
}

/**
 * Puts a received image where it belongs, flushed; then it is noted as saved, and only then our own
 * copy goes. Where the journal or the gallery cannot be written, the next window recognizes the
 * image. One that cannot be put there stays in our storage, and the reason in its state.
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
	const embedded = await embed(entry, received, recipes, destination);
	try {
		const { target, result } =
			(await findEither(destination, received, embedded.result)) ??
			(await put(destination, entry, received, embedded.result ?? received.result));
		const recipe =
			embedded.result === undefined
				? await keepBeside(destination, entry, received, target, embedded.kept, recipes)
				: result === embedded.result
					? embedded.kept
					: undefined;
		return await noteSaved(entry, { ...received, result }, target, destination, gallery, recipe);
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
}

/** An image that lies where it belongs: which of the two files, and its URI. */
interface Placed {
	readonly target: string;
	readonly result: JobResult;
}

type Embedded = Awaited<ReturnType<Recipes['embed']>>;

/**
 * Has a copy made that says how the image was made; without one, the image is saved as it has come.
 */
async function embed(
	entry: JobEntry,
	received: StateNamed<'received'>,
	recipes: Recipes,
	{ folder }: Destination,
): Promise<Embedded> {
	const copy = path.join(entry.folder, folder === undefined ? imageWithRecipeFile : savedAsFile);
	try {
		if (folder !== undefined) {
			// One of an earlier try says where things lie from another folder.
			await removeAll([copy]);
		}
		return await recipes.embed(entry, received, copy, folder);
	} catch (error) {
		log.error('How the image was made could not be written into it', error);
		return {};
	}
}

/** An earlier try may have put either of the two there: with the recipe, or where that failed without. */
async function findEither(
	destination: Destination,
	{ result, saving }: StateNamed<'received'>,
	withRecipe: JobResult | undefined,
): Promise<Placed | undefined> {
	for (const one of [withRecipe, result]) {
		const target = one && (await destination.find(one.file, saving));
		if (one !== undefined && target !== undefined) {
			return { target, result: one };
		}
	}
	return undefined;
}

async function put(
	destination: Destination,
	{ folder }: JobEntry,
	received: StateNamed<'received'>,
	result: JobResult,
): Promise<Placed> {
	const target = await destination.put(result.file, (uri) =>
		writeState(folder, { ...received, saving: uri }),
	);
	return { target, result };
}

/**
 * Puts how an image was made beside it, where it belongs there.
 *
 * @param target the URI of the image
 * @returns what is kept now
 */
async function keepBeside(
	destination: Destination,
	entry: JobEntry,
	received: StateNamed<'received'>,
	target: string,
	kept: KeptRecipe | undefined,
	recipes: Recipes,
): Promise<KeptRecipe | undefined> {
	if (kept?.where !== 'besideImage') {
		return undefined;
	}
	try {
		const file = path.join(entry.folder, recipeFile);
		await recipes.writeApart(entry, received, file, destination.folder);
		await destination.putBeside(file, target, recipes.suffix);
		return kept;
	} catch (error) {
		log.error('How the image was made could not be written beside it', error);
		return undefined;
	}
}

/** The file of a saved image is not there. */
class SavedFileError extends EaselError {
	override readonly name = 'SavedFileError';

	constructor() {
		super({ code: 'job.savedFileMissing' });
	}
}

/** Returns why an image could not be saved, as its state has it. */
export function problemOf(facts: ErrorFacts): Pick<StateNamed<'received'>, 'problem' | 'error'> {
	const { message: problem, ...fields } = errorFields(facts);
	return { problem, ...fields };
}

/**
 * Notes that an image lies where it belongs, or where a person has put it, once it was seen there,
 * and removes our own copy. Where the place cannot be flushed, the copy stays for a day.
 *
 * @param target its URI
 * @throws {SavedFileError} where it was not seen; nothing is noted or removed then
 */
async function noteSaved(
	entry: JobEntry,
	{ attempts, result }: StateNamed<'received'>,
	target: string,
	destination: Destination,
	gallery: DeliverServices['gallery'],
	recipe: KeptRecipe | undefined,
): Promise<StateNamed<'saved'>> {
	if (!(await destination.holds(target, result.bytes))) {
		throw new SavedFileError();
	}
	const { folder } = entry;
	const saved = {
		state: 'saved',
		attempts,
		changedAt: now(),
		result,
		target,
		...(recipe === undefined ? {} : { recipe }),
	} as const;
	if (await persistState(folder, saved)) {
		// Until it was noted, the next window needed these files to recognize the image.
		await destination.tidy();
		await removeSaved(entry, saved);
	}
	try {
		await gallery.add({ ...entry, state: saved });
	} catch (error) {
		// It is added before the job's folder goes.
		log.error('The gallery could not be written', error);
	}
	return saved;
}

/**
 * Looks after a saved image whose window has ended before anybody was told: it may have ended before
 * our own copy was removed, and the file may have gone since, with its drive or a power failure.
 * The copy is removed only where the file was seen.
 *
 * @returns `received`, with a `problem`, where the file is not there and our copy is
 */
export async function lookAfterSaved(
	entry: JobEntry,
	saved: StateNamed<'saved'>,
	images: SavedImages,
): Promise<StateNamed<'received'> | undefined> {
	const { folder } = entry;
	try {
		const copy = await copyOf(entry);
		if (copy === undefined || (await images.holds(saved.target, saved.result.bytes))) {
			await removeSaved(entry, saved);
			return undefined;
		}
		const received = {
			state: 'received',
			attempts: saved.attempts,
			changedAt: now(),
			result: {
				...saved.result,
				file: copy,
				bytes: (await stat(copy)).size,
				sha256: await sha256Of(copy),
			},
			...problemOf({ code: 'job.savedFileMissing' }),
		} as const;
		await persistState(folder, received);
		return received;
	} catch (error) {
		log.error('A saved image could not be checked', error);
		return undefined;
	}
}

/** The image of a job in our own storage, absolute, if it is there: as it has come, if that is left. */
async function copyOf(entry: JobEntry): Promise<string | undefined> {
	for (const folder of foldersFor(entry)) {
		for (const name of [imageFile, imageWithRecipeFile, savedAsFile]) {
			const file = path.join(folder, name);
			if (await exists(file)) {
				return file;
			}
		}
	}
	return undefined;
}

function removeSaved(entry: JobEntry, saved: StateNamed<'saved'>): Promise<void> {
	return removeFiles({ ...entry, state: saved }, keepsImage(saved) ? saved.result.file : undefined);
}

/** What a job's folder may hold besides its request, its state and raw answers. */
const filesOfJob: readonly string[] = [
	...[imageFile, imageWithRecipeFile, savedAsFile].flatMap((name) => [name, `${name}.part`]),
	...[recipeFile, referencesFolder, workerOutputFile],
];

/**
 * Removes the files of a job that is over, wherever they lie. What cannot be removed is logged.
 *
 * @param kept absolute path of one that stays
 */
export async function removeFiles(entry: JobEntry, kept?: string): Promise<void> {
	const [folder = '', ...others] = foldersFor(entry);
	const answers = await answersIn(entry).catch(() => []);
	const files = [...filesOfJob.map((name) => path.join(folder, name)), ...answers, ...others];
	await removeAll(files.filter((file) => kept === undefined || !isWithin(kept, file)));
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

function isWithin(file: string, folder: string): boolean {
	return file === folder || file.startsWith(folder + path.sep);
}
