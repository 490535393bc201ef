import * as vscode from 'vscode';
import { linkPlace } from '../../documents/linkPlace.js';
import type { AskedPlace } from '../../documents/place.js';
import { registerLink } from '../../editor/commands.js';
import { languageOf } from '../../editor/documentLanguage.js';
import { LineNotes, type LineNote } from '../../editor/lineNotes.js';
import { runDetached, notify } from '../../editor/messages.js';
import type { RunningJob } from '../../generation/jobList.js';
import type { Services } from '../../generation/services.js';
import { cancelCommand, noteHover, noteText } from '../../generation/placeNote.js';
import { documentMessages } from '../messages.js';

type Deps = Pick<Services, 'anchors' | 'jobs'>;

/** While an image is made, its place in the document shows how far it is, and lets it be cancelled. */
export function registerProgressInDocument(deps: Deps): vscode.Disposable {
	return vscode.Disposable.from(
		new PlaceNotes(deps),
		registerLink(cancelCommand, (id) => {
			const job = deps.jobs.running.find(({ request }) => request.id === id);
			if (job === undefined) {
				runDetached(notify('info', documentMessages.notRunning));
			} else {
				job.cancel();
			}
		}),
	);
}

/** The notes in the editors that are seen. Nothing is done as long as none has one. */
class PlaceNotes implements vscode.Disposable {
	readonly #notes = new LineNotes();
	/** The editors that have notes. */
	#shown: readonly vscode.TextEditor[] = [];
	#ticking: NodeJS.Timeout | undefined;
	readonly #listeners: readonly vscode.Disposable[];

	constructor(private readonly deps: Deps) {
		const show = () => {
			this.#show();
		};
		this.#listeners = [
			deps.jobs.onDidChange(show),
			deps.anchors.onDidChange(show),
			vscode.window.onDidChangeVisibleTextEditors(show),
		];
	}

	dispose(): void {
		clearInterval(this.#ticking);
		vscode.Disposable.from(...this.#listeners, this.#notes).dispose();
	}

	#show(): void {
		const images = this.#imagesByLine();
		const editors = vscode.window.visibleTextEditors;
		const shown = editors.filter(({ document }) => images.has(document));
		for (const editor of this.#shown) {
			if (!shown.includes(editor) && editors.includes(editor)) {
				this.#notes.show(editor, []);
			}
		}
		for (const editor of shown) {
			this.#notes.show(editor, notesOf(images.get(editor.document)));
		}
		this.#shown = shown;
		if (shown.length === 0) {
			clearInterval(this.#ticking);
			this.#ticking = undefined;
		} else {
			// The words change from second to second.
			this.#ticking ??= setInterval(() => {
				this.#show();
			}, 1000);
		}
	}

	/** The images that are being made, by the lines of the documents where they belong. */
	#imagesByLine(): Map<vscode.TextDocument, ImagesByLine> {
		const found = new Map<vscode.TextDocument, ImagesByLine>();
		for (const job of this.deps.jobs.running) {
			const { insertion } = job.request;
			const followed = insertion && this.deps.anchors.find(insertion);
			if (insertion === undefined || followed === undefined || followed.anchors.length === 0) {
				continue;
			}
			const { document, anchors } = followed;
			const ofDocument = found.get(document) ?? new Map<number, RunningJob[]>();
			found.set(document, ofDocument);
			for (const line of linesOfLinks(document, anchors, insertion.block)) {
				ofDocument.set(line, [...(ofDocument.get(line) ?? []), job]);
			}
		}
		return found;
	}
}

/** The lines that links will be written in, or behind: where an anchor lies may be elsewhere. */
function linesOfLinks(
	document: vscode.TextDocument,
	anchors: readonly AskedPlace[],
	block: boolean,
): Set<number> {
	const text = document.getText();
	const language = languageOf(document);
	const offsets = anchors.map((anchor) => linkPlace(language, text, anchor, block).span.start);
	return new Set(offsets.map((offset) => document.positionAt(offset).line));
}

type ImagesByLine = Map<number, readonly RunningJob[]>;

function notesOf(images: ImagesByLine = new Map()): LineNote[] {
	return [...images].map(([line, jobs]) => ({
		line,
		text: noteText(jobs),
		hover: noteHover(jobs),
	}));
}
