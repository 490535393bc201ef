import { posix } from 'node:path';
import * as vscode from 'vscode';
import { linkedExtensions, indexFiles } from '../documents/missing/decide.js';
import { foldedPath, type NameIndex } from '../documents/missing/nameIndex.js';
import { siteFilesGlob } from '../documents/generators.js';
import { rulesOf, sitesIn, type Site } from '../documents/sites.js';
import { documentReader } from './documentReader.js';
import { log } from '../log.js';

const logged = new Set<string>();

/** The sites of documents by their folders, until a file of a site changes. */
const sites = new Map<string, Promise<readonly Site[]>>();
/** The images of folders in which names alone are looked for, until one comes or goes. */
const indexes = new Map<string, Promise<NameIndex>>();

/** Follows what is known of sites, and logs each site once. */
export function registerSites(): vscode.Disposable {
	const siteFiles = vscode.workspace.createFileSystemWatcher(siteFilesGlob);
	const images = vscode.workspace.createFileSystemWatcher(`**/*.{${linkedExtensions.join(',')}}`);
	const forgetSites = () => sites.clear();
	const forgetImages = () => indexes.clear();
	// Of a folder nothing is reported but its own name.
	const { onDidRenameFiles, onDidDeleteFiles, onDidChangeWorkspaceFolders } = vscode.workspace;
	return vscode.Disposable.from(
		...[siteFiles, images],
		siteFiles.onDidChange(forgetSites),
		onDidChangeWorkspaceFolders(forgetSites),
		...[siteFiles.onDidCreate, siteFiles.onDidDelete, onDidRenameFiles, onDidDeleteFiles].map(
			(event) => event(forgetSites),
		),
		// What goes and comes at once is reported as changed.
		images.onDidChange(forgetImages),
		...[images.onDidCreate, images.onDidDelete, onDidRenameFiles, onDidDeleteFiles].map((event) =>
			event(forgetImages),
		),
	);
}

/** The sites that a document lies in, the nearest first; as its links are read. */
export async function findSites(document: vscode.Uri): Promise<readonly Site[]> {
	const folder = vscode.Uri.joinPath(document, '..');
	const key = folder.toString();
	// What cannot be read is no site; it is looked at again.
	const found =
		sites.get(key) ??
		find(folder, vscode.workspace.getWorkspaceFolder(document)?.uri).catch(() => {
			sites.delete(key);
			return [];
		});
	sites.set(key, found);
	for (const { generator, root, images } of await found) {
		if (generator !== 'other' && !logged.has(`${generator} ${root}`)) {
			logged.add(`${generator} ${root}`);
			const place =
				images === undefined
					? ''
					: ` New images of its pages go to ${images} there, unless easel.output.folder is set; markdown.copyFiles.destination does not count.`;
			log.info(`Image links below ${root} are read and written as ${generator} does it.${place}`);
		}
	}
	return found;
}

async function find(
	folder: vscode.Uri,
	workspaceFolder: vscode.Uri | undefined,
): Promise<readonly Site[]> {
	if (folder.scheme === 'file') {
		const places = { folder: folder.fsPath, workspaceFolder: workspaceFolder?.fsPath };
		return documentReader().read('sites', places);
	}
	const found: Site[] = [];
	let at = folder;
	while (workspaceFolder !== undefined && at.path.startsWith(workspaceFolder.path)) {
		const entries = await vscode.workspace.fs.readDirectory(at);
		// Elsewhere than on a disk, what the sites configure is left aside.
		found.push(
			...sitesIn(
				at.path,
				entries.map(([name]) => name),
				() => '',
			),
		);
		if (at.path === workspaceFolder.path) {
			break;
		}
		at = vscode.Uri.joinPath(at, '..');
	}
	return found;
}

/** The same with their folders as paths of URIs, as links are written. */
export async function findSitesForWriting(document: vscode.Uri): Promise<readonly Site[]> {
	const found = await findSites(document);
	return document.scheme === 'file'
		? found.map((site) => ({ ...site, root: vscode.Uri.file(site.root).path }))
		: found;
}

/** The file that a name alone means where a program for notes looks for it; that of the shortest path. */
export async function findFileByName(
	href: string,
	sitesOfDocument: readonly Site[],
): Promise<vscode.Uri | undefined> {
	const vault = sitesOfDocument.find((site) => rulesOf(site).findsByName)?.root;
	if (vault === undefined) {
		return undefined;
	}
	const index = indexes.get(vault) ?? indexFiles([vault], documentReader());
	indexes.set(vault, index);
	index.catch(() => indexes.delete(vault));
	const { files, isWhole } = (await index).find(foldedPath(posix.normalize(href)));
	const [shortest] = [...files].sort((one, other) => one.length - other.length);
	return isWhole && shortest !== undefined ? vscode.Uri.file(shortest) : undefined;
}
