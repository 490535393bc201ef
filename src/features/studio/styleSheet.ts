import * as vscode from 'vscode';
import { assertInside, OutsideWorkspaceError } from '../../editor/files.js';
import { flattened, safeText } from '../../editor/untrustedText.js';
import { listFiles, sortingKey, type ListedFiles } from '../../files/listFiles.js';
import { maxInSheet, type Sheet, type StudioEvent } from '../../protocol/studio.js';
import { folderName } from './besideStudio.js';
import type { LookedAt, SheetPictures } from './sheetPictures.js';
import { unreadable } from './unreadable.js';
import { watchFolder } from './watchFolder.js';
import { studioMessages } from '../messages.js';

/** The names of images that can be shown, whatever the case of their letters. */
const shownNamePattern = /\.(?:png|jpe?g|webp|gif)$/i;

const stateKey = 'studio.sheet';
/** Several files may come one after the other. In milliseconds. */
const togetherMs = 200;

interface Options {
	readonly send: (event: StudioEvent) => void;
	/** Remembers the folder, for a page that is there again after a reload of the window. */
	readonly state: vscode.Memento;
	readonly pictures: Pick<SheetPictures, 'look' | 'changed' | 'forget'>;
	/** What is shown again in a moment is not worth a message. */
	readonly runDetached: (task: PromiseLike<unknown>) => void;
}

/** The style sheet: all images of a folder of the workspace, as they come and go. */
export class StyleSheet implements vscode.Disposable {
	#open: OpenFolder | undefined;
	#refreshing: NodeJS.Timeout | undefined;
	readonly #renames = vscode.workspace.onDidRenameFiles(({ files }) => {
		for (const { oldUri, newUri } of files) {
			this.#follow(oldUri, newUri);
		}
	});

	constructor(private readonly options: Options) {}

	dispose(): void {
		this.#leave();
		this.#renames.dispose();
	}

	/**
	 * Shows the images of a folder, in the place of those of another one.
	 *
	 * @throws {OutsideWorkspaceError} where it does not lie in the workspace, links considered
	 */
	async show(folder: vscode.Uri): Promise<void> {
		const root = await rootOf(folder);
		this.#leave();
		const open: OpenFolder = {
			id: crypto.randomUUID(),
			folder,
			root,
			ids: new Map(),
			names: new Map(),
			listed: undefined,
			problem: undefined,
			isReading: false,
			isStale: false,
			watching: watchFolder(folder, {
				changed: (uri) => {
					this.options.pictures.changed(uri);
				},
				others: () => {
					this.#refreshSoon();
				},
			}),
		};
		this.#open = open;
		this.resend();
		await Promise.all([this.#read(open), this.options.state.update(stateKey, folder.toString())]);
	}

	/** Shows the folder that was shown before the window was reloaded; tells where there is none. */
	async resume(): Promise<void> {
		if (this.#open !== undefined) {
			return;
		}
		const folder = this.options.state.get(stateKey);
		try {
			if (typeof folder === 'string') {
				await this.show(vscode.Uri.parse(folder, true));
			}
		} finally {
			if (this.#open === undefined) {
				this.options.send({ type: 'sheet' });
			}
		}
	}

	/** Nobody looks at it any more. */
	async close(): Promise<void> {
		this.#leave();
		await this.options.state.update(stateKey, undefined);
	}

	/** Tells what is shown, to a page that knows nothing yet. */
	resend(): void {
		if (this.#open !== undefined) {
			this.options.send({ type: 'sheet', sheet: shownOf(this.#open) });
		}
	}

	/** The files with these identifiers that are there still, in this order. */
	filesOf(ids: readonly string[]): LookedAt[] {
		const open = this.#open;
		return ids.flatMap((id) => {
			const name = open?.names.get(id);
			return open === undefined || name === undefined
				? []
				: [{ id, uri: vscode.Uri.joinPath(open.folder, name), root: open.root }];
		});
	}

	/** Tells what these files are, and what becomes of them. */
	look(ids: readonly string[]): void {
		this.options.pictures.look(this.filesOf(ids));
	}

	#leave(): void {
		this.#open?.watching.dispose();
		this.#open = undefined;
		clearTimeout(this.#refreshing);
		this.#refreshing = undefined;
		this.options.pictures.forget();
	}

	/** The folder, or one above it, has another name now. */
	#follow(from: vscode.Uri, to: vscode.Uri): void {
		const path = this.#open?.folder.path ?? '';
		if (path === from.path || path.startsWith(`${from.path}/`)) {
			const folder = to.with({ path: to.path + path.slice(from.path.length) });
			this.options.runDetached(this.show(folder));
		}
	}

	#refreshSoon(): void {
		this.#refreshing ??= setTimeout(() => {
			this.#refreshing = undefined;
			if (this.#open !== undefined) {
				this.options.runDetached(this.#read(this.#open));
			}
		}, togetherMs);
	}

	/** Reads the folder, and once more where it has changed meanwhile; tells what is another. */
	async #read(open: OpenFolder): Promise<void> {
		open.isStale = true;
		if (open.isReading) {
			return;
		}
		open.isReading = true;
		try {
			while (open.isStale && this.#open === open) {
				open.isStale = false;
				if ((await readAnew(open)) && this.#open === open) {
					this.resend();
				}
			}
		} finally {
			open.isReading = false;
		}
	}
}

/** A folder that is shown. */
interface OpenFolder {
	readonly id: string;
	readonly folder: vscode.Uri;
	/** The workspace folder that it lies in. */
	readonly root: vscode.Uri;
	/** The identifier of each name: a file that stays keeps it. */
	ids: ReadonlyMap<string, string>;
	/** The other way round. */
	names: ReadonlyMap<string, string>;
	/** Missing where the folder is not read yet, or cannot be. */
	listed: ListedFiles | undefined;
	/** Why it cannot be read. */
	problem: string | undefined;
	isReading: boolean;
	/** Whether something has changed since it was read. */
	isStale: boolean;
	readonly watching: vscode.Disposable;
}

/** @returns whether something of it is another than before */
async function readAnew(open: OpenFolder): Promise<boolean> {
	const before = [open.listed, open.problem];
	try {
		await assertInside(open.root, open.folder);
		open.listed = await listed(open);
		open.problem = undefined;
	} catch (error) {
		open.listed = undefined;
		open.problem = unreadable('folder', error);
	}
	const ids = (open.listed?.names ?? []).map(
		(name) => [name, open.ids.get(name) ?? crypto.randomUUID()] as const,
	);
	open.ids = new Map(ids);
	open.names = new Map(ids.map(([name, id]) => [id, name]));
	return JSON.stringify(before) !== JSON.stringify([open.listed, open.problem]);
}

async function listed({ folder, root }: OpenFolder): Promise<ListedFiles> {
	const isMeant = (name: string) => shownNamePattern.test(name);
	if (folder.scheme === 'file') {
		return listFiles(folder.fsPath, { isMeant, maxNames: maxInSheet, roots: [root.fsPath] });
	}
	// Where links lead in a virtual file system, nobody knows.
	const names = (await vscode.workspace.fs.readDirectory(folder))
		.filter(([name, type]) => type === vscode.FileType.File && isMeant(name))
		.map(([name]) => ({ name, key: sortingKey(name) }))
		.sort((one, other) => (one.key < other.key ? -1 : 1))
		.map(({ name }) => name);
	const shown = names.slice(0, maxInSheet);
	return { names: shown, more: names.length - shown.length, elsewhere: 0 };
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

function shownOf({ id, folder, ids, listed, problem }: OpenFolder): Sheet {
	const known = problem === undefined ? 'reading' : 'unreadable';
	return {
		id,
		folder: folderName(folder),
		files: [...ids].map(([name, file]) => ({ id: file, name: flattened(name).slice(0, 300) })),
		more: listed?.more ?? 0,
		elsewhere: listed?.elsewhere ?? 0,
		state: listed === undefined ? known : 'read',
		...(problem === undefined ? {} : { problem }),
	};
}
