import * as vscode from 'vscode';

interface Watchers {
	/** The content of a file of the folder is another. */
	readonly changed: (file: vscode.Uri) => void;
	/** Something has come or gone, perhaps the folder itself. */
	readonly others: () => void;
}

/** Watches the files of a folder, and the folder itself, as far as that lies in the workspace. */
export function watchFolder(folder: vscode.Uri, { changed, others }: Watchers): vscode.Disposable {
	const inside = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'));
	const parent = vscode.Uri.joinPath(folder, '..');
	const above =
		parent.path === folder.path || vscode.workspace.getWorkspaceFolder(parent) === undefined
			? undefined
			: // All of it, because the folder's name may be a pattern to VS Code.
				vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(parent, '*'));
	const ofFolder = (uri: vscode.Uri) => {
		if (uri.path === folder.path) {
			others();
		}
	};
	return vscode.Disposable.from(
		inside,
		inside.onDidChange(changed),
		inside.onDidCreate((file) => {
			// It may have taken the place of another one.
			changed(file);
			others();
		}),
		inside.onDidDelete(others),
		...(above === undefined
			? []
			: [
					above,
					above.onDidCreate(ofFolder),
					above.onDidDelete(ofFolder),
					// Where one takes the place of another, that is told as a change.
					above.onDidChange(ofFolder),
				]),
	);
}
