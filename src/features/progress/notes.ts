import * as vscode from 'vscode';
import { linkPlace } from '../../documents/linkPlace.js';
import type { AskedPlace } from '../../documents/place.js';
import { imagesOf } from '../../editor/documentImages.js';
import { isWritable } from '../../editor/documents.js';
import { LineNotes, type LineNote } from '../../editor/lineNotes.js';
import { runDetached } from '../../editor/messages.js';
import { languageOf } from '../../editor/nearImage.js';
import type { RunningJob } from '../../generation/jobList.js';
import { draftLinks, noteHover, noteText } from '../../generation/placeNote.js';
import type { NewDraft } from '../../library/newDrafts.js';
import type { Services } from '../../services.js';
import { documentMessages } from '../messages.js';

/** Pause of typing after which links are looked for anew, in milliseconds. */
const typingPauseMs = 300;

/** Shows notes in the visible editors, until it is disposed of. Nothing is done while none has one. */
export function showNotes(deps: Services): vscode.Disposable {
	const notes = new LineNotes();
	const drafts = new DraftLines(deps, () => show());
	let noted: readonly vscode.TextEditor[] = [];
	let ticking: NodeJS.Timeout | undefined;
	const show = () => {
		const images = imagesByLine(deps);
		const editors = vscode.window.visibleTextEditors;
		const before = noted;
		const notesOf = ({ document }: vscode.TextEditor): LineNote[] => [
			...[...(images.get(document) ?? [])].map(([line, jobs]) => ({
				line,
				text: noteText(jobs),
				hover: noteHover(jobs),
			})),
			...drafts.notesOf(document),
		];
		const shown = editors.map((editor) => ({ editor, ofEditor: notesOf(editor) }));
		noted = shown.filter(({ ofEditor }) => ofEditor.length > 0).map(({ editor }) => editor);
		for (const { editor, ofEditor } of shown) {
			if (ofEditor.length > 0 || before.includes(editor)) {
				notes.show(editor, ofEditor);
			}
		}
		if (images.size === 0) {
			clearInterval(ticking);
			ticking = undefined;
		} else {
			// The words change from second to second.
			ticking ??= setInterval(show, 1000);
		}
	};
	return vscode.Disposable.from(
		deps.jobs.onDidChange(show),
		deps.anchors.onDidChange(show),
		vscode.window.onDidChangeVisibleTextEditors(show),
		drafts,
		notes,
		{ dispose: () => clearInterval(ticking) },
	);
}

/** The images that are being made, by the lines of the documents where they belong. */
function imagesByLine({ anchors, jobs }: Services) {
	const found = new Map<vscode.TextDocument, Map<number, readonly RunningJob[]>>();
	for (const job of jobs.running) {
		const { insertion } = job.request;
		const followed = insertion && anchors.find(insertion);
		if (insertion === undefined || followed === undefined || followed.anchors.length === 0) {
			continue;
		}
		const { document, anchors: places } = followed;
		const ofDocument = found.get(document) ?? new Map<number, readonly RunningJob[]>();
		found.set(document, ofDocument);
		for (const line of linesOfLinks(document, places, insertion.block)) {
			ofDocument.set(line, [...(ofDocument.get(line) ?? []), job]);
		}
	}
	return found;
}

/** The lines that links will be written in, or behind: where a spot lies may be elsewhere. */
function linesOfLinks(
	document: vscode.TextDocument,
	spots: readonly AskedPlace[],
	block: boolean,
): Set<number> {
	const text = document.getText();
	const language = languageOf(document);
	const offsets = spots.map((spot) => linkPlace(language, text, spot, block).span.start);
	return new Set(offsets.map((offset) => document.positionAt(offset).line));
}

/** The lines of the visible documents that show an image of which a new draft waits. */
class DraftLines implements vscode.Disposable {
	#lines = new Map<vscode.TextDocument, readonly LineNote[]>();
	#timer: NodeJS.Timeout | undefined;
	readonly #listening: vscode.Disposable;

	/** @param onDidChange called when other lines have a note */
	constructor(
		private readonly deps: Pick<Services, 'newDrafts'>,
		private readonly onDidChange: () => void,
	) {
		const look = () => this.#lookAfter(0);
		this.#listening = vscode.Disposable.from(
			deps.newDrafts.onDidChange(look),
			vscode.window.onDidChangeVisibleTextEditors(look),
			vscode.workspace.onDidChangeTextDocument(() => this.#lookAfter(typingPauseMs)),
		);
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#listening.dispose();
	}

	notesOf(document: vscode.TextDocument): readonly LineNote[] {
		const { lineCount } = document;
		return (this.#lines.get(document) ?? []).filter(({ line }) => line < lineCount);
	}

	#lookAfter(ms: number): void {
		if (this.deps.newDrafts.all.length === 0 && this.#lines.size === 0) {
			return;
		}
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => runDetached(this.#look()), ms);
	}

	async #look(): Promise<void> {
		const drafts = this.deps.newDrafts.all;
		const byFile = new Map(drafts.flatMap((draft) => filesOf(draft).map((file) => [file, draft])));
		const found = new Map<vscode.TextDocument, readonly LineNote[]>();
		const documents = vscode.window.visibleTextEditors.map(({ document }) => document);
		for (const document of new Set(drafts.length === 0 ? [] : documents.filter(isWritable))) {
			const { version } = document;
			const images = await imagesOf(document.getText(), languageOf(document), document.uri);
			if (document.version !== version) {
				// Looked for again after the pause that follows.
				continue;
			}
			const notes = images.flatMap(({ uri, span }): LineNote[] => {
				const draft = byFile.get(uri.toString());
				const { line } = document.positionAt(span.start);
				return draft === undefined
					? []
					: [{ line, text: documentMessages.draftNote(draft), hover: [draftLinks(draft)] }];
			});
			if (notes.length > 0) {
				found.set(document, notes);
			}
		}
		this.#lines = found;
		this.onDidChange();
	}
}

/** The files whose links show that a draft waits. */
function filesOf(draft: NewDraft): string[] {
	return draft.type === 'new'
		? [draft.original.toString()]
		: draft.images.map(({ target }) => target);
}
