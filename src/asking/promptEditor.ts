import * as vscode from 'vscode';
import { promptLanguage } from '../documents/languages.js';
import { saveDocument } from '../editor/saveDocument.js';
import { PromptDrafts, type PromptPurpose } from './promptDrafts.js';
import { asUri } from './argument.js';
import type { Draft } from './draft.js';
import { knownQuality } from '../editor/imageRequest.js';

/** A draft that lies in the storage. */
export interface StoredDraft {
	readonly uri: vscode.Uri;
	readonly draft: Draft;
	readonly changedAt: Date;
}

/**
 * Prompts that are written in an editor of their own. VS Code itself saves their files as they are
 * typed (the manifest says so for their language), so it neither asks on closing nor needs us for it.
 */
export class PromptEditor implements vscode.Disposable {
	readonly #drafts: PromptDrafts;
	readonly #changed = new vscode.EventEmitter<void>();
	/** Fires when something beside the text of a prompt has changed. */
	readonly onDidChange = this.#changed.event;

	/** @param storage our own, absolute */
	constructor(storage: string) {
		this.#drafts = new PromptDrafts(storage);
	}

	dispose(): void {
		this.#changed.dispose();
	}

	holds({ languageId, uri }: vscode.TextDocument): boolean {
		return languageId === promptLanguage && this.#idOf(uri) !== undefined;
	}

	/** Opens an editor for a new prompt, which begins with the one that is there. */
	async begin(draft: Draft): Promise<void> {
		const id = await this.#drafts.create(purposeOf(draft), draft.prompt);
		await this.#show(vscode.Uri.file(this.#drafts.file(id)));
	}

	/** Goes on with a prompt; its image belongs now where the command was given. */
	async goOn(
		{ uri, draft }: StoredDraft,
		{ document, insertion, workspaceFolder, output, target, regeneratedFrom }: Draft,
	): Promise<void> {
		if (insertion !== undefined || workspaceFolder !== draft.workspaceFolder) {
			const place = { document, insertion, workspaceFolder, output, target };
			await this.change(uri, { ...draft, ...place, regeneratedFrom });
		}
		await this.#show(uri);
	}

	/** Returns all drafts, the last one first. */
	async list(): Promise<StoredDraft[]> {
		return (await this.#drafts.list()).map(({ id, text, changedAt, purpose }) => ({
			uri: vscode.Uri.file(this.#drafts.file(id)),
			draft: draftOf(purpose, text),
			changedAt: new Date(changedAt),
		}));
	}

	/**
	 * Returns the draft that a prompt is written for, with its text as it is now; `undefined` where
	 * it is gone.
	 */
	async read(document: vscode.TextDocument): Promise<Draft | undefined> {
		const id = this.#idOf(document.uri);
		const purpose = id === undefined ? undefined : await this.#drafts.purpose(id);
		return purpose && draftOf(purpose, document.getText().trim());
	}

	/** Changes what a prompt is written for; its text stays. */
	async change(uri: vscode.Uri, draft: Draft): Promise<void> {
		const id = this.#idOf(uri);
		if (id !== undefined) {
			await this.#drafts.setPurpose(id, purposeOf(draft));
			this.#changed.fire();
		}
	}

	/** Closes the editor of a prompt and forgets it: its image has been asked for. */
	async end(document: vscode.TextDocument): Promise<void> {
		// A file that waits to be saved would be there again.
		await saveDocument(document);
		const uri = document.uri.toString();
		const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
		await vscode.window.tabGroups.close(
			tabs.filter(({ input }) => input instanceof vscode.TabInputText && String(input.uri) === uri),
		);
		const id = this.#idOf(document.uri);
		await (id === undefined ? undefined : this.#drafts.remove(id));
	}

	async #show(uri: vscode.Uri): Promise<void> {
		const document = await vscode.workspace.openTextDocument(uri);
		const end = document.positionAt(document.getText().length);
		// In one step: what is typed at once would else go to the start.
		const selection = new vscode.Range(end, end);
		await vscode.window.showTextDocument(document, { preview: false, selection });
	}

	#idOf(uri: vscode.Uri): string | undefined {
		return uri.scheme === 'file' ? this.#drafts.idOf(uri.fsPath) : undefined;
	}
}

function purposeOf(draft: Draft): PromptPurpose {
	const { quality, references, output } = draft;
	const purpose = {
		...draft,
		// The text is a file of its own.
		prompt: undefined,
		quality: quality ?? ('unset' as const),
		references: references.map(({ source }) => source),
		output: output?.toString(),
	};
	return purpose;
}

function draftOf(
	{ quality, references, output, ...purpose }: PromptPurpose,
	prompt: string,
): Draft {
	return {
		...purpose,
		prompt,
		quality: knownQuality(quality),
		references: references.map((source) => ({ source })),
		output: output === undefined ? undefined : (asUri(output) ?? output),
	};
}
