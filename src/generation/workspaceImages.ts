import path from 'node:path';
import * as vscode from 'vscode';
import { setImmediate } from 'node:timers/promises';
import { imageExtensions } from '../editor/images.js';
import { log } from '../log.js';
import { findWorkspaceFiles } from '../editor/searchExcludes.js';
import type { GalleryImage } from '../jobs/gallery.js';
import { RecipeReader, type FoundRecipe } from '../recipes/reading/recipeReader.js';
import { isUnknownImage, unknownImage } from '../editor/files.js';
import type { UsedImage } from '../recipes/recipe.js';

/** An image, or the file beside it that says how it was made. */
const isOfImage = new RegExp(`\\.(?:${imageExtensions.join('|')})(?:\\.json)?$`, 'i');

/** More images of a workspace are not looked at. */
const maxWorkspaceImages = 20_000;
/** Of all their prompts, in UTF-16 code units: a stranger's files must not take all memory. */
const maxPromptsLength = 32 * 1024 * 1024;
/** Many files change together, when a branch is checked out for example. */
const togetherMs = 300;
/** For so long images are hashed at once, in the other thread. */
const hashingLimitMs = 5000;
/** How often what was found is reported while there is more. */
const reportEveryMs = 1000;

/**
 * The images of this workspace that say themselves how they were made, by any user,
 * anywhere. They are looked for as long as they are followed, on the disks of this machine, and
 * in a thread of its own.
 */
export class WorkspaceImages implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	/** There are others now, or all of them are known. */
	readonly onDidChange = this.#changed.event;
	readonly #reader: RecipeReader;
	#byFile: ReadonlyMap<string, GalleryImage> = new Map();
	/** All that have one of them below. */
	#folders: ReadonlySet<string> = new Set();
	#images: readonly GalleryImage[] = [];
	#followers = 0;
	#following: vscode.Disposable | undefined;
	#looking: AbortController | undefined;
	#isStale = false;
	#timer: NodeJS.Timeout | undefined;

	/**
	 * @param script the bundle of the worker that reads recipes, absolute
	 * @param index where to remember what was read, absolute; `undefined` where no workspace is open
	 */
	constructor(script: string, index: string | undefined) {
		this.#reader = new RecipeReader({ script, index });
	}

	dispose(): void {
		this.#stop();
		this.#changed.dispose();
		this.#reader.dispose().catch((error: unknown) => {
			log.error('The reader of recipes did not end', error);
		});
	}

	/** As they were found last; the same array as long as they are the same. */
	get images(): readonly GalleryImage[] {
		return this.#images;
	}

	get isLooking(): boolean {
		return this.#looking !== undefined || this.#timer !== undefined;
	}

	/** Looks for them, and again whenever files change, until what is returned is disposed of. */
	follow(): vscode.Disposable {
		this.#followers += 1;
		if (this.#followers === 1) {
			this.#following = this.#watch();
			this.#lookSoon(0);
		}
		let isOver = false;
		return new vscode.Disposable(() => {
			if (!isOver) {
				isOver = true;
				this.#followers -= 1;
				if (this.#followers === 0) {
					this.#stop();
				}
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
			this.#images = [...found.values()];
			this.#changed.fire();
		}
	}
}

/** The folders of files, and those that these lie in. */
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
 * An image by its own words, as the gallery knows images. What it says it was made from counts as far
 * as that is among the images of the workspace: a stranger has no other file of this machine shown or
 * sent.
 *
 * @param listed the images of the workspace, absolute
 */
function imageOfRecipe(
	{ file, width, height, bytes, recipe }: FoundRecipe,
	listed: ReadonlySet<string>,
): GalleryImage {
	const { id, createdAt, operation, prompt, size, quality, style, round } = recipe;
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
		references: used.map((one) => placeOf(one, file, listed).toString()),
		referenceHashes: used.length === 0 ? undefined : used.map(({ sha256 }) => sha256),
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
	return isLost ? referenceHashes?.[0] : undefined;
}

/** Whether a file says what it said before, as far as recipes differ where they differ at all. */
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
