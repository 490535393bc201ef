import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { assertInside, OutsideWorkspaceError } from '../../editor/files.js';
import { safeText } from '../../editor/untrustedText.js';
import { maxInRound } from '../../protocol/studioModel.js';
import { folderName } from './besideStudio.js';
import { Coalescer, updateDetached } from './updates.js';
import { unreadable, shownNamePattern } from './imageFolder.js';
import { listFiles, sortingKey, type ListedFiles } from './listFiles.js';
import { studioMessages } from '../messages.js';

/** Remembers the folder, for a page that is there again after a reload of the window. */
const stateKey = 'studio.folder';
/** Delay in which files that come one after the other are read at once, in milliseconds. */
const togetherMs = 200;

/** An image of the folder, of this or another program. */
export interface FolderFile {
	/** The same as long as it has this name. Nothing that a path could be made of. */
	readonly id: string;
	readonly uri: vscode.Uri;
}

/** The folder whose images are shown. */
export interface ImageFolder {
	readonly id: string;
	readonly name: string;
	/** By name; none where it cannot be read. */
	readonly files: readonly FolderFile[];
	/** Number of images it has, beside links that lead out of the workspace. */
	readonly total: number;
	/** Why images are left out, or it cannot be read. */
	readonly leftOut: string | undefined;
}

/** Lists the images of a folder that the user has chosen, as they come and go. */
export class FolderFiles implements vscode.Disposable {
	#open: OpenFolder | undefined;
	readonly #changed = new vscode.EventEmitter<void>();
	/** Images have come or gone. */
	readonly onDidChange = this.#changed.event;
	readonly #fileChanged = new vscode.EventEmitter<string>();
	/** The file with this identifier has another content. */
	readonly onDidChangeFile = this.#fileChanged.event;
	readonly #refreshing = new Coalescer(togetherMs, () => {
		updateDetached(this.#read());
	});
	readonly #renames = vscode.workspace.onDidRenameFiles(({ files }) => {
		for (const { oldUri, newUri } of files) {
			this.#follow(oldUri, newUri);
		}
	});

	constructor(private readonly state: vscode.Memento) {}

	dispose(): void {
		this.#close();
		this.#renames.dispose();
		this.#changed.dispose();
		this.#fileChanged.dispose();
	}

	/** The folder that is open, as it was read last. */
	get shown(): ImageFolder | undefined {
		return this.#open?.shown;
	}

	/**
	 * Opens a folder in the place of another one.
	 *
	 * @throws {OutsideWorkspaceError} where it does not lie in the workspace, links considered
	 */
	async open(folder: vscode.Uri): Promise<void> {
		const root = await rootOf(folder);
		this.#close();
		this.#open = {
			...{ folder, root, files: new Map(), shown: undefined },
			reading: new PQueue({ concurrency: 1 }),
			watching: watchFolder(
				folder,
				(file) => {
					this.#fileChanged.fire(idFor(file));
				},
				this.#refreshing.schedule,
			),
		};
		await Promise.all([this.#read(), this.state.update(stateKey, folder.toString())]);
	}

	/**
	 * Opens the folder that was open before the window was reloaded, unless one is open.
	 *
	 * @throws {OutsideWorkspaceError} as {@link open}
	 */
	async resume(): Promise<void> {
		const folder = this.state.get(stateKey);
		if (this.#open === undefined && typeof folder === 'string') {
			await this.open(vscode.Uri.parse(folder, true));
		}
	}

	/** Closes the folder, which is not resumed. */
	async leave(): Promise<void> {
		if (this.#open !== undefined) {
			this.#close();
			await this.state.update(stateKey, undefined);
		}
	}

	/** Returns the file in this place, if it is listed. */
	fileAt(uri: vscode.Uri): FolderFile | undefined {
		const id = idFor(uri);
		return this.listed(id) === undefined ? undefined : { id, uri };
	}

	/** Returns the file with this identifier as it was listed. */
	listed(id: string): vscode.Uri | undefined {
		return this.#open?.files.get(id);
	}

	/**
	 * Returns the same, where it still lies in the workspace.
	 *
	 * @throws {OutsideWorkspaceError} where it has become a link that leads out of the workspace
	 */
	async uriOf(id: string): Promise<vscode.Uri | undefined> {
		const open = this.#open;
		const uri = open?.files.get(id);
		if (open !== undefined && uri !== undefined) {
			await assertInside(open.root, uri);
		}
		return uri;
	}

	#close(): void {
		this.#open?.watching.dispose();
		this.#open = undefined;
		this.#refreshing.dispose();
	}

	/** The folder, or one above it, has another name now. */
	#follow(from: vscode.Uri, to: vscode.Uri): void {
		const path = this.#open?.folder.path ?? '';
		if (path === from.path || path.startsWith(`${from.path}/`)) {
			const folder = to.with({ path: to.path + path.slice(from.path.length) });
			updateDetached(this.open(folder));
		}
	}

	/** Reads the folder, unless that is about to be done, and notifies of what is another. */
	async #read(): Promise<void> {
		const open = this.#open;
		if (open === undefined || open.reading.size > 0) {
			return;
		}
		await open.reading.add(async () => {
			const before = identityOf(open.shown);
			await readAnew(open);
			if (this.#open === open && identityOf(open.shown) !== before) {
				this.#changed.fire();
			}
		});
	}
}

interface OpenFolder {
	readonly folder: vscode.Uri;
	/** The workspace folder that it lies in. */
	readonly root: vscode.Uri;
	/** By their identifiers. */
	files: ReadonlyMap<string, vscode.Uri>;
	/** Missing until it is read. */
	shown: ImageFolder | undefined;
	readonly reading: PQueue;
	readonly watching: vscode.Disposable;
}

async function readAnew(open: OpenFolder): Promise<void> {
	const { folder, root } = open;
	let listed: ListedFiles = { names: [], more: 0, elsewhere: 0 };
	let problem: string | undefined;
	try {
		await assertInside(root, folder);
		listed = await listImages(folder, root);
	} catch (error) {
		problem = unreadable('folder', error);
	}
	const { names, more, elsewhere } = listed;
	const files = names.map((name) => {
		const uri = vscode.Uri.joinPath(folder, name);
		return { id: idFor(uri), uri };
	});
	const leftOut = [
		...(problem === undefined ? [] : [problem]),
		...(more > 0 ? [studioMessages.folderTruncated(names.length, more)] : []),
		...(elsewhere > 0 ? [studioMessages.linksSkipped(elsewhere)] : []),
	];
	open.files = new Map(files.map(({ id, uri }) => [id, uri]));
	open.shown = {
		id: idFor(folder),
		name: folderName(folder),
		files,
		total: names.length + more,
		leftOut: leftOut.length === 0 ? undefined : leftOut.join(' '),
	};
}

async function listImages(folder: vscode.Uri, root: vscode.Uri): Promise<ListedFiles> {
	const isMeant = (name: string) => shownNamePattern.test(name);
	if (folder.scheme === 'file') {
		return listFiles(folder.fsPath, { isMeant, maxNames: maxInRound, roots: [root.fsPath] });
	}
	// Where links lead in a virtual file system is not known.
	const names = (await vscode.workspace.fs.readDirectory(folder))
		.filter(([name, type]) => type === vscode.FileType.File && isMeant(name))
		.map(([name]) => ({ name, key: sortingKey(name) }))
		.sort((one, other) => (one.key < other.key ? -1 : 1))
		.map(({ name }) => name);
	const shown = names.slice(0, maxInRound);
	return { names: shown, more: names.length - shown.length, elsewhere: 0 };
}

function identityOf(shown: ImageFolder | undefined): string {
	return JSON.stringify([shown?.leftOut, shown?.total, shown?.files.map(({ id }) => id)]);
}

/** Returns the same UUID (version 8, RFC 9562) for the same place, in every window and after a reload. */
function idFor(uri: vscode.Uri): string {
	const hash = createHash('sha256').update(uri.toString()).digest('hex');
	const groups = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`];
	return [...groups, `8${hash.slice(17, 20)}`, hash.slice(20, 32)].join('-');
}

/** @throws {OutsideWorkspaceError} where it lies in none */
async function rootOf(folder: vscode.Uri): Promise<vscode.Uri> {
	const root = vscode.workspace.getWorkspaceFolder(folder)?.uri;
	if (root === undefined) {
		throw new OutsideWorkspaceError(studioMessages.openItsFolder(safeText(folder.path)));
	}
	await assertInside(root, folder);
	return root;
}

/**
 * Watches the files of a folder, and the folder itself, as far as that lies in the workspace.
 *
 * @param changed called where the content of a file of the folder is another
 * @param others called where something has come or gone, perhaps the folder itself
 */
function watchFolder(
	folder: vscode.Uri,
	changed: (file: vscode.Uri) => void,
	others: () => void,
): vscode.Disposable {
	const watch = (place: vscode.Uri) =>
		vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(place, '*'));
	const inside = watch(folder);
	const watching = [
		inside,
		inside.onDidChange(changed),
		inside.onDidCreate((file) => {
			// It may have taken the place of another one.
			changed(file);
			others();
		}),
		inside.onDidDelete(others),
	];
	const parent = vscode.Uri.joinPath(folder, '..');
	if (parent.path !== folder.path && vscode.workspace.getWorkspaceFolder(parent) !== undefined) {
		// All of it, because the folder's name may be a pattern to VS Code.
		const above = watch(parent);
		const ofFolder = (uri: vscode.Uri) => {
			if (uri.path === folder.path) {
				others();
			}
		};
		// Where one takes the place of another, that is reported as a change.
		const events = [above.onDidCreate, above.onDidDelete, above.onDidChange];
		watching.push(above, ...events.map((event) => event(ofFolder)));
	}
	return vscode.Disposable.from(...watching);
}
