import * as vscode from 'vscode';
import { promptLanguage } from '../../documents/languages.js';
import { safeText } from '../../editor/untrustedText.js';
import { editable, imageOn } from '../../editor/targetImage.js';
import { takesNoImages } from '../../asking/argument.js';

/** The editor that is seen beside the studio, which has the focus itself. */
export function editorBeside(): vscode.TextEditor | undefined {
	const { activeTextEditor, visibleTextEditors } = vscode.window;
	const editors = activeTextEditor === undefined ? visibleTextEditors : [activeTextEditor];
	return editors.find(({ document }) => !takesNoImages(document));
}

/** Its document. */
export function documentBeside(): vscode.TextDocument | undefined {
	return editorBeside()?.document;
}

/** The editor beside the studio whose text a prompt can be drafted from. */
export function sourceBeside(): vscode.TextEditor | undefined {
	const editor = editorBeside();
	return editor?.document.languageId === promptLanguage ? undefined : editor;
}

/**
 * The folder of the workspace that the user is at: that of the document which is seen beside the
 * studio, else of the image there, else of the image that was seen last.
 */
export class FolderBeside implements vscode.Disposable {
	readonly #changed = new vscode.EventEmitter<void>();
	readonly onDidChange = this.#changed.event;
	readonly #listening: vscode.Disposable;
	#ofImage: vscode.Uri | undefined;
	/** The folder when a listener was notified last. */
	#shown = this.#identity;

	constructor() {
		const look = () => {
			this.#look();
		};
		this.#listening = vscode.Disposable.from(
			vscode.window.onDidChangeVisibleTextEditors(look),
			vscode.window.tabGroups.onDidChangeTabs(look),
			vscode.window.tabGroups.onDidChangeTabGroups(look),
		);
	}

	dispose(): void {
		this.#listening.dispose();
		this.#changed.dispose();
	}

	/** An image of the studio that the user has turned to. */
	turnTo(image: vscode.Uri): void {
		this.#ofImage = folderOf(image);
		this.#look();
	}

	/** Tabs come and go all the time. */
	#look(): void {
		if (this.#identity !== this.#shown) {
			this.#shown = this.#identity;
			this.#changed.fire();
		}
	}

	get #identity(): string {
		return this.folder?.toString() ?? '';
	}

	/** `undefined` where there is none. */
	get folder(): vscode.Uri | undefined {
		const ofDocument = vscode.window.visibleTextEditors
			.map(({ document }) => document)
			.filter(({ languageId }) => languageId !== promptLanguage)
			.map(({ uri }) => folderOf(uri))
			.find((folder) => folder !== undefined);
		const ofImage = vscode.window.tabGroups.all
			.map(({ activeTab }) => folderOf(editable(imageOn(activeTab))))
			.find((folder) => folder !== undefined);
		this.#ofImage = ofImage ?? this.#ofImage;
		return ofDocument ?? this.#ofImage;
	}

	/** Name by which the user knows it. */
	get name(): string | undefined {
		const { folder } = this;
		return folder && folderName(folder);
	}
}

/** Returns the name of a folder of the workspace. */
export function folderName(folder: vscode.Uri): string {
	const root = vscode.workspace.getWorkspaceFolder(folder);
	return safeText(
		root?.uri.toString() === folder.toString()
			? root.name
			: vscode.workspace.asRelativePath(folder),
	);
}

function folderOf(uri: vscode.Uri | undefined): vscode.Uri | undefined {
	return uri === undefined || vscode.workspace.getWorkspaceFolder(uri) === undefined
		? undefined
		: vscode.Uri.joinPath(uri, '..');
}
