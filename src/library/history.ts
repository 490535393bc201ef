import path from 'node:path';
import * as vscode from 'vscode';
import { setImmediate } from 'node:timers/promises';
import { occurs } from '../editor/events.js';
import { uriExists, unknownImage, isUnknownImage } from '../editor/files.js';
import { imageExtensions } from '../editor/images.js';
import { log } from '../log.js';
import { findWorkspaceFiles } from '../editor/searchExcludes.js';
import type { Gallery, GalleryImage } from '../jobs/gallery.js';
import { RecipeReader, type FoundRecipe } from '../recipes/reading/recipeReader.js';
import type { UsedImage } from '../recipes/recipe.js';
import { belongsHere } from './galleryLookup.js';

/** An image, or the file beside it that says how it was made. */
const isOfImage = new RegExp(`\\.(?:${imageExtensions.join('|')})(?:\\.json)?$`, 'i');

/** More images of a workspace are not looked at. */
const maxWorkspaceImages = 20_000;
/**
 * Length of all their prompts, in UTF-16 code units: a stranger's files must not take all memory.
 */
const maxPromptsLength = 32 * 1024 * 1024;
/** Many files change together, when a branch is checked out for example. */
const togetherMs = 300;
/** For so long images are hashed at once, in the other thread. */
const hashingLimitMs = 5000;
/** Interval in which images are reported while more are found. */
const reportEveryMs = 1000;

/**
 * All known images: those of the gallery, and those of this workspace that say themselves how they
 * were made. These are looked for while they are followed, on local disks, in another thread.
 */
export class History implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	/** Other images are found, or all of them are known. */
	readonly onDidChange = this.#changed.event;
	readonly #reader: RecipeReader;
	#byFile: ReadonlyMap<string, GalleryImage> = new Map();
	/** All that have one of them below. */
	#folders: ReadonlySet<string> = new Set();
	/** All files of this workspace that say how they were made, copies of one image included. */
	files: readonly GalleryImage[] = [];
	#followers = 0;
	#following: vscode.Disposable | undefined;
	#looking: AbortController | undefined;
	#isStale = false;
	#timer: NodeJS.Timeout | undefined;
	#last:
		{ readonly seen: readonly unknown[]; readonly images: readonly GalleryImage[] } | undefined;

	/**
	 * @param script the bundle of the worker that reads recipes, absolute
	 * @param index where to remember what was read, absolute; `undefined` where no workspace is open
	 */
	constructor(
		private readonly gallery: Pick<Gallery, 'list'>,
		script: string,
		index: string | undefined,
	) {
		this.#reader = new RecipeReader({ script, index });
	}

	dispose(): void {
		this.#stop();
		this.#changed.dispose();
		this.#reader.dispose().catch((error: unknown) => {
			log.error('The reader of recipes did not end', error);
		});
	}

	/**
	 * All of them, newest first, as far as they have been looked for; the same array as long as they
	 * are the same.
	 *
	 * @throws the system's error where the gallery cannot be read
	 */
	async list(): Promise<readonly GalleryImage[]> {
		const images = await this.gallery.list();
		const found = this.files;
		const folders = vscode.workspace.workspaceFolders ?? [];
		const seen = [images, found, folders.map(({ uri }) => uri).join()];
		if (this.#last?.seen.every((one, index) => one === seen[index]) !== true) {
			this.#last = { seen, images: together(await whereTheyAre(images, found), found) };
		}
		return this.#last.images;
	}

	/** Resolves when all that the files say now has been read. */
	async untilKnown(): Promise<void> {
		const following = this.follow();
		while (this.isLooking) {
			await occurs(this.onDidChange);
		}
		following.dispose();
	}

	get isLooking(): boolean {
		return this.#looking !== undefined || this.#timer !== undefined;
	}

	/** Looks for images, again whenever files change, until what is returned is disposed of. */
	follow(): vscode.Disposable {
		this.#followers += 1;
		if (this.#followers === 1) {
			this.#following = this.#watch();
			this.#lookSoon(0);
		}
		// Disposed of twice, it counts once.
		return new vscode.Disposable(() => {
			this.#followers -= 1;
			if (this.#followers === 0) {
				this.#stop();
			}
		});
	}

	/** Leaves out what has just been removed; it is found again where it is there the next time. */
	forget({ target }: Pick<GalleryImage, 'target'>): void {
		this.#set(new Map([...this.#byFile].filter(([, image]) => image.target !== target)));
	}

	#stop(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		this.#looking?.abort();
		this.#following?.dispose();
		this.#following = undefined;
	}

	#watch(): vscode.Disposable {
		// Of a folder that another program moves or removes, VS Code reports nothing but its own name.
		const watcher = vscode.workspace.createFileSystemWatcher('**/*');
		const look = () => {
			this.#lookSoon(togetherMs);
		};
		const lookIf = (mayMatter: (uri: vscode.Uri) => boolean | Promise<boolean>) => {
			return async (uri: vscode.Uri) => {
				if (isOfImage.test(uri.path) || (await mayMatter(uri))) {
					look();
				}
			};
		};
		return vscode.Disposable.from(
			watcher,
			watcher.onDidChange(lookIf(() => false)),
			watcher.onDidCreate(lookIf(isFolder)),
			watcher.onDidDelete(lookIf(({ fsPath }) => this.#folders.has(fsPath))),
			// Folders are among these.
			vscode.workspace.onDidRenameFiles(look),
			vscode.workspace.onDidDeleteFiles(look),
			vscode.workspace.onDidChangeWorkspaceFolders(look),
			vscode.workspace.onDidChangeConfiguration((event) => {
				if (['files.exclude', 'search.exclude'].some((name) => event.affectsConfiguration(name))) {
					look();
				}
			}),
		);
	}

	#lookSoon(ms: number): void {
		if (this.#looking !== undefined) {
			this.#isStale = true;
			return;
		}
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			this.#looking = new AbortController();
			this.#look(this.#looking.signal)
				.catch((error: unknown) => {
					log.error('Images that say how they were made could not be looked for', error);
				})
				.finally(() => {
					this.#looking = undefined;
					const isStale = this.#isStale && this.#followers > 0;
					this.#isStale = false;
					if (isStale) {
						this.#lookSoon(togetherMs);
					} else {
						this.#changed.fire();
					}
				});
		}, ms);
	}

	async #look(signal: AbortSignal): Promise<void> {
		const uris = await findWorkspaceFiles(imageExtensions, maxWorkspaceImages);
		const files = uris.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath);
		const listed = new Set(files);
		const found = new Map<string, GalleryImage>();
		const isFirst = this.#byFile.size === 0;
		let text = 0;
		let reportedAt = performance.now();
		for await (const some of this.#reader.read(files, signal)) {
			for (const one of some) {
				text += one.recipe.prompt.length;
				found.set(one.file, imageOfRecipe(one, listed));
			}
			if (text > maxPromptsLength) {
				log.warn('The prompts of the images are too long. The rest of them is left out.');
				break;
			}
			if (isFirst && performance.now() - reportedAt > reportEveryMs) {
				this.#set(new Map(found));
				reportedAt = performance.now();
			}
			await setImmediate();
		}
		if (isFirst) {
			this.#set(new Map(found));
		}
		await this.#hashParents(found, signal);
		if (!signal.aborted) {
			this.#set(found);
		}
	}

	/**
	 * Finds images by their bytes that others were made from, and that do not lie any more where these
	 * say: as many as can be hashed in a moment; the rest another time, because that is remembered.
	 */
	async #hashParents(found: Map<string, GalleryImage>, signal: AbortSignal): Promise<void> {
		const wanted = new Set([...found.values()].flatMap((image) => lostParent(image) ?? []));
		if (wanted.size === 0) {
			return;
		}
		const startedAt = performance.now();
		for await (const hashes of this.#reader.hash([...found.keys()], signal)) {
			for (const [file, sha256] of hashes) {
				found.set(file, { ...found.get(file)!, sha256 });
				wanted.delete(sha256);
			}
			if (wanted.size === 0 || performance.now() - startedAt > hashingLimitMs) {
				break;
			}
		}
	}

	#set(found: ReadonlyMap<string, GalleryImage>): void {
		const before = this.#byFile;
		const isSame = [...found].every(([file, image]) => isAlike(before.get(file), image));
		if (!isSame || found.size !== before.size) {
			this.#byFile = found;
			this.#folders = foldersOf(found.keys());
			this.files = [...found.values()];
			this.#changed.fire();
		}
	}
}

/**
 * An image of the gallery that was moved by another program, such as git, says itself where it is now.
 * As long as there is a file where the gallery has it, that counts: others are copies.
 */
async function whereTheyAre(
	images: readonly GalleryImage[],
	found: readonly GalleryImage[],
): Promise<readonly GalleryImage[]> {
	const files = new Set(found.map(({ target }) => target));
	const places = firstOfEach(found);
	return Promise.all(
		images.map(async (image) => {
			const place = places.get(image.id);
			if (place === undefined || files.has(image.target) || !belongsHere(image)) {
				return image;
			}
			// What cannot be looked at now may well be there.
			const isStill = await uriExists(vscode.Uri.parse(image.target, true)).catch(() => true);
			return isStill ? image : { ...image, target: place.target };
		}),
	);
}

/**
 * Unites images of gallery and files; of both the gallery counts: more is noted there, and the
 * place that the user knows. Of several copies of another one, the first by its path counts.
 */
function together(
	images: readonly GalleryImage[],
	found: readonly GalleryImage[],
): readonly GalleryImage[] {
	if (found.length === 0) {
		return images;
	}
	const known = new Set(images.filter(belongsHere).map(({ id }) => id));
	const others = firstOfEach(found.filter(({ id }) => !known.has(id)));
	return [...images, ...others.values()].sort((a, b) =>
		a.savedAt < b.savedAt ? 1 : a.savedAt > b.savedAt ? -1 : 0,
	);
}

/** By their identifiers; of several copies, the first by its path. */
function firstOfEach(images: readonly GalleryImage[]): ReadonlyMap<string, GalleryImage> {
	const first = new Map<string, GalleryImage>();
	for (const image of images) {
		const before = first.get(image.id);
		if (before === undefined || image.target < before.target) {
			first.set(image.id, image);
		}
	}
	return first;
}

function foldersOf(files: Iterable<string>): ReadonlySet<string> {
	const folders = new Set<string>();
	for (const file of files) {
		let folder = path.dirname(file);
		while (!folders.has(folder)) {
			folders.add(folder);
			folder = path.dirname(folder);
		}
	}
	return folders;
}

/** Not git's own: it makes folders all the time. What cannot be looked at is none. */
async function isFolder(uri: vscode.Uri): Promise<boolean> {
	if (uri.path.includes('/.git/')) {
		return false;
	}
	try {
		return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) !== 0;
	} catch {
		return false;
	}
}

/**
 * An image by its own words. Of what it was made from, only images of the workspace count: a
 * stranger has no other file of this machine shown or sent.
 *
 * @param listed the images of the workspace, absolute
 */
function imageOfRecipe(
	{ file, width, height, bytes, recipe }: FoundRecipe,
	listed: ReadonlySet<string>,
): GalleryImage {
	const { id, createdAt, operation, prompt, size, quality, background, style, round } = recipe;
	const { marks, keptRest } = recipe;
	const target = vscode.Uri.file(file);
	const folder = vscode.workspace.getWorkspaceFolder(target)?.uri;
	const { used, ofStyle } = sentWith(recipe);
	return {
		id,
		savedAt: createdAt,
		target: target.toString(),
		operation,
		prompt,
		size,
		quality,
		background,
		references: used.map((one) => placeOf(one, file, listed).toString()),
		referenceHashes: used.map(({ sha256 }) => sha256),
		marks,
		keptRest,
		style: style && { ...style, references: ofStyle.map(({ sha256 }) => sha256) },
		round,
		workspaceFolder: folder?.toString(),
		width,
		height,
		bytes,
	};
}

/** The images that the user has chosen, and those of the style, which are the last ones. */
function sentWith({ parents, references, style }: FoundRecipe['recipe']) {
	const own = references.length - Math.min(style?.references ?? 0, references.length);
	return { used: [...parents, ...references.slice(0, own)], ofStyle: references.slice(own) };
}

function placeOf({ path: way }: UsedImage, file: string, listed: ReadonlySet<string>): vscode.Uri {
	const meant = way === undefined ? undefined : path.resolve(path.dirname(file), way);
	return meant !== undefined && listed.has(meant)
		? vscode.Uri.file(meant)
		: unknownImage(meant === undefined ? '' : path.basename(meant));
}

/** The hash of what an edit was made from, where that lies elsewhere than it says. */
function lostParent({ operation, references, referenceHashes }: GalleryImage): string | undefined {
	const [edited] = references;
	const isLost =
		operation === 'edit' && edited !== undefined && isUnknownImage(vscode.Uri.parse(edited, true));
	return isLost ? referenceHashes[0] : undefined;
}

/**
 * Returns whether a file says what it said before, as far as recipes differ where they differ at
 * all.
 */
function isAlike(one: GalleryImage | undefined, other: GalleryImage): boolean {
	return (
		one !== undefined &&
		one.id === other.id &&
		one.savedAt === other.savedAt &&
		one.prompt === other.prompt &&
		one.bytes === other.bytes &&
		one.sha256 === other.sha256 &&
		one.references.join() === other.references.join() &&
		one.style?.sha256 === other.style?.sha256 &&
		one.round?.id === other.round?.id &&
		one.round?.place === other.round?.place
	);
}
