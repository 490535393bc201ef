import type * as vscode from 'vscode';
import { runCommand } from '../../editor/commands.js';
import { assertInside } from '../../editor/files.js';
import { openImage, revealImage } from '../../generation/savedImage.js';
import type { StudioEvent, StudioRequest } from '../../protocol/studio.js';
import { toEdit } from './composing.js';
import type { DraftReferences } from './references.js';
import { sheetFolder } from './sheetFolder.js';
import { SheetPictures } from './sheetPictures.js';
import type { Sources } from './sources.js';
import { StyleSheet } from './styleSheet.js';
import type { StudioView } from './view.js';

interface Options {
	/** Tells the page something. */
	readonly send: (event: StudioEvent) => void;
	readonly state: vscode.Memento;
	readonly sources: Sources;
	readonly references: DraftReferences;
	readonly view: Pick<StudioView, 'beside' | 'compose'>;
	readonly runDetached: (task: PromiseLike<unknown>) => void;
}

type Asked<Type extends StudioRequest['type']> = Extract<StudioRequest, { readonly type: Type }>;

/** What the page asks for about the style sheet. */
export class SheetRequests implements vscode.Disposable {
	readonly sheet: StyleSheet;
	readonly #pictures: SheetPictures;

	constructor(private readonly options: Options) {
		this.#pictures = new SheetPictures(options);
		this.sheet = new StyleSheet({ ...options, pictures: this.#pictures });
	}

	dispose(): void {
		this.sheet.dispose();
		this.#pictures.dispose();
	}

	async change({ action }: Asked<'sheet'>): Promise<void> {
		switch (action) {
			case 'resume':
				await this.sheet.resume();
				return;
			case 'choose':
				await this.#choose();
				return;
			case 'close':
				await this.sheet.close();
		}
	}

	/** Here, not where the command would show it. */
	async #choose(): Promise<void> {
		const folder = await sheetFolder(undefined);
		if (folder !== undefined) {
			await this.sheet.show(folder);
		}
	}

	/** Does what a person has chosen for some files; nothing where they are not there any more. */
	async act({ files, action }: Asked<'sheetFiles'>): Promise<void> {
		const meant = this.sheet.filesOf(files);
		for (const { root, uri } of meant) {
			await assertInside(root, uri);
		}
		const uris = meant.map(({ uri }) => uri);
		const [first, second] = uris;
		if (first === undefined) {
			return;
		}
		switch (action) {
			case 'open':
				await openImage(first);
				return;
			case 'edit':
				await this.#edit(first);
				return;
			case 'addReference':
				await this.options.references.add(uris);
				return;
			case 'useAsStyle':
				await runCommand('easel.useAsStyle', first.toString());
				return;
			case 'compare':
				if (second !== undefined) {
					await runCommand('easel.compareImages', first, second);
				}
				return;
			case 'showProvenance':
				await runCommand('easel.showProvenance', first);
				return;
			case 'reveal':
				await revealImage(first);
		}
	}

	async #edit(uri: vscode.Uri): Promise<void> {
		const { view } = this.options;
		view.beside.turnTo(uri);
		await view.compose((references) => toEdit(uri, references));
	}
}
