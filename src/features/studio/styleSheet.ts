import PQueue from 'p-queue';
import * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { assertInside, OutsideWorkspaceError } from '../../editor/files.js';
import { flattened, safeText } from '../../editor/untrustedText.js';
import { listFiles, sortingKey, type ListedFiles } from './listFiles.js';
import { openImage, revealImage } from '../../generation/savedImage.js';
import { maxInSheet, type Sheet, type SheetAction } from '../../protocol/studio.js';
import { folderName } from './besideStudio.js';
import { toEdit } from './composing.js';
import { Coalescer, updateDetached, type Asked, type StudioContext } from './deps.js';
import { sheetFolder, shownNamePattern } from './sheetFolder.js';
import { unreadable, type SheetFile } from './describer.js';
import type { StudioView } from './view.js';
import { studioMessages } from '../messages.js';

/** Remembers the folder, for a page that is there again after a reload of the window. */
const stateKey = 'studio.sheet';
/** Several files may come one after the other. In milliseconds. */
const togetherMs = 200;

/** The style sheet: all images of a folder of the workspace, as they come and go. */
export class StyleSheet implements vscode.Disposable {
	#open: OpenFolder | undefined;
	readonly #refreshing = new Coalescer(togetherMs, () => {
		if (this.#open !== undefined) {
			this.context.begin(this.#read(this.#open));
		}
	});
	readonly #renames = vscode.workspace.onDidRenameFiles(({ files }) => {
		for (const { oldUri, newUri } of files) {
			this.#follow(oldUri, newUri);
		}
	});

	constructor(
		private readonly context: StudioContext,
		private readonly state: vscode.Memento,
		private readonly view: Pick<StudioView, 'beside' | 'compose' | 'describer'>,
	) {}

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
			names: new Map(),
			listed: undefined,
			problem: undefined,
			reading: new PQueue({ concurrency: 1 }),
			watching: watchFolder(folder, this.view.describer.updateFile, this.#refreshing.schedule),
		};
		this.#open = open;
		this.resend();
		await Promise.all([this.#read(open), this.state.update(stateKey, folder.toString())]);
	}

	/** Does what the user has chosen for the sheet itself. */
	async change({ action }: Asked<'sheet'>): Promise<void> {
		if (action === 'resume') {
			await this.#resume();
		} else if (action === 'close') {
			this.#leave();
			await this.state.update(stateKey, undefined);
		} else {
			// Here, not where the command would show it.
			const folder = await sheetFolder(undefined);
			await (folder && this.show(folder));
		}
	}

	/** Shows the folder that was shown before the window was reloaded; tells where there is none. */
	async #resume(): Promise<void> {
		if (this.#open !== undefined) {
			return;
		}
		const folder = this.state.get(stateKey);
		try {
			if (typeof folder === 'string') {
				await this.show(vscode.Uri.parse(folder, true));
			}
		} finally {
			if (this.#open === undefined) {
				this.context.send({ type: 'sheet' });
			}
		}
	}

	/** Tells what is shown, to a page that knows nothing yet. */
	resend(): void {
		if (this.#open !== undefined) {
			this.context.send({ type: 'sheet', sheet: shownOf(this.#open) });
		}
	}

	/** The files with these identifiers that are there still, in this order. */
	filesOf(ids: readonly string[]): SheetFile[] {
		const open = this.#open;
		return ids.flatMap((id) => {
			const name = open?.names.get(id);
			return open === undefined || name === undefined
				? []
				: [{ id, uri: vscode.Uri.joinPath(open.folder, name), root: open.root }];
		});
	}

	/** Does what the user has chosen for some files; nothing where they are not there any more. */
	async act({ files, action }: Asked<'sheetFiles'>): Promise<void> {
		const meant = this.filesOf(files);
		for (const { root, uri } of meant) {
			await assertInside(root, uri);
		}
		const uris = meant.map(({ uri }) => uri);
		const [first, second] = uris;
		if (first === undefined) {
			return;
		}
		const actions: Readonly<Record<SheetAction, () => unknown>> = {
			open: () => openImage(first),
			edit: () => {
				this.view.beside.turnTo(first);
				return this.view.compose((references) => toEdit(first, references));
			},
			addReference: () => this.context.references.add(uris),
			useAsStyle: () => runCommand('easel.useAsStyle', first.toString()),
			compare: () => second && runCommand('easel.compareImages', first, second),
			showProvenance: () => runCommand('easel.showProvenance', first),
			reveal: () => revealImage(first),
		};
		await actions[action]();
	}

	#leave(): void {
		this.#open?.watching.dispose();
		this.#open = undefined;
		this.#refreshing.dispose();
		updateDetached(this.view.describer.forgetFiles());
	}

	/** The folder, or one above it, has another name now. */
	#follow(from: vscode.Uri, to: vscode.Uri): void {
		const path = this.#open?.folder.path ?? '';
		if (path === from.path || path.startsWith(`${from.path}/`)) {
			const folder = to.with({ path: to.path + path.slice(from.path.length) });
			this.context.begin(this.show(folder));
		}
	}

	/** Reads the folder, unless that is about to be done; sends what is another. */
	async #read(open: OpenFolder): Promise<void> {
		if (open.reading.size > 0) {
			return;
		}
		await open.reading.add(async () => {
			if (this.#open === open && (await readAnew(open)) && this.#open === open) {
				this.resend();
			}
		});
	}
}

/** A folder that is shown. */
interface OpenFolder {
	readonly id: string;
	readonly folder: vscode.Uri;
	/** The workspace folder that it lies in. */
	readonly root: vscode.Uri;
	/** By the identifier of the file, which it keeps as long as it stays. */
	names: ReadonlyMap<string, string>;
	/** Missing where the folder is not read yet, or cannot be. */
	listed: ListedFiles | undefined;
	/** Why it cannot be read. */
	problem: string | undefined;
	readonly reading: PQueue;
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
	const ids = new Map([...open.names].map(([id, name]) => [name, id]));
	open.names = new Map(
		(open.listed?.names ?? []).map((name) => [ids.get(name) ?? crypto.randomUUID(), name]),
	);
	return JSON.stringify(before) !== JSON.stringify([open.listed, open.problem]);
}

async function listed({ folder, root }: OpenFolder): Promise<ListedFiles> {
	const isMeant = (name: string) => shownNamePattern.test(name);
	if (folder.scheme === 'file') {
		return listFiles(folder.fsPath, { isMeant, maxNames: maxInSheet, roots: [root.fsPath] });
	}
	// Where links lead in a virtual file system is not known.
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

function shownOf({ id, folder, names, listed, problem }: OpenFolder): Sheet {
	const known = problem === undefined ? 'reading' : 'unreadable';
	return {
		id,
		folder: folderName(folder),
		files: [...names].map(([file, name]) => ({ id: file, name: flattened(name).slice(0, 300) })),
		more: listed?.more ?? 0,
		elsewhere: listed?.elsewhere ?? 0,
		state: listed === undefined ? known : 'read',
		...(problem === undefined ? {} : { problem }),
	};
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
